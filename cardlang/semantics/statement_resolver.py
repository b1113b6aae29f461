"""Resolution of statements and choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.semantics import error_codes
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    build_note,
    build_ruling,
    build_text,
    convert_or_report,
    convert_to_number,
    describe_type,
    report_ambiguous_copies,
    resolve_as_type,
    resolve_cards,
    resolve_condition,
    resolve_expression,
    resolve_message,
    resolve_number,
    resolve_player,
)
from cardlang.semantics.operator_resolver import resolve_loop_items
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.syntax import ast as n

ResolvedStatements = tuple[list[g.Stmt], Scope]
StatementResolver = Callable[[ResolveContext, Any, Scope], ResolvedStatements]
STATEMENT_RESOLVERS: dict[type, StatementResolver] = {}


def resolves_statement(node: type) -> Callable[[StatementResolver], StatementResolver]:
    def register_resolver(resolver: StatementResolver) -> StatementResolver:
        STATEMENT_RESOLVERS[node] = resolver
        return resolver

    return register_resolver


def resolve_block(ctx: ResolveContext, nodes: tuple[n.Stmt, ...], scope: Scope) -> tuple[g.Stmt, ...]:
    """Resolve the statements of a block. Names that one binds are in scope for those after it."""
    block: list[g.Stmt] = []
    for node in nodes:
        statements, scope = STATEMENT_RESOLVERS[type(node)](ctx, node, scope)
        if statements and node.doc is not None:
            statements[-1] = statements[-1].replace(doc=build_text(ctx, node.doc, scope))
        block += statements
    return tuple(block)


@resolves_statement(n.Aside)
def _(ctx: ResolveContext, node: n.Aside, scope: Scope) -> ResolvedStatements:
    what = node.what
    return [build_note(ctx, what, scope) if isinstance(what, n.Note) else build_ruling(ctx, what, scope)], scope


# ---------------------------------------------------------------- places and tracks
def resolve_destination(ctx: ResolveContext, node: n.Expr, scope: Scope) -> g.Place | None:
    """Resolve a destination of cards: a zone, or the zones of several players."""
    return build_place(ctx, node, resolve_expression(ctx, node, scope, g.build_list_type(g.CARD)))


def build_place(ctx: ResolveContext, node: n.Expr, destination: g.Expr) -> g.Place | None:
    match destination:
        case g.ZoneCards(zone=zone, of=of, second=second):
            return g.Place(zone, of, second=second)
        case g.MapEach(list=owners, var=var, value=g.ZoneCards(zone=zone, of=of, second=second)) if of == var:
            return g.Place(zone, owners, each=True, second=second)
    if destination.type.tag != "error":
        is_cards = (destination.type.item or destination.type).tag == "card"
        what = "expected one zone, but these are cards" if is_cards else "expected a zone"
        zones = [z.name.text for z in ctx.list_items(n.Zone)]
        hint = ctx.build_similar_name_hint(node.span.text, zones)[0] or "write the name of a zone, as in `your hand`"
        ctx.report_error(error_codes.UNKNOWN_ZONE, what, node.span, hint)
    return None


def resolve_track(ctx: ResolveContext, node: n.Expr, scope: Scope) -> g.TrackValue | None:
    """Resolve the target of `set`, `add` or `subtract`."""
    track = resolve_expression(ctx, node, scope)
    if isinstance(track, g.TrackValue):
        return track
    if track.type.tag != "error":
        hint = "you can only change a declared number, flag, player or kind"
        if isinstance(track, g.MapEach):
            hint = f"change one at a time, with `each {(track.list.type.item or ERROR_TYPE).of or 'player'} …`"
        if isinstance(track, g.Call):
            hint = f"`{track.define}` is a definition. Change what it is worked out from"
        ctx.report_error(error_codes.NOT_A_TRACK, "this cannot be changed", node.span, hint)
    return None


# ---------------------------------------------------------------- moves
@resolves_statement(n.Move)
def _(ctx: ResolveContext, node: n.Move, scope: Scope) -> ResolvedStatements:
    what = resolve_cards(ctx, node.what, scope)
    destination = resolve_expression(ctx, node.to, scope, g.build_list_type(g.CARD))
    report_ambiguous_copies(ctx, what)
    if node.preposition != "to" and destination.type.tag == "card" and not isinstance(destination, g.ZoneCards):
        report_ambiguous_copies(ctx, destination)
        places = tuple(list_card_places(ctx, destination))
        return [g.Insert(node.span, node.verb, what, destination, node.preposition, places)], scope
    if node.preposition == "on" and destination.type.tag != "error":
        is_zone = isinstance(destination, g.ZoneCards)
        hint = f"write `to {node.to.span.text}`: cards go on top" if is_zone else "name one card in its pile"
        ctx.report_error(error_codes.UNKNOWN_ZONE, "expected a card after `on`", node.to.span, hint)
        return [], scope
    to = build_place(ctx, node.to, destination)
    end = node.sorted or ("under" if node.preposition == "under" else "top")
    return ([] if to is None else [g.Move(node.span, node.verb, what, to, end)]), scope


def list_card_places(ctx: ResolveContext, card: g.Expr) -> Iterator[g.Place]:
    """Yield the piles that a card may be in: those of the zone it is selected from, or of any zone."""
    sources = set(iter_source_zones(card))
    for name, zone in ctx.zones.items():
        if sources and name not in sources:
            continue
        second = build_all_owners(zone.second, card.span) if zone.second else None
        if zone.subject == "player":
            owner = g.Builtin(g.PLAYER.as_optional(), card.span, "owner", card)
            yield g.Place(name, owner, second=second)
        else:
            yield g.Place(name, build_all_owners(zone.subject, card.span), zone.subject is not None, second)


def build_all_owners(subject: str | None, span: Span) -> g.Expr | None:
    """Return the list of all owners of a kind, or of all cards."""
    if subject is None:
        return None
    if subject == "player":
        return g.Builtin(g.build_list_type(g.PLAYER), span, "players", None)
    if subject == "card":
        return g.Joined(g.build_list_type(g.CARD), span, ())
    return g.Members(g.build_list_type(g.build_member_type(subject)), span, subject)


@resolves_statement(n.Shuffle)
def _(ctx: ResolveContext, node: n.Shuffle, scope: Scope) -> ResolvedStatements:
    if isinstance(node.what, n.NameRef) and node.what.name == "players":
        return [g.ShufflePlayers(node.span)], scope
    zone = resolve_destination(ctx, node.what, scope)
    return ([] if zone is None else [g.Shuffle(node.span, zone)]), scope


@resolves_statement(n.Reveal)
def _(ctx: ResolveContext, node: n.Reveal, scope: Scope) -> ResolvedStatements:
    to = None if node.to is None else resolve_player(ctx, node.to, scope)
    return [g.Reveal(node.span, resolve_cards(ctx, node.what, scope), to)], scope


@resolves_statement(n.Hide)
def _(ctx: ResolveContext, node: n.Hide, scope: Scope) -> ResolvedStatements:
    cards = resolve_cards(ctx, node.what, scope)
    for zone in iter_source_zones(cards):
        if ctx.zones[zone].viewer == "everyone":
            related = ((ctx.nouns[zone].name.span, "declared here"),)
            message, hint = f"all players see the cards of `{zone}`", "declare the zone as `seen by nobody`"
            ctx.report_error(error_codes.MISPLACED, message, node.what.span, hint, related)
    return [g.Hide(node.span, cards)], scope


def iter_source_zones(cards: g.Expr) -> Iterator[g.ZoneName]:
    """Yield the zones that cards are selected from, if the rule names them."""
    match cards:
        case g.ZoneCards():
            yield cards.zone
        case g.Agg() | g.AggBy() | g.Filter() | g.Sorted():
            yield from iter_source_zones(cards.list)
        case g.MapEach():
            yield from iter_source_zones(cards.value)
        case g.Joined():
            for item in cards.items:
                yield from iter_source_zones(item)


# ---------------------------------------------------------------- assignments
@resolves_statement(n.Set)
def _(ctx: ResolveContext, node: n.Set, scope: Scope) -> ResolvedStatements:
    target = resolve_track(ctx, node.target, scope)
    if target is None:
        resolve_expression(ctx, node.value, scope)
        return [], scope
    value = convert_or_report(ctx, resolve_expression(ctx, node.value, scope, target.type), target.type)
    return [g.SetTrack(node.span, target.track, target.of, "=", value, target.second)], scope


@resolves_statement(n.Add)
def _(ctx: ResolveContext, node: n.Add, scope: Scope) -> ResolvedStatements:
    return resolve_track_change(ctx, node, scope, "+")


@resolves_statement(n.Subtract)
def _(ctx: ResolveContext, node: n.Subtract, scope: Scope) -> ResolvedStatements:
    return resolve_track_change(ctx, node, scope, "-")


def resolve_track_change(
    ctx: ResolveContext, node: n.Add | n.Subtract, scope: Scope, operator: Literal["+", "-"]
) -> ResolvedStatements:
    target, amount = resolve_track(ctx, node.target, scope), resolve_number(ctx, node.amount, scope)
    if target is None:
        return [], scope
    if target.type.tag != "number":
        message = f"you can only add to a number, but this is {describe_type(target.type)}"
        ctx.report_error(error_codes.NOT_A_NUMBER, message, node.target.span, "write `set … to …`")
        return [], scope
    return [g.SetTrack(node.span, target.track, target.of, operator, amount, target.second)], scope


@resolves_statement(n.Remember)
def _(ctx: ResolveContext, node: n.Remember, scope: Scope) -> ResolvedStatements:
    value = resolve_expression(ctx, node.value, scope)
    var = ctx.create_variable(value.type, node.name.span, node.name.text)
    return [g.Remember(node.span, var, value)], scope.with_local(node.name.text, var)


@resolves_statement(n.Eliminate)
def _(ctx: ResolveContext, node: n.Eliminate, scope: Scope) -> ResolvedStatements:
    return [g.Eliminate(node.span, resolve_player(ctx, node.player, scope))], scope


@resolves_statement(n.Tell)
def _(ctx: ResolveContext, node: n.Tell, scope: Scope) -> ResolvedStatements:
    message, values = resolve_message(ctx, node.words, scope)
    return [g.Tell(node.span, message, values)], scope


@resolves_statement(n.Property)
def _(ctx: ResolveContext, node: n.Property, scope: Scope) -> ResolvedStatements:
    return [g.Property(node.span, resolve_condition(ctx, node.condition, scope))], scope


# ---------------------------------------------------------------- control flow
def resolve_loop_header(
    ctx: ResolveContext, node: n.Going, scope: Scope
) -> tuple[g.Expr, g.Var, g.Expr | None, g.Expr | None]:
    """Resolve a loop: the list, its variable, its start, and the condition to take part."""
    items = resolve_loop_items(ctx, node.word, node.among, scope)
    type_ = items.type.item or ERROR_TYPE
    name = node.alias or node.word
    var = ctx.create_variable(type_, name.span, name.text)
    start = None if node.start is None else resolve_as_type(ctx, node.start, scope, type_)
    test = None if node.condition is None else resolve_condition(ctx, node.condition, scope.with_tested_value(var))
    return items, var, start, test


@resolves_statement(n.Each)
def _(ctx: ResolveContext, node: n.Each, scope: Scope) -> ResolvedStatements:
    items, var, start, test = resolve_loop_header(ctx, node.going, scope)
    alias = node.going.alias
    is_named = alias is not None and not node.together
    inside = scope.with_local(var.name, var) if is_named else scope.with_subject(node.going.word.text, var)
    if var.type == ERROR_TYPE:  # it may be a misspelled `player`
        inside = inside.with_subject("player", var)
    body = resolve_block(ctx, node.body, inside)
    if node.together and alias:
        report_named_chooser(ctx, alias)
    elif node.together and var.type != ERROR_TYPE:
        check_simultaneous_choice(ctx, node)
    return [g.Each(node.span, items, var, start, test, node.together, body)], scope


def report_named_chooser(ctx: ResolveContext, alias: n.Name) -> None:
    message = "here each player chooses, so they are `you` and take no other name"
    ctx.report_error(error_codes.MISPLACED, message, alias.span, f"remove `as {alias.text}`, and write `you` below")


def check_simultaneous_choice(ctx: ResolveContext, node: n.Each) -> None:
    """Report a `together` whose body isn't exactly one choice of each player."""
    inside = [statement for statement in node.body if not isinstance(statement, n.Aside)]
    is_choice = [isinstance(s, n.Pick | n.Choose | n.Menu) and s.who.span.text == "you" for s in inside]
    if is_choice == [True] and node.going.word.text == "player":
        if otherwise := getattr(inside[0], "otherwise", ()):
            hint, span = "put these lines into an `each player` after it", otherwise[0].span
            ctx.report_error(error_codes.MISPLACED, "a choice under `together` takes no `otherwise`", span, hint)
        return
    wrong = inside[is_choice.index(False)] if False in is_choice else inside[1] if inside[1:] else node.going.word
    hint = "start the choice with `you`, and move other statements to an `each player` of their own"
    ctx.report_error(
        error_codes.MISPLACED, "`together each player` needs exactly one choice below it", wrong.span, hint
    )


@resolves_statement(n.Repeat)
def _(ctx: ResolveContext, node: n.Repeat, scope: Scope) -> ResolvedStatements:
    until = None if node.until is None else resolve_condition(ctx, node.until, scope)
    most = None if node.most is None else resolve_number(ctx, node.most, scope)
    return [g.Repeat(node.span, until, node.until_pass, resolve_block(ctx, node.body, scope), most)], scope


@resolves_statement(n.If)
def _(ctx: ResolveContext, node: n.If, scope: Scope) -> ResolvedStatements:
    test = resolve_condition(ctx, node.condition, scope)
    then, otherwise = resolve_block(ctx, node.then, scope), resolve_block(ctx, node.otherwise, scope)
    return [g.If(node.span, test, then, otherwise)], scope


# ---------------------------------------------------------------- steps
@resolves_statement(n.Do)
def _(ctx: ResolveContext, node: n.Do, scope: Scope) -> ResolvedStatements:
    call = resolve_step_call(ctx, node.span, node.step, node.args, scope)
    return ([] if call is None else [call]), scope


def resolve_step_call(
    ctx: ResolveContext, span: Span, step: n.Expr, args: tuple[n.Expr, ...], scope: Scope
) -> g.Do | g.DoBorne | None:
    """Resolve `do S`, `do your S` or `do x's S`: a step of the table, of a player, or of a card."""
    match step:
        case n.NameRef(name=name):
            return build_step_call(ctx, span, n.Name(step.span, name), None, args, scope)
        case n.Yours(name=called_):
            return build_step_call(
                ctx, span, called_, resolve_expression(ctx, n.NameRef(step.span, "you"), scope), args, scope
            )
        case n.Attr(of=of, name=called_):
            owner = resolve_expression(ctx, of, scope)
            if owner.type.tag == "card":
                return build_card_step_call(ctx, span, called_, owner, args, scope)
            return build_step_call(ctx, span, called_, convert_or_report(ctx, owner, g.PLAYER), args, scope)
    ctx.report_error(error_codes.UNKNOWN_STEP, "expected a step", step.span, "write its name, as in `do scoring`")
    return None


def build_card_step_call(
    ctx: ResolveContext, span: Span, name: n.Name, card: g.Expr, args: tuple[n.Expr, ...], scope: Scope
) -> g.DoBorne | None:
    if name.text not in ctx.card_step_nodes:
        hint = "declare the steps of a card below its line or its set"
        ctx.report_unknown_name(error_codes.UNKNOWN_STEP, "step of a card", name, ctx.card_step_nodes, hint)
        return None
    if args:
        ctx.report_error(error_codes.WRONG_ARGUMENTS, "a step of a card takes no values", args[0].span)
    you = resolve_expression(ctx, n.NameRef(name.span, "you"), scope)
    return g.DoBorne(span, name.text, card, you)


def build_step_call(
    ctx: ResolveContext, span: Span, name: n.Name, player: g.Expr | None, args: tuple[n.Expr, ...], scope: Scope
) -> g.Do | None:
    step = ctx.verbs.get(name.text)
    if not isinstance(step, n.Step):
        ctx.report_unknown_name(error_codes.UNKNOWN_STEP, "step", name, [s.name.text for s in ctx.list_items(n.Step)])
        return None
    related = ((step.name.span, f"`{name.text}` is declared here"),)
    if step.your and player is None:
        hint = f"write `do your {name.text}`, or `do dealer's {name.text}`"
        ctx.report_error(error_codes.WRONG_ARGUMENTS, f"`{name.text}` needs a player", name.span, hint, related)
        return None
    if not step.your and player is not None:
        hint = f"write `do {name.text}`, or declare `step your {name.text}`"
        ctx.report_error(
            error_codes.WRONG_ARGUMENTS, f"`{name.text}` is not a step of a player", name.span, hint, related
        )
        return None
    return g.Do(span, name.text, player, resolve_arguments(ctx, name.span, step, args, scope))


def resolve_arguments(
    ctx: ResolveContext, name_span: Span, step: n.Step, args: tuple[n.Expr, ...], scope: Scope
) -> tuple[g.Expr, ...]:
    if len(args) != len(step.params):
        names = ", ".join(f"`{p.type.text} {p.name.text}`" for p in step.params) or "no values"
        given = f"{len(args)} {'is' if len(args) == 1 else 'are'} given"
        message = f"`{step.name.text}` takes {names}, but {given}"
        related = ((step.name.span, f"`{step.name.text}` is declared here"),)
        example = f"do {step.name.text}{' with …' if step.params else ''}"
        ctx.report_error(
            error_codes.WRONG_ARGUMENTS, message, args[-1].span if args else name_span, f"write `{example}`", related
        )
        return ()
    return tuple(resolve_argument(ctx, p, arg, scope) for p, arg in zip(step.params, args, strict=True))


def resolve_argument(ctx: ResolveContext, param: n.Param, node: n.Expr, scope: Scope) -> g.Expr:
    type_ = ctx.find_type(param.type.text)
    if type_ is None:
        return build_error_expression(node.span)  # reported where the step is declared
    value = resolve_expression(ctx, node, scope, type_)
    return convert_to_number(ctx, value) if type_.tag == "number" else convert_or_report(ctx, value, type_)


@resolves_statement(n.Finish)
def _(ctx: ResolveContext, node: n.Finish, scope: Scope) -> ResolvedStatements:
    name = node.step
    known = [*(s.name.text for s in ctx.list_items(n.Step)), *ctx.card_step_nodes, "game"]
    if name.text not in known:
        ctx.report_unknown_name(error_codes.UNKNOWN_STEP, "step", name, known)
        return [], scope
    return [g.Finish(node.span, name.text)], scope


# ---------------------------------------------------------------- announcements
@resolves_statement(n.Announce)
def _(ctx: ResolveContext, node: n.Announce, scope: Scope) -> ResolvedStatements:
    actor = resolve_expression(ctx, n.NameRef(node.name.span, "you"), scope)
    target = None if node.on is None else resolve_expression(ctx, node.on, scope)
    shared = tuple(
        (name.text, resolve_expression(ctx, n.NameRef(name.span, name.text), scope)) for name in node.sharing
    )
    known = (g.NOTHING if target is None else target.type, {name: value.type for name, value in shared})
    known_types = ctx.announcement_types.setdefault(node.name.text, [])
    if known not in known_types:
        known_types.append(known)
    body, otherwise = resolve_block(ctx, node.body, scope), resolve_block(ctx, node.otherwise, scope)
    return [g.Announce(node.span, node.name.text, actor, target, shared, body, otherwise)], scope


@resolves_statement(n.Cancel)
def _(ctx: ResolveContext, node: n.Cancel, scope: Scope) -> ResolvedStatements:
    if scope.announcement is None:
        ctx.report_error(
            error_codes.MISPLACED, "there is nothing to cancel here", node.span, "only a reaction can `cancel`"
        )
    return [g.Cancel(node.span)], scope
