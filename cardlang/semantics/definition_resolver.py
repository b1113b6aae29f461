"""Resolution of definitions, in topological order of their dependencies."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.semantics import error_codes
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    build_text,
    join_types,
    resolve_condition,
    resolve_expression,
    unify_types,
    wrap_in_list,
)
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.semantics.symbol_table import build_noun_forms as noun_forms
from cardlang.syntax import ast as n
from cardlang.syntax.ast.traversal import find_names

MAX_DEFINITION_DEPTH = 50


def build_noun_value(ctx: ResolveContext, node: Any, owner: g.Expr | None, span: Span) -> g.Expr | None:
    """Return the value of a zone, track or definition, of the owner `owner` or global; None for other nouns."""
    name = node.name.text
    if isinstance(node, n.Zone):
        single = g.CARD.as_optional()
        return g.ZoneCards(single if node.holds == 1 else g.build_list_type(g.CARD), span, name, owner)
    if isinstance(node, n.Track):
        type_ = infer_track_type(ctx, node)
        return (
            build_error_expression(span)
            if type_ == ERROR_TYPE
            else g.TrackValue(propagate_absence(type_, owner), span, name, owner)
        )
    if isinstance(node, n.Define):
        definition = resolve_definition(ctx, name)
        return (
            build_error_expression(span)
            if definition is None
            else g.Call(propagate_absence(definition.type, owner), span, name, owner)
        )
    return None


def propagate_absence(type_: g.Type, owner: g.Expr | None) -> g.Type:
    """Return a type that may be absent if the owner may be."""
    return type_.as_optional() if owner is not None and owner.type.maybe and type_.tag != "list" else type_


def infer_track_type(ctx: ResolveContext, node: n.Track) -> g.Type:
    plain = ctx.find_type(node.type.text)
    if plain is None or plain.tag in ("reading", "card", "list"):
        return ERROR_TYPE
    if plain.tag == "number":
        unlimited = node.starts is not None and is_unlimited_at_start(ctx, node)
        return evolve(plain, unlimited=unlimited)
    return plain if plain.tag == "flag" else plain.as_optional()


def is_unlimited_at_start(ctx: ResolveContext, node: n.Track) -> bool:
    start = node.starts.value if node.starts else None
    if not isinstance(start, n.NameRef):
        return False
    if start.name == "unlimited":
        return True
    named = ctx.nouns.get(start.name)
    if not isinstance(named, n.Define) or start.name in ctx.resolution_stack:
        return False
    definition = resolve_definition(ctx, start.name)
    return definition is not None and definition.type.unlimited


# ---------------------------------------------------------------- definitions
def resolve_definition(ctx: ResolveContext, name: str) -> g.Define | None:
    """Return a definition, resolving it on demand. Return None if it has an error."""
    if name in ctx.resolution_stack:
        report_definition_cycle(ctx, name)
        return None
    if name not in ctx.defines:
        node = ctx.nouns[name]
        if len(ctx.resolution_stack) > MAX_DEFINITION_DEPTH:
            ctx.report_error(error_codes.LIMIT_EXCEEDED, "too many definitions use one another here", node.name.span)
            return None
        ctx.resolution_stack.append(name)
        try:
            ctx.defines[name] = build_definition(ctx, node)
        finally:
            ctx.resolution_stack.pop()
    return ctx.defines[name]


def report_definition_cycle(ctx: ResolveContext, name: str) -> None:
    ring = ctx.resolution_stack[ctx.resolution_stack.index(name) :]
    first = min(range(len(ring)), key=lambda index: find_name_span(ctx, ring[index]).start)
    ring = ring[first:] + ring[:first]
    spans = [(find_name_span(ctx, name_in_ring), f"`{name_in_ring}` is defined here") for name_in_ring in ring]
    words = " → ".join(f"`{name_in_ring}`" for name_in_ring in [*ring, ring[0]])
    message = (
        f"`{name}` is defined by itself" if len(ring) == 1 else f"these definitions are defined by each other: {words}"
    )
    ctx.report_error(
        error_codes.DEFINITION_CYCLE, message, spans[0][0], "a definition cannot use its own value", tuple(spans[1:])
    )


def find_name_span(ctx: ResolveContext, name: str) -> Span:
    node = ctx.nouns[name] if name in ctx.nouns else list_card_definition_nodes(ctx, name)[0]
    span: Span = node.name.span
    return span


def build_definition(ctx: ResolveContext, node: n.Define) -> g.Define | None:
    var, scope = build_subject_scope(ctx, node)
    if var is not None and var.type == ERROR_TYPE:
        return None
    body = resolve_definition_body(ctx, node.body, scope)
    if body.type == ERROR_TYPE or body.type.item == ERROR_TYPE:
        return None
    name = node.name.text
    nouns, doc = noun_forms(node.called, name), build_text(ctx, node.doc, scope)
    return g.Define(name, ctx.get_subject(node), body.type, var, body, nouns, doc, ctx.get_origin(node))


def build_subject_scope(ctx: ResolveContext, node: n.Define | n.Track) -> tuple[g.Var | None, Scope]:
    """Return the variable of the owner, and the scope of the definition."""
    if isinstance(node, n.Define) and node.parameter is not None:
        return build_card_list_scope(ctx, node, node.parameter)
    subject = ctx.get_subject(node)
    if subject is None:
        return None, Scope()
    if subject == "player":
        var = ctx.create_variable(g.PLAYER, node.name.span, "you")
        return var, Scope(implicit_owners=(var,)).with_subject("player", var)
    type_ = ctx.find_type(subject)
    if type_ is None or type_.tag in ("number", "flag", "list"):
        assert isinstance(node.subject, n.Name)
        known = [*ctx.kinds, "card", *(r.name.text for r in ctx.list_items(n.Ranking))]
        ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", node.subject, known)
        return ctx.create_variable(ERROR_TYPE, node.name.span, subject), Scope()
    var = ctx.create_variable(type_, node.name.span, subject)
    return var, Scope(implicit_owners=(var,)).with_subject(subject, var)


def build_card_list_scope(ctx: ResolveContext, node: n.Define, parameter: n.Name) -> tuple[g.Var, Scope]:
    var = ctx.create_variable(g.build_list_type(g.CARD), node.name.span, parameter.text)
    return var, Scope().with_local(parameter.text, var)


def resolve_definition_body(ctx: ResolveContext, node: n.Expr | n.Cases | n.FirstPossible, scope: Scope) -> g.Expr:
    if isinstance(node, n.Cases):
        return resolve_cases(ctx, node, scope)
    if isinstance(node, n.FirstPossible):
        return resolve_first_possible(ctx, node, scope)
    return resolve_expression(ctx, node, scope)


def resolve_cases(ctx: ResolveContext, node: n.Cases, scope: Scope) -> g.Expr:
    conditions = [None if c.condition is None else resolve_condition(ctx, c.condition, scope) for c in node.cases]
    resolved = [resolve_expression(ctx, case.value, scope) for case in node.cases]
    values, type_ = unify_types(ctx, resolved, error_codes.CASE_TYPES_DIFFER, "all cases")
    if type_ == ERROR_TYPE:
        return build_error_expression(node.span)
    docs = tuple(build_text(ctx, case.doc, scope) for case in node.cases)
    return g.Cases(type_, node.span, tuple(zip(values, conditions, strict=True)), docs)


def resolve_first_possible(ctx: ResolveContext, node: n.FirstPossible, scope: Scope) -> g.Expr:
    """Resolve `first possible of`. For single values, the result is the first that is present."""
    plain = [resolve_expression(ctx, prefer.value, scope) for prefer in node.prefers]
    single = all(value.type.tag != "list" for value in plain)
    values, type_ = unify_types(
        ctx, [wrap_in_list(value) for value in plain], error_codes.CASE_TYPES_DIFFER, "all of them"
    )
    if type_ == ERROR_TYPE or type_.item == ERROR_TYPE:
        return build_error_expression(node.span)
    docs = [build_text(ctx, prefer.doc, scope) for prefer in node.prefers]
    result = g.FirstPossible(type_, node.span, tuple(zip(values, docs, strict=True)))
    if not single:
        return result
    return g.Agg((type_.item or ERROR_TYPE).as_optional(), node.span, "first", None, result)


# ---------------------------------------------------------------- definitions of cards
def build_card_definition_call(ctx: ResolveContext, name: str, card: g.Expr, span: Span) -> g.Expr:
    """Return the value of a card's definition. It is absent for cards without that definition."""
    type_ = infer_card_definition_type(ctx, name)
    if type_ is None:
        return build_error_expression(span)
    if type_.tag not in ("flag", "list"):
        type_ = type_.as_optional()
    return g.BorneCall(type_, span, name, card)


def infer_card_definition_type(ctx: ResolveContext, name: str) -> g.Type | None:
    """Infer the type of a definition of cards, or return None.

    A definition may be recursive. Its type comes from the bodies that can be resolved without it."""
    if name not in ctx.card_definition_types:
        if name in ctx.resolution_stack:
            return None
        known = dict(ctx.defines)
        ctx.resolution_stack.append(name)
        with ctx.collector.mute():
            types = [
                resolve_card_definition_body(ctx, node).value.type for node in list_card_definition_nodes(ctx, name)
            ]
        ctx.resolution_stack.pop()
        ctx.defines = known
        ctx.card_definition_types[name] = join_all_types(ctx, [type_ for type_ in types if type_ != ERROR_TYPE])
    joined = ctx.card_definition_types[name]
    return None if joined == ERROR_TYPE else joined


def join_all_types(ctx: ResolveContext, types: list[g.Type]) -> g.Type:
    """Return the least common type of all types, or the error type."""
    joined: g.Type | None = types[0] if types else ERROR_TYPE
    for type_ in types[1:]:
        joined = joined and join_types(ctx, joined, type_)
    return joined or ERROR_TYPE


def list_card_definition_nodes(ctx: ResolveContext, name: str) -> list[n.Define]:
    return list({id(node): node for node in ctx.card_definition_nodes[name].values()}.values())


def resolve_card_definition(ctx: ResolveContext, name: str) -> None:
    """Resolve a definition of cards, for all cards that have it."""
    infer_card_definition_type(ctx, name)
    nodes = list_card_definition_nodes(ctx, name)
    built = [resolve_card_definition_body(ctx, node) for node in nodes]
    values, type_ = unify_types(
        ctx, [b.value for b in built], error_codes.CASE_TYPES_DIFFER, f"all definitions of `{name}`"
    )
    if type_ == ERROR_TYPE or any(v.type == ERROR_TYPE for v in values):
        return
    bodies = {id(node): evolve(b, value=v) for node, b, v in zip(nodes, built, values, strict=True)}
    ctx.resolved_card_bodies |= bodies
    by_face = (ctx.card_definition_nodes[name].get(face) for face in range(len(ctx.faces)))
    ctx.card_definitions[name] = g.BorneDefine(name, type_, tuple(bodies.get(id(node)) for node in by_face))


def resolve_card_definition_body(ctx: ResolveContext, node: n.Define) -> g.BorneBody:
    card = ctx.create_variable(g.CARD, node.name.span, "card")
    owner = ctx.create_variable(g.PLAYER.as_optional(), node.name.span, "you")
    scope = Scope(implicit_owners=(card,)).with_subject("card", card).with_addressed_player(owner)
    return g.BorneBody(
        node.name.text, card, owner, resolve_definition_body(ctx, node.body, scope), build_text(ctx, node.doc, scope)
    )


# ---------------------------------------------------------------- dependency order
def sort_definitions_topologically(defines: list[n.Define]) -> list[str]:
    """Return the names of the definitions, each after those it depends on. Cycles are cut at an arbitrary point."""
    named = {node.name.text: node for node in defines}
    uses = {name: [use for use in find_names(node) if use in named] for name, node in named.items()}
    order: list[str] = []
    seen: set[str] = set()
    for root in named:
        waiting = [(root, False)]
        while waiting:
            name, done = waiting.pop()
            if done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                waiting.append((name, True))
                waiting += [(use, False) for use in uses[name]]
    return order
