"""Resolution of declared values: tracks, zones, definitions, and definitions of cards."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.expressions import condition, unified, value
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.texts import words
from cardlang.resolve.types import as_list, bad, join
from cardlang.resolve.world import World
from cardlang.resolve.world import noun as noun_forms
from cardlang.source import Span

DEEPEST = 50


def noun(w: World, node: Any, of: g.Expr | None, span: Span) -> g.Expr | None:
    """Return the value of a zone, track or definition, of the owner `of` or global; None for other nouns."""
    name = node.name.text
    if isinstance(node, n.Zone):
        single = g.CARD.or_nothing()
        return g.ZoneCards(single if node.holds == 1 else g.list_of(g.CARD), span, name, of)
    if isinstance(node, n.Track):
        type_ = track_type(w, node)
        return bad(span) if type_ == ERROR else g.TrackValue(absent_with(type_, of), span, name, of)
    if isinstance(node, n.Define):
        found = define(w, name)
        return bad(span) if found is None else g.Call(absent_with(found.type, of), span, name, of)
    return None


def absent_with(type_: g.Type, of: g.Expr | None) -> g.Type:
    """Return a type that may be absent if the owner may be."""
    return type_.or_nothing() if of is not None and of.type.maybe and type_.tag != "list" else type_


def track_type(w: World, node: n.Track) -> g.Type:
    plain = w.thing_type(node.type.text)
    if plain is None or plain.tag in ("reading", "card", "list"):
        return ERROR
    if plain.tag == "number":
        unlimited = node.starts is not None and starts_unlimited(w, node)
        return evolve(plain, unlimited=unlimited)
    return plain if plain.tag == "flag" else plain.or_nothing()


def starts_unlimited(w: World, node: n.Track) -> bool:
    start = node.starts.value if node.starts else None
    if not isinstance(start, n.NameRef):
        return False
    if start.name == "unlimited":
        return True
    named = w.nouns.get(start.name)
    if not isinstance(named, n.Define) or start.name in w.resolving:
        return False
    found = define(w, start.name)
    return found is not None and found.type.unlimited


# ---------------------------------------------------------------- definitions
def define(w: World, name: str) -> g.Define | None:
    """Return a definition, resolving it on demand. Return None if it has an error."""
    if name in w.resolving:
        report_ring(w, name)
        return None
    if name not in w.defines:
        node = w.nouns[name]
        if len(w.resolving) > DEEPEST:
            w.error(codes.TOO_MANY, "too many definitions use one another here", node.name.span)
            return None
        w.resolving.append(name)
        try:
            w.defines[name] = build_define(w, node)
        finally:
            w.resolving.pop()
    return w.defines[name]


def report_ring(w: World, name: str) -> None:
    ring = w.resolving[w.resolving.index(name) :]
    first = min(range(len(ring)), key=lambda place: name_span(w, ring[place]).start)
    ring = ring[first:] + ring[:first]
    spans = [(name_span(w, each), f"`{each}` is defined here") for each in ring]
    words = " → ".join(f"`{each}`" for each in [*ring, ring[0]])
    message = (
        f"`{name}` is defined by itself" if len(ring) == 1 else f"these definitions are defined by each other: {words}"
    )
    w.error(codes.RING, message, spans[0][0], "a definition cannot use its own value", tuple(spans[1:]))


def name_span(w: World, name: str) -> Span:
    node = w.nouns[name] if name in w.nouns else bodies_of(w, name)[0]
    span: Span = node.name.span
    return span


def build_define(w: World, node: n.Define) -> g.Define | None:
    var, scope = subject_scope(w, node)
    if var is not None and var.type == ERROR:
        return None
    found = body(w, node.body, scope)
    if found.type == ERROR or found.type.item == ERROR:
        return None
    name = node.name.text
    nouns, doc = noun_forms(node.called, name), words(w, node.doc, scope)
    return g.Define(name, w.subject(node), found.type, var, found, nouns, doc, w.origin(node))


def subject_scope(w: World, node: n.Define | n.Track) -> tuple[g.Var | None, Scope]:
    """Return the variable of the owner, and the scope of the definition."""
    if isinstance(node, n.Define) and node.parameter is not None:
        return cards_scope(w, node, node.parameter)
    subject = w.subject(node)
    if subject is None:
        return None, Scope()
    if subject == "player":
        var = w.var(g.PLAYER, node.name.span, "you")
        return var, Scope(things=(var,)).about("player", var)
    type_ = w.thing_type(subject)
    if type_ is None or type_.tag in ("number", "flag", "list"):
        assert isinstance(node.subject, n.Name)
        known = [*w.kinds, "card", *(r.name.text for r in w.of_type(n.Ranking))]
        w.unknown(codes.UNKNOWN_KIND, "kind", node.subject, known)
        return w.var(ERROR, node.name.span, subject), Scope()
    var = w.var(type_, node.name.span, subject)
    return var, Scope(things=(var,)).about(subject, var)


def cards_scope(w: World, node: n.Define, parameter: n.Name) -> tuple[g.Var, Scope]:
    var = w.var(g.list_of(g.CARD), node.name.span, parameter.text)
    return var, Scope().knowing(parameter.text, var)


def body(w: World, node: n.Expr | n.Cases | n.FirstPossible, scope: Scope) -> g.Expr:
    if isinstance(node, n.Cases):
        return cases(w, node, scope)
    if isinstance(node, n.FirstPossible):
        return first_possible(w, node, scope)
    return value(w, node, scope)


def cases(w: World, node: n.Cases, scope: Scope) -> g.Expr:
    conditions = [None if c.condition is None else condition(w, c.condition, scope) for c in node.cases]
    found = [value(w, case.value, scope) for case in node.cases]
    values, type_ = unified(w, found, codes.CASES_DIFFER, "all cases")
    if type_ == ERROR:
        return bad(node.span)
    docs = tuple(words(w, case.doc, scope) for case in node.cases)
    return g.Cases(type_, node.span, tuple(zip(values, conditions, strict=True)), docs)


def first_possible(w: World, node: n.FirstPossible, scope: Scope) -> g.Expr:
    """Resolve `first possible of`. For single values, the result is the first that is present."""
    plain = [value(w, prefer.value, scope) for prefer in node.prefers]
    single = all(found.type.tag != "list" for found in plain)
    found, type_ = unified(w, [as_list(each) for each in plain], codes.CASES_DIFFER, "all of them")
    if type_ == ERROR or type_.item == ERROR:
        return bad(node.span)
    said = [words(w, prefer.doc, scope) for prefer in node.prefers]
    result = g.FirstPossible(type_, node.span, tuple(zip(found, said, strict=True)))
    if not single:
        return result
    return g.Agg((type_.item or ERROR).or_nothing(), node.span, "first", None, result)


# ---------------------------------------------------------------- definitions of cards
def borne(w: World, name: str, card: g.Expr, span: Span) -> g.Expr:
    """Return the value of a card's definition. It is absent for cards without that definition."""
    type_ = borne_type(w, name)
    if type_ is None:
        return bad(span)
    if type_.tag not in ("flag", "list"):
        type_ = type_.or_nothing()
    return g.BorneCall(type_, span, name, card)


def borne_type(w: World, name: str) -> g.Type | None:
    """Infer the type of a definition of cards, or return None.

    A definition may be recursive. Its type comes from the bodies that can be resolved without it."""
    if name not in w.borne_types:
        if name in w.resolving:
            return None
        known = dict(w.defines)
        w.resolving.append(name)
        with w.report.silence():
            types = [borne_body(w, node).value.type for node in bodies_of(w, name)]
        w.resolving.pop()
        w.defines = known
        w.borne_types[name] = together(w, [type_ for type_ in types if type_ != ERROR])
    found = w.borne_types[name]
    return None if found == ERROR else found


def together(w: World, types: list[g.Type]) -> g.Type:
    """Return the least common type of all types, or the error type."""
    joined: g.Type | None = types[0] if types else ERROR
    for type_ in types[1:]:
        joined = joined and join(w, joined, type_)
    return joined or ERROR


def bodies_of(w: World, name: str) -> list[n.Define]:
    return list({id(node): node for node in w.bearers[name].values()}.values())


def build_borne(w: World, name: str) -> None:
    """Resolve a definition of cards, for all cards that have it."""
    borne_type(w, name)
    nodes = bodies_of(w, name)
    built = [borne_body(w, node) for node in nodes]
    values, type_ = unified(w, [b.value for b in built], codes.CASES_DIFFER, f"all definitions of `{name}`")
    if type_ == ERROR or any(v.type == ERROR for v in values):
        return
    bodies = {id(node): evolve(b, value=v) for node, b, v in zip(nodes, built, values, strict=True)}
    w.borne |= bodies
    by_face = (w.bearers[name].get(face) for face in range(len(w.faces)))
    w.borne_defines[name] = g.BorneDefine(name, type_, tuple(bodies.get(id(node)) for node in by_face))


def borne_body(w: World, node: n.Define) -> g.BorneBody:
    card = w.var(g.CARD, node.name.span, "card")
    owner = w.var(g.PLAYER.or_nothing(), node.name.span, "you")
    scope = Scope(things=(card,)).about("card", card).addressing(owner)
    return g.BorneBody(node.name.text, card, owner, body(w, node.body, scope), words(w, node.doc, scope))
