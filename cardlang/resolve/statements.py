"""Resolution of statements: moves, changes, control flow. Choices are in `choices`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.conditions import among
from cardlang.resolve.expressions import as_number, cards, condition, fit, number, player, single, value
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.texts import note, ruling, told, words
from cardlang.resolve.types import bad, called, report_copies
from cardlang.resolve.world import World
from cardlang.source import Span

Known = tuple[list[g.Stmt], Scope]
Doer = Callable[[World, Any, Scope], Known]
DOERS: dict[type, Doer] = {}


def does(node: type) -> Callable[[Doer], Doer]:
    def register(doer: Doer) -> Doer:
        DOERS[node] = doer
        return doer

    return register


def block(w: World, nodes: tuple[n.Stmt, ...], scope: Scope) -> tuple[g.Stmt, ...]:
    """Resolve the statements of a block. Names that one binds are in scope for those after it."""
    found: list[g.Stmt] = []
    for node in nodes:
        statements, scope = DOERS[type(node)](w, node, scope)
        if statements and node.doc is not None:
            statements[-1] = evolve(statements[-1], doc=words(w, node.doc, scope))
        found += statements
    return tuple(found)


@does(n.Aside)
def _(w: World, node: n.Aside, scope: Scope) -> Known:
    what = node.what
    return [note(w, what, scope) if isinstance(what, n.Note) else ruling(w, what, scope)], scope


# ---------------------------------------------------------------- places and tracks
def place(w: World, node: n.Expr, scope: Scope) -> g.Place | None:
    """Resolve a destination of cards: a zone, or the zones of several players."""
    found = value(w, node, scope)
    match found:
        case g.ZoneCards(zone=zone, of=of):
            return g.Place(zone, of)
        case g.MapEach(list=owners, var=var, value=g.ZoneCards(zone=zone, of=of)) if of == var:
            return g.Place(zone, owners, each=True)
    if found.type.tag != "error":
        is_cards = (found.type.item or found.type).tag == "card"
        what = "expected one zone, but these are cards" if is_cards else "expected a zone"
        zones = [z.name.text for z in w.of_type(n.Zone)]
        hint = w.near(node.span.text, zones)[0] or "write the name of a zone, as in `your hand`"
        w.error(codes.UNKNOWN_ZONE, what, node.span, hint)
    return None


def track(w: World, node: n.Expr, scope: Scope) -> g.TrackValue | None:
    """Resolve the target of `set`, `add` or `subtract`."""
    found = value(w, node, scope)
    if isinstance(found, g.TrackValue):
        return found
    if found.type.tag != "error":
        hint = "you can only change a declared number, flag, player or kind"
        if isinstance(found, g.MapEach):
            hint = "change one at a time, with `each player …`"
        if isinstance(found, g.Call):
            hint = f"`{found.define}` is a definition. Change what it is worked out from"
        w.error(codes.NOT_A_TRACK, "this cannot be changed", node.span, hint)
    return None


# ---------------------------------------------------------------- moves
@does(n.Move)
def _(w: World, node: n.Move, scope: Scope) -> Known:
    what, to = cards(w, node.what, scope), place(w, node.to, scope)
    report_copies(w, what)
    end = node.sorted or ("under" if node.under else "top")
    return ([] if to is None else [g.Move(node.span, node.verb, what, to, end)]), scope


@does(n.Shuffle)
def _(w: World, node: n.Shuffle, scope: Scope) -> Known:
    if isinstance(node.what, n.NameRef) and node.what.name == "players":
        return [g.ShufflePlayers(node.span)], scope
    zone = place(w, node.what, scope)
    return ([] if zone is None else [g.Shuffle(node.span, zone)]), scope


@does(n.Reveal)
def _(w: World, node: n.Reveal, scope: Scope) -> Known:
    to = None if node.to is None else player(w, node.to, scope)
    return [g.Reveal(node.span, cards(w, node.what, scope), to)], scope


# ---------------------------------------------------------------- assignments
@does(n.Set)
def _(w: World, node: n.Set, scope: Scope) -> Known:
    target = track(w, node.target, scope)
    if target is None:
        value(w, node.value, scope)
        return [], scope
    found = fit(w, value(w, node.value, scope, target.type), target.type)
    return [g.SetTrack(node.span, target.track, target.of, "=", found)], scope


@does(n.Add)
def _(w: World, node: n.Add, scope: Scope) -> Known:
    return change(w, node, scope, "+")


@does(n.Subtract)
def _(w: World, node: n.Subtract, scope: Scope) -> Known:
    return change(w, node, scope, "-")


def change(w: World, node: n.Add | n.Subtract, scope: Scope, operator: Literal["+", "-"]) -> Known:
    target, amount = track(w, node.target, scope), number(w, node.amount, scope)
    if target is None:
        return [], scope
    if target.type.tag != "number":
        message = f"you can only add to a number, but this is {called(target.type)}"
        w.error(codes.NOT_A_NUMBER, message, node.target.span, "write `set … to …`")
        return [], scope
    return [g.SetTrack(node.span, target.track, target.of, operator, amount)], scope


@does(n.Remember)
def _(w: World, node: n.Remember, scope: Scope) -> Known:
    found = value(w, node.value, scope)
    var = w.var(found.type, node.name.span, node.name.text)
    return [g.Remember(node.span, var, found)], scope.knowing(node.name.text, var)


@does(n.Eliminate)
def _(w: World, node: n.Eliminate, scope: Scope) -> Known:
    return [g.Eliminate(node.span, player(w, node.player, scope))], scope


@does(n.Tell)
def _(w: World, node: n.Tell, scope: Scope) -> Known:
    said, values = told(w, node.words, scope)
    return [g.Tell(node.span, said, values)], scope


@does(n.Property)
def _(w: World, node: n.Property, scope: Scope) -> Known:
    return [g.Property(node.span, condition(w, node.condition, scope))], scope


# ---------------------------------------------------------------- control flow
def going(w: World, node: n.Going, scope: Scope) -> tuple[g.Expr, g.Var, g.Expr | None, g.Expr | None]:
    """Resolve a loop: the list, its variable, its start, and the condition to take part."""
    items = among(w, node.word, node.among, scope)
    type_ = items.type.item or ERROR
    var = w.var(type_, node.word.span, node.word.text)
    start = None if node.start is None else single(w, node.start, scope, type_)
    test = None if node.condition is None else condition(w, node.condition, scope.testing(var))
    return items, var, start, test


@does(n.Each)
def _(w: World, node: n.Each, scope: Scope) -> Known:
    items, var, start, test = going(w, node.going, scope)
    inside = scope.about(node.going.word.text, var)
    if var.type == ERROR:  # it may be a misspelled `player`
        inside = inside.about("player", var)
    body = block(w, node.body, inside)
    if node.together and var.type != ERROR:
        check_together(w, node)
    return [g.Each(node.span, items, var, start, test, node.together, body)], scope


def check_together(w: World, node: n.Each) -> None:
    """Report a `together` whose body isn't exactly one choice of each player."""
    inside = [statement for statement in node.body if not isinstance(statement, n.Aside)]
    is_choice = [isinstance(s, n.Pick | n.Choose | n.Menu) and s.who.span.text == "you" for s in inside]
    if is_choice == [True] and node.going.word.text == "player":
        return
    wrong = inside[is_choice.index(False)] if False in is_choice else inside[1] if inside[1:] else node.going.word
    hint = "start the choice with `you`, and move other statements to an `each player` of their own"
    w.error(codes.MISPLACED, "`together each player` needs exactly one choice below it", wrong.span, hint)


@does(n.Repeat)
def _(w: World, node: n.Repeat, scope: Scope) -> Known:
    until = None if node.until is None else condition(w, node.until, scope)
    return [g.Repeat(node.span, until, node.until_pass, block(w, node.body, scope))], scope


@does(n.If)
def _(w: World, node: n.If, scope: Scope) -> Known:
    test = condition(w, node.condition, scope)
    then, otherwise = block(w, node.then, scope), block(w, node.otherwise, scope)
    return [g.If(node.span, test, then, otherwise)], scope


# ---------------------------------------------------------------- steps
@does(n.Do)
def _(w: World, node: n.Do, scope: Scope) -> Known:
    found = do(w, node.span, node.step, node.args, scope)
    return ([] if found is None else [found]), scope


def do(w: World, span: Span, step: n.Expr, args: tuple[n.Expr, ...], scope: Scope) -> g.Do | g.DoBorne | None:
    """Resolve `do S`, `do your S` or `do x's S`: a step of the table, of a player, or of a card."""
    match step:
        case n.NameRef(name=name):
            return call(w, span, n.Name(step.span, name), None, args, scope)
        case n.Yours(name=called_):
            return call(w, span, called_, value(w, n.NameRef(step.span, "you"), scope), args, scope)
        case n.Attr(of=of, name=called_):
            owner = value(w, of, scope)
            if owner.type.tag == "card":
                return do_borne(w, span, called_, owner, args, scope)
            return call(w, span, called_, fit(w, owner, g.PLAYER), args, scope)
    w.error(codes.UNKNOWN_STEP, "expected a step", step.span, "write its name, as in `do scoring`")
    return None


def do_borne(
    w: World, span: Span, name: n.Name, card: g.Expr, args: tuple[n.Expr, ...], scope: Scope
) -> g.DoBorne | None:
    if name.text not in w.step_bearers:
        hint = "declare the steps of a card below its line or its set"
        w.unknown(codes.UNKNOWN_STEP, "step of a card", name, w.step_bearers, hint)
        return None
    if args:
        w.error(codes.WRONG_ARGUMENTS, "a step of a card takes no values", args[0].span)
    you = value(w, n.NameRef(name.span, "you"), scope)
    return g.DoBorne(span, name.text, card, you)


def call(w: World, span: Span, name: n.Name, of: g.Expr | None, args: tuple[n.Expr, ...], scope: Scope) -> g.Do | None:
    step = w.verbs.get(name.text)
    if not isinstance(step, n.Step):
        w.unknown(codes.UNKNOWN_STEP, "step", name, [s.name.text for s in w.of_type(n.Step)])
        return None
    related = ((step.name.span, f"`{name.text}` is declared here"),)
    if step.your and of is None:
        hint = f"write `do your {name.text}`, or `do dealer's {name.text}`"
        w.error(codes.WRONG_ARGUMENTS, f"`{name.text}` needs a player", name.span, hint, related)
        return None
    if not step.your and of is not None:
        hint = f"write `do {name.text}`, or declare `step your {name.text}`"
        w.error(codes.WRONG_ARGUMENTS, f"`{name.text}` is not a step of a player", name.span, hint, related)
        return None
    return g.Do(span, name.text, of, arguments(w, name.span, step, args, scope))


def arguments(w: World, name: Span, step: n.Step, args: tuple[n.Expr, ...], scope: Scope) -> tuple[g.Expr, ...]:
    if len(args) != len(step.params):
        names = ", ".join(f"`{p.type.text} {p.name.text}`" for p in step.params) or "no values"
        given = f"{len(args)} {'is' if len(args) == 1 else 'are'} given"
        message = f"`{step.name.text}` takes {names}, but {given}"
        related = ((step.name.span, f"`{step.name.text}` is declared here"),)
        example = f"do {step.name.text}{' with …' if step.params else ''}"
        w.error(codes.WRONG_ARGUMENTS, message, args[-1].span if args else name, f"write `{example}`", related)
        return ()
    return tuple(argument(w, p, arg, scope) for p, arg in zip(step.params, args, strict=True))


def argument(w: World, param: n.Param, node: n.Expr, scope: Scope) -> g.Expr:
    type_ = w.thing_type(param.type.text)
    if type_ is None:
        return bad(node.span)  # reported where the step is declared
    found = value(w, node, scope, type_)
    return as_number(w, found) if type_.tag == "number" else fit(w, found, type_)


@does(n.Finish)
def _(w: World, node: n.Finish, scope: Scope) -> Known:
    name = node.step
    known = [*(s.name.text for s in w.of_type(n.Step)), *w.step_bearers, "game"]
    if name.text not in known:
        w.unknown(codes.UNKNOWN_STEP, "step", name, known)
        return [], scope
    return [g.Finish(node.span, name.text)], scope


# ---------------------------------------------------------------- announcements
@does(n.Announce)
def _(w: World, node: n.Announce, scope: Scope) -> Known:
    actor = value(w, n.NameRef(node.name.span, "you"), scope)
    target = None if node.on is None else value(w, node.on, scope)
    shared = tuple((name.text, value(w, n.NameRef(name.span, name.text), scope)) for name in node.sharing)
    known = (g.NOTHING if target is None else target.type, {name: each.type for name, each in shared})
    heard = w.announced.setdefault(node.name.text, [])
    if known not in heard:
        heard.append(known)
    body, otherwise = block(w, node.body, scope), block(w, node.otherwise, scope)
    return [g.Announce(node.span, node.name.text, actor, target, shared, body, otherwise)], scope


@does(n.Cancel)
def _(w: World, node: n.Cancel, scope: Scope) -> Known:
    if scope.reacting is None:
        w.error(codes.MISPLACED, "there is nothing to cancel here", node.span, "only a reaction can `cancel`")
    return [g.Cancel(node.span)], scope
