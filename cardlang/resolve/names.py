"""Resolution of names: bare, `your X`, `its X`, `that X`, `x's Y`; and of literals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes, definitions
from cardlang.resolve.attributes import BUILTINS, attribute, attribute_of, attributes, missing_column
from cardlang.resolve.expressions import handles, value
from cardlang.resolve.hints import each_above, in_step, known_deeper, spoken
from cardlang.resolve.scope import Scope
from cardlang.resolve.types import bad
from cardlang.resolve.world import Related, World
from cardlang.source import Span

FIXED: dict[str, tuple[g.Type, g.Value]] = {
    "yes": (g.FLAG, 1),
    "no": (g.FLAG, 0),
    "nothing": (g.NOTHING, None),
    "nobody": (g.NOTHING, None),
    "unlimited": (g.Type("number", unlimited=True), g.UNLIMITED),
}


@handles(n.NameRef)
def _(w: World, node: n.NameRef, scope: Scope, want: g.Type | None) -> g.Expr:
    if node.name == "you":
        return addressed(w, node.span, scope)
    if node.name == "it":
        return tested(w, node.span, scope)
    found = lookup(w, node, scope, want)
    return unknown_name(w, node, scope) if found is None else found


def addressed(w: World, span: Span, scope: Scope) -> g.Expr:
    if scope.you is not None:
        return referred(scope.you, span, "you")
    owned = span.text.removeprefix("your ")
    owner = f"{somebody(w)}'s {owned}" if owned != span.text else somebody(w)
    whose = f"write `{owner}`" if somebody(w) else "say whose"
    hint = f"{whose}. In a `where`, write the name alone" if " where " in span.source.line(span.line) else whose
    if in_step(span):
        hint = f"put this line below `each player`, or {hint}"
    above = each_above(span)
    if above:
        hint = f"indent this line if it belongs to the `{above}` above, or {whose}"
    w.error(codes.NOBODY_ADDRESSED, f"`{span.text}` refers to no player here", span, hint)
    return bad(span)


def referred(thing: g.Expr, span: Span, name: str) -> g.Expr:
    """Return a bound value as this place refers to it."""
    return evolve(thing, span=span, name=name) if isinstance(thing, g.Var) else evolve(thing, span=span)


def tested(w: World, span: Span, scope: Scope) -> g.Expr:
    if scope.it is not None:
        return referred(scope.it, span, "it")
    w.error(codes.NOTHING_TESTED, "`it` means nothing here", span, "write a name instead")
    return bad(span)


def lookup(w: World, node: n.NameRef, scope: Scope, want: g.Type | None) -> g.Expr | None:
    name, span = node.name, node.span
    for thing in scope.things:
        found = attribute(w, thing, name, span)
        if found is not None:
            return found
    if name in scope.locals:
        return evolve(scope.locals[name], span=span)
    if name in scope.players:
        return g.Const(g.PLAYER, span, scope.players.index(name))
    return answered(name, span, scope) or of_table(w, name, span) or builtin(w, name, span, want)


def answered(name: str, span: Span, scope: Scope) -> g.Expr | None:
    """Return a value of the announcement that a reaction answers, or None."""
    if scope.reacting is None:
        return None
    if name == "actor":
        return g.Actor(g.PLAYER, span)
    if name == "target":
        return g.Target(scope.reacting.target, span, None)
    shared = scope.reacting.shared.get(name)
    return None if shared is None else g.Target(shared, span, name)


def of_table(w: World, name: str, span: Span) -> g.Expr | None:
    node = w.nouns.get(name)
    if node is None:
        return None
    if isinstance(node, n.Kind):
        return g.Members(g.list_of(g.member(name)), span, name)
    if isinstance(node, n.Cards):
        return g.SetCards(g.list_of(g.CARD), span, name)
    return definitions.noun(w, node, None, span) if w.subject(node) is None else None


def builtin(w: World, name: str, span: Span, want: g.Type | None) -> g.Expr | None:
    if name in ("players", "winners"):
        return g.Builtin(g.list_of(g.PLAYER), span, name, None)
    if name in FIXED:
        return g.Const(FIXED[name][0], span, FIXED[name][1])
    return member(w, name, span, want)


def member(w: World, name: str, span: Span, want: g.Type | None) -> g.Expr | None:
    """Return a member of a kind, or None. If several kinds have the name, the wanted kind decides."""
    kinds = w.members.get(name, [])
    if not kinds:
        return None
    wanted = (want.item or want).of if want is not None else None
    kind, place = next(((k, p) for k, p in kinds if k == wanted), kinds[0])
    return g.Const(g.member(kind), span, place)


def is_ambiguous(w: World, node: n.Expr) -> bool:
    """Return whether an expression may be a member of several kinds."""
    return isinstance(node, n.NameRef) and len(w.members.get(node.name, ())) > 1


def unknown_name(w: World, node: n.NameRef, scope: Scope) -> g.Expr:
    hint, related = help_for(w, node, scope)
    w.error(codes.UNKNOWN_NAME, f"unknown name `{node.name}`", node.span, hint, related)
    return bad(node.span)


def somebody(w: World) -> str:
    """Return the name of a global player variable, or an empty string."""
    named = [node.name.text for node in w.of_type(n.Track) if node.type.text == "player" and node.subject is None]
    return named[0] if named else ""


def say_whose(w: World, node: n.NameRef) -> str:
    """Return a hint for an attribute of players without an owner."""
    other = f" or `{somebody(w)}'s {node.name}`" if somebody(w) else ""
    hint = f"say whose: `your {node.name}`{other}"
    for each in w.of_type(n.Define):
        same = each.span.source == node.span.source and each.span.start <= node.span.start < each.span.end
        if same and each.subject is None and each.parameter is None:
            return f"{hint}. If you use `your`, start the definition with `define your {each.name.text}`"
    return hint


def help_for(w: World, node: n.NameRef, scope: Scope) -> tuple[str, Related]:
    name = node.name
    noun = w.nouns.get(name)
    subject = w.subject(noun) if noun is not None else None
    if noun is not None and subject is not None:
        related = ((noun.name.span, f"`{name}` is declared here"),)
        if subject == "player":
            return say_whose(w, node), related
        return f"say which {subject}: `that {subject}'s {name}`", related
    if noun is not None:
        return f"this is {'an order' if isinstance(noun, n.Order) else 'a ranking'}, not a value", ()
    if name in w.columns or name in w.bearers:
        return f"it belongs to a card. Write, for example, `chosen's {name}`", ()
    if scope.you is None and name in BUILTINS["player"]:
        return say_whose(w, node), ()
    deeper = known_deeper(node.span, name)
    if deeper is not None:
        return f"only the block of line {deeper} knows it. Indent this line, or indent line {deeper} less", ()
    said = spoken(name)
    return (said, ()) if said else missing_column(w, name) or w.near(name, names_in_reach(w, scope))


def names_in_reach(w: World, scope: Scope) -> list[str]:
    names = [name for thing in scope.things for name in attributes(w, thing.type)]
    names += [*scope.locals, *scope.players, "players", "winners", *FIXED, *w.members]
    return names + [name for name, node in w.nouns.items() if w.subject(node) in (None, "player")]


# ---------------------------------------------------------------- owners
@handles(n.Yours)
def _(w: World, node: n.Yours, scope: Scope, want: g.Type | None) -> g.Expr:
    you = addressed(w, node.span, scope)
    return evolve(attribute_of(w, you, node.name), span=node.span)


@handles(n.Its)
def _(w: World, node: n.Its, scope: Scope, want: g.Type | None) -> g.Expr:
    it = tested(w, node.span, scope)
    return evolve(attribute_of(w, it, node.name), span=node.span)


@handles(n.That)
def _(w: World, node: n.That, scope: Scope, want: g.Type | None) -> g.Expr:
    if node.name.text in scope.that:
        return referred(scope.that[node.name.text], node.span, f"that {node.name.text}")
    hint = w.near(node.name.text, scope.that)[0] or f"put this line below an `each {node.name.text}`"
    message = f"`that {node.name.text}` is not inside an `each {node.name.text}`"
    w.error(codes.NO_THAT, message, node.span, hint)
    return bad(node.span)


@handles(n.Attr)
def _(w: World, node: n.Attr, scope: Scope, want: g.Type | None) -> g.Expr:
    of = value(w, node.of, scope)
    if of.type.tag == "error":
        return bad(node.span)
    return evolve(attribute_of(w, of, node.name), span=node.span)


# ---------------------------------------------------------------- literals
@handles(n.Number)
def _(w: World, node: n.Number, scope: Scope, want: g.Type | None) -> g.Expr:
    exact = Fraction(node.digits)
    return g.Const(g.NUMBER, node.span, int(exact) if exact.denominator == 1 else exact)


@handles(n.Text)
def _(w: World, node: n.Text, scope: Scope, want: g.Type | None) -> g.Expr:
    return g.Const(g.TEXT, node.span, node.text)


@handles(n.CardList)
def _(w: World, node: n.CardList, scope: Scope, want: g.Type | None) -> g.Expr:
    found = faces(w, node)
    if found is None or report_too_many(w, node):
        return bad(node.span)
    one = g.Type("card", named=True)
    type_ = one if len(found) == 1 else g.Type("list", item=g.CARD, named=True)
    return g.NamedCards(type_, node.span, found)


def report_too_many(w: World, node: n.CardList) -> bool:
    """Report codes that appear more often than there are copies of the card."""
    written = Counter(code.text for code in node.codes)
    several = [text for text, number in written.items() if number > max(w.faces[w.codes[text]].copies, 1)]
    for text in several:
        last = [code for code in node.codes if code.text == text][-1]
        copies = w.faces[w.codes[text]].copies
        message = f"the game has {copies} of `{text}`, but this list has {written[text]}"
        w.error(codes.UNKNOWN_CARD, message, last.span, "write the code once for each card")
    return bool(several)


def faces(w: World, node: n.CardList) -> tuple[int, ...] | None:
    """Return the numbers of the faces with these codes. Report unknown codes and return None."""
    unknown = [code for code in node.codes if code.text not in w.codes]
    for code in unknown:
        hint = w.near(code.text, w.codes)[0] or (f"codes look like `{w.faces[0].code}`" if w.faces else "")
        w.error(codes.UNKNOWN_CARD, f"unknown card `{code.text}`", code.span, hint)
    return None if unknown else tuple(w.codes[code.text] for code in node.codes)
