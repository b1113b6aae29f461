"""Resolution of steps, procedures of cards, reactions and triggers."""

from __future__ import annotations

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.choices import option
from cardlang.resolve.definitions import borne_body as borne_definition
from cardlang.resolve.expressions import condition
from cardlang.resolve.scope import ERROR, Reacting, Scope
from cardlang.resolve.statements import block
from cardlang.resolve.texts import note, ruling, words
from cardlang.resolve.types import join
from cardlang.resolve.world import World


def build_steps(w: World) -> dict[str, g.Step]:
    return {node.name.text: build_step(w, node) for node in w.of_type(n.Step)}


def build_step(w: World, node: n.Step) -> g.Step:
    scope, you = Scope(), None
    if node.your:
        you = w.var(g.PLAYER, node.name.span, "you")
        scope = scope.about("player", you)
    params = []
    for param in node.params:
        type_ = w.thing_type(param.type.text)
        if type_ is None:
            known = ["number", "flag", "player", "card", "cards", *w.kinds]
            w.unknown(codes.UNKNOWN_KIND, "kind", param.type, known)
        var = w.var(type_ or ERROR, param.name.span, param.name.text)
        params.append(var)
        scope = scope.knowing(param.name.text, var)
    body, doc = block(w, node.body or (), scope), words(w, node.doc, scope)
    return g.Step(node.name.text, you, tuple(params), body, node.body is None, doc, w.origin(node))


def build_borne_steps(w: World) -> dict[str, g.BorneStep]:
    found = {}
    for name, bearers in w.step_bearers.items():
        nodes = {id(node): node for node in bearers.values()}
        bodies = {key: borne_body(w, node) for key, node in nodes.items()}
        w.borne |= bodies
        by_face = (bearers.get(face) for face in range(len(w.faces)))
        found[name] = g.BorneStep(name, tuple(bodies[id(node)] if node else None for node in by_face))
    return found


def borne_body(w: World, node: n.Step) -> g.BorneStepBody:
    if node.params:
        w.error(codes.MISPLACED, "a step of a card takes no values", node.params[0].span)
    card = w.var(g.CARD, node.name.span, "card")
    you = w.var(g.PLAYER, node.name.span, "you")
    scope = Scope(things=(card,)).about("card", card).addressing(you)
    return g.BorneStepBody(node.name.text, card, you, block(w, node.body or (), scope), words(w, node.doc, scope))


def with_borne(w: World, node: n.Cards) -> g.CardSet:
    """Return a set of cards with its definitions and procedures."""
    cards = w.sets[node.name.text]
    rows = (evolve(row, bears=borne_parts(w, each.bears)) for row, each in zip(cards.rows, node.rows, strict=True))
    return evolve(cards, bears=borne_parts(w, node.bears), rows=tuple(rows))


def borne_parts(w: World, nodes: tuple[n.Define | n.Step | n.Note | n.Ruling, ...]) -> tuple[g.Borne, ...]:
    """Return the definitions, procedures and notes of cards in source order.

    Those that no card has are resolved here, without reports of errors."""
    found: list[g.Borne] = []
    for node in nodes:
        match node:
            case n.Note():
                found.append(note(w, node))
            case n.Ruling():
                found.append(ruling(w, node))
            case _ if id(node) in w.borne:
                found.append(w.borne[id(node)])
            case _:
                with w.report.silence():
                    found.append(borne_body(w, node) if isinstance(node, n.Step) else borne_definition(w, node))
    return tuple(found)


# ---------------------------------------------------------------- reactions
def build_reactions(w: World) -> tuple[g.Reaction, ...]:
    """Resolve reactions in two passes. Reactions can announce, so the first pass collects the types of all
    announcements."""
    nodes = w.of_type(n.Reaction)
    with w.report.silence():
        for node in nodes:
            build_reaction(w, node)
    for node in nodes:
        report_unheard(w, node)
    return tuple(build_reaction(w, node) for node in nodes)


def build_reaction(w: World, node: n.Reaction) -> g.Reaction:
    you = w.var(g.PLAYER, node.name.span, "you")
    scope = Scope(reacting=answering(w, node)).about("player", you)
    to, answer = tuple(to.text for to in node.to), option(w, node, scope)
    return g.Reaction(node.name.text, to, you, answer, w.origin(node))


def answering(w: World, node: n.Reaction) -> Reacting:
    """Return the types of the target and the shared names, over all announcements that a reaction answers."""
    heard = [known for to in node.to for known in w.announced.get(to.text, ())]
    target: g.Type | None = heard[0][0] if heard else ERROR
    shared: dict[str, g.Type] = {}
    for type_, names in heard:
        target = join(w, target, type_) if target is not None else None
        for name, each in names.items():
            together = join(w, shared.get(name, each), each)
            shared[name] = together or ERROR
    for name in shared:
        if any(name not in names for _, names in heard) and shared[name].tag != "list":
            shared[name] = shared[name].or_nothing()
    return Reacting(target or ERROR, shared)


def report_unheard(w: World, node: n.Reaction) -> None:
    for to in node.to:
        if to.text not in w.announced:
            hint = "announce it first, with `announce NAME`"
            w.unknown(codes.UNKNOWN_ANNOUNCEMENT, "announcement", to, w.announced, hint)


# ---------------------------------------------------------------- triggers
def build_enters(w: World) -> tuple[g.Enters, ...]:
    return tuple(found for node in w.of_type(n.Enters) if (found := build_enter(w, node)) is not None)


def build_enter(w: World, node: n.Enters) -> g.Enters | None:
    if node.thing.text != "card":
        w.error(codes.UNKNOWN_KIND, "only cards enter zones", node.thing.span, "write `card enters …`")
        return None
    zone = w.zones.get(node.zone.text)
    if zone is None or zone.subject != ("player" if node.your else None):
        fitting = [z.name for z in w.zones.values() if z.subject == ("player" if node.your else None)]
        hint = f"write `your {node.zone.text}`" if zone is not None and zone.subject == "player" else ""
        what = "zone of each player" if node.your else "zone of the table"
        w.unknown(codes.UNKNOWN_ZONE, what, node.zone, fitting, hint)
        return None
    card = w.var(g.CARD, node.thing.span, "card")
    scope, you = Scope().about("card", card), None
    if node.your:
        you = w.var(g.PLAYER, node.zone.span, "you")
        scope = scope.about("player", you)
    body = block(w, node.body, scope)
    return g.Enters(zone.name, card, you, body, node.span, words(w, node.doc, scope), w.origin(node))


def build_whenevers(w: World) -> tuple[g.Whenever, ...]:
    return tuple(build_whenever(w, node) for node in w.of_type(n.Whenever))


def build_whenever(w: World, node: n.Whenever) -> g.Whenever:
    test, body = condition(w, node.condition, Scope()), block(w, node.body, Scope())
    return g.Whenever(test, body, node.span, words(w, node.doc), w.origin(node))
