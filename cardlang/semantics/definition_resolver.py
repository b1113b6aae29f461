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
    convert_or_report,
    describe_members,
    find_member_index,
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


def build_noun_value(
    ctx: ResolveContext, node: Any, owner: g.Expr | None, span: Span, second: g.Expr | None = None
) -> g.Expr | None:
    """Return the value of a zone, track or definition of its owners or of the table; None for other nouns.

    For a list of second owners, map the value over them."""
    if not isinstance(node, n.Zone | n.Track | n.Define):
        return None
    if not is_second_owner_valid(ctx, node, span, second):
        return build_error_expression(span)
    if second is not None and second.type.tag == "list":
        var = ctx.create_variable(second.type.item or ERROR_TYPE, span, "it")
        value = build_noun_value(ctx, node, owner, span, var)
        if value is None or value.type == ERROR_TYPE:
            return value
        return g.MapEach(g.build_list_type((value.type.item or value.type).as_required()), span, second, var, value)
    if second is not None and node.second is not None:
        second = convert_second_owner(ctx, second, ctx.find_type(node.second.text) or ERROR_TYPE)
    return build_value_for_owners(ctx, node, owner, span, second)


def convert_second_owner(ctx: ResolveContext, second: g.Expr, type_: g.Type) -> g.Expr:
    """Convert a second owner to the declared type, or report an error. `second` may be a number as a member's name."""
    is_number = isinstance(second, g.Const) and second.type.tag == "number" and type_.tag == "member"
    kind = ctx.kinds.get(str(type_.of)) if is_number else None
    if kind is not None and find_member_index(ctx, kind.name, second.span.text) is None:
        report_unknown_member(ctx, kind, second.span)
        return build_error_expression(second.span)
    return convert_or_report(ctx, second, type_)


def report_unknown_member(ctx: ResolveContext, kind: g.Kind, span: Span) -> None:
    names = [member.name for member in kind.members]
    hint, related = ctx.build_similar_name_hint(span.text, names)
    message = f"{kind.name} has no value `{span.text}`"
    ctx.report_error(
        error_codes.UNKNOWN_NAME, message, span, hint or f"its values are {describe_members(kind)}", related
    )


def build_value_for_owners(
    ctx: ResolveContext, node: n.Zone | n.Track | n.Define, owner: g.Expr | None, span: Span, second: g.Expr | None
) -> g.Expr:
    name, definition = node.name.text, resolve_definition(ctx, node.name.text) if isinstance(node, n.Define) else None
    if isinstance(node, n.Zone):
        type_ = g.CARD.as_optional() if node.holds == 1 else g.build_list_type(g.CARD)
        return g.ZoneCards(type_, span, name, owner, second)
    type_ = infer_track_type(ctx, node) if isinstance(node, n.Track) else definition.type if definition else ERROR_TYPE
    if type_ == ERROR_TYPE or (second is not None and second.type == ERROR_TYPE):
        return build_error_expression(span)
    if type_.tag != "list" and any(each is not None and each.type.maybe for each in (owner, second)):
        type_ = type_.as_optional()
    value_class = g.TrackValue if isinstance(node, n.Track) else g.Call
    return value_class(type_, span, name, owner, second)


def is_second_owner_valid(
    ctx: ResolveContext, node: n.Zone | n.Track | n.Define, span: Span, second: g.Expr | None
) -> bool:
    """Check that a value has a second owner exactly if it is declared `for each`; report an error if not."""
    if (node.second is None) == (second is None):
        return True
    name, related = node.name.text, ((node.name.span, f"`{node.name.text}` is declared here"),)
    if node.second is None:
        message = f"`{name}` is not declared `for each` of anything"
        hint = f"remove the `for`, or declare it as in `{name} for each Suit`"
    else:
        kind = node.second.text
        message = f"for which {kind}? There is a `{name}` for each {kind}"
        hint = f"write `{name} for …`, or `{name} for {kind}` for all of them"
    ctx.report_error(error_codes.WRONG_SECOND_OWNER, message, span, hint, related)
    return False


def infer_track_type(ctx: ResolveContext, node: n.Track) -> g.Type:
    plain = ctx.find_type(node.type.text)
    if plain is None or plain.tag in ("reading", "card", "list"):
        return ERROR_TYPE
    if plain.tag == "number":
        unlimited = node.starts is not None and is_unlimited_at_start(ctx, node)
        return plain.replace(unlimited=unlimited)
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
    var, second_var, scope = build_owner_scope(ctx, node)
    if any(each is not None and each.type == ERROR_TYPE for each in (var, second_var)):
        return None
    body = resolve_definition_body(ctx, node.body, scope)
    if body.type == ERROR_TYPE or body.type.item == ERROR_TYPE:
        return None
    name, second = node.name.text, node.second.text if node.second else None
    nouns, doc = noun_forms(node.called, name), build_text(ctx, node.doc, scope)
    origin = ctx.get_origin(node)
    return g.Define(name, ctx.get_subject(node), body.type, var, body, nouns, doc, origin, second, second_var)


def build_owner_scope(ctx: ResolveContext, node: n.Define | n.Track) -> tuple[g.Var | None, g.Var | None, Scope]:
    """Return the variables of the owner and the second owner, and the scope of the declaration."""
    var, scope = build_subject_scope(ctx, node)
    if node.second is None:
        return var, None, scope
    word = node.second.text
    second_var = ctx.create_variable(resolve_second_type(ctx, node) or ERROR_TYPE, node.second.span, word)
    player = second_var if word == "player" else scope.you
    return var, second_var, evolve(scope, that={**scope.that, word: second_var}, you=player)


def resolve_second_type(ctx: ResolveContext, node: n.Zone | n.Track | n.Define) -> g.Type | None:
    """Return the type of a second owner, or report that there cannot be one for each of these."""
    assert node.second is not None
    word, name, subject = node.second.text, node.name.text, ctx.get_subject(node)
    type_ = ctx.find_type(word)
    allowed = ("member", "player", "card", "reading") if isinstance(node, n.Define) else ("member",)
    if type_ is None or type_.tag in ("number", "flag", "list"):
        ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", node.second, ctx.kinds)
        return None
    message = f"`{name}` cannot belong to each {word}"
    if subject == word:
        message = f"`{name}` already belongs to each {word}"
        hint = "name another kind after `for each`"
    elif type_.tag not in allowed:
        hint = "name a kind after `for each`"
        hint = f"write `your {name} for each {subject}`" if word == "player" and subject in ctx.kinds else hint
    elif name in ("score", "winners"):
        hint = f"give it another name, and define `{name}` as one value, such as `total of your stock for Good`"
    elif subject is None:
        hint = f"name its owner before it: `{'your' if word == 'player' else word + chr(39) + 's'} {name}`"
    else:
        return type_
    ctx.report_error(error_codes.WRONG_SECOND_OWNER, message, node.second.span, hint)
    return None


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
    bodies = {id(node): b.replace(value=v) for node, b, v in zip(nodes, built, values, strict=True)}
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
