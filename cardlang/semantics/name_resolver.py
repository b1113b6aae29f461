"""Resolution of names, possessives and attributes, with hints for unknown names."""

from __future__ import annotations

from collections import Counter

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.exact_numbers import read_exact_number
from cardlang.semantics import definition_resolver, error_codes
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    convert_or_report,
    describe_type,
    report_ambiguous_copies,
    resolve_expression,
    resolves_expression,
)
from cardlang.semantics.name_hints import (
    BRACES_HINT,
    build_attribute_hint,
    build_unknown_name_hint,
    find_global_player_name,
    find_loop_above,
    is_in_braces,
    is_in_step,
)
from cardlang.semantics.symbol_table import (
    BUILTIN_ATTRIBUTES,
    ERROR_TYPE,
    LITERAL_VALUES,
    ResolveContext,
    Scope,
    belongs_to_type,
)
from cardlang.syntax import ast as n
from cardlang.syntax.ast.traversal import find_last_name


def find_attribute(
    ctx: ResolveContext, owner: g.Expr, name: str, span: Span, second: g.Expr | None = None
) -> g.Expr | None:
    """Return the value of `of's name for second`, or None if its type has no such attribute.

    For a list, map it over the items."""
    type_ = owner.type
    if type_.tag == "error":
        return build_error_expression(span)
    if type_.tag == "list":
        return find_list_attribute(ctx, owner, name, span, second)
    node = ctx.nouns.get(name)
    if type_.tag == "number" and isinstance(owner, g.Const) and ctx.get_subject(node) in ctx.kinds:
        owner = convert_or_report(ctx, owner, g.build_member_type(str(ctx.get_subject(node))))
        type_ = owner.type
        if type_.tag == "error":
            return owner
    if node is not None and belongs_to_type(ctx, ctx.get_subject(node), type_):
        return definition_resolver.build_noun_value(ctx, node, owner, span, second)
    if second is not None:
        return None
    if type_.tag == "card":
        card_attribute = find_card_attribute(ctx, owner, name, span)
        if card_attribute is not None:
            return card_attribute
    builtin = BUILTIN_ATTRIBUTES.get(type_.tag, {}).get(name)
    if builtin is None:
        return None
    if type_.maybe and builtin.tag != "list":
        builtin = builtin.as_optional()
    return g.Builtin(builtin, span, name, owner)


def find_card_attribute(ctx: ResolveContext, card: g.Expr, name: str, span: Span) -> g.Expr | None:
    column = ctx.columns.get(name)
    if column is not None:
        type_ = column.type.as_optional() if card.type.maybe else column.type
        return g.Attribute(type_, span, card, name)
    if name in ctx.card_definition_nodes:
        return definition_resolver.build_card_definition_call(ctx, name, card, span)
    return None


def find_list_attribute(
    ctx: ResolveContext, owner: g.Expr, name: str, span: Span, second: g.Expr | None
) -> g.Expr | None:
    item = owner.type.item or ERROR_TYPE
    var = ctx.create_variable(item, span, "it")
    attribute = find_attribute(ctx, var, name, span, second)
    if attribute is None or attribute.type.tag == "error":
        return attribute
    type_ = (attribute.type.item or attribute.type).replace(maybe=False)
    return g.MapEach(g.build_list_type(type_, owner.type.ranked), span, owner, var, attribute)


def resolve_attribute(
    ctx: ResolveContext,
    owner: g.Expr,
    name: n.Name,
    second: g.Expr | None = None,
    expected_type: g.Type | None = None,
) -> g.Expr:
    """Return the value of `of's name for second`, or report an error."""
    value = find_attribute(ctx, owner, name.text, name.span, second)
    if name.text not in (*ctx.columns, *ctx.card_definition_nodes, "title"):
        report_ambiguous_copies(ctx, owner)
    if value is None:
        hint, related = build_attribute_hint(ctx, owner.type, name.text, expected_type)
        ctx.report_error(
            error_codes.UNKNOWN_ATTRIBUTE, f"{describe_type(owner.type)} has no `{name.text}`", name.span, hint, related
        )
        return build_error_expression(name.span)
    return value


# ---------------------------------------------------------------- names
@resolves_expression(n.NameRef)
def _(ctx: ResolveContext, node: n.NameRef, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    if node.name == "you":
        return resolve_addressed_player(ctx, node.span, scope)
    if node.name == "it":
        return resolve_tested_value(ctx, node.span, scope)
    value = find_named_value(ctx, node, scope, expected_type)
    return report_unknown_name(ctx, node, scope, expected_type) if value is None else value


@resolves_expression(n.For)
def _(ctx: ResolveContext, node: n.For, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    noun = ctx.nouns.get(find_last_name(node.value))
    declared = noun.second if isinstance(noun, n.Zone | n.Track | n.Define) else None
    second = resolve_expression(ctx, node.second, scope, ctx.find_type(declared.text) if declared else None)
    if second.type.tag == "error" or (second.type.item or second.type).tag == "error":
        return build_error_expression(node.span)
    match node.value:
        case n.NameRef():
            value = find_named_value(ctx, node.value, scope, expected_type, second)
            if value is None:
                return report_unknown_name(ctx, node.value, scope, expected_type)
            return value.replace(span=node.span)
        case n.Yours() | n.Its() | n.Attr():
            owner = resolve_owner(ctx, node.value, scope)
            if owner.type.tag == "error":
                return owner
            return resolve_attribute(ctx, owner, node.value.name, second, expected_type).replace(span=node.span)
    hint = "write the name of a zone, number or definition before `for`, as in `your line for target`"
    ctx.report_error(error_codes.WRONG_SECOND_OWNER, "`for` follows no name here", node.value.span, hint)
    return build_error_expression(node.span)


def resolve_addressed_player(ctx: ResolveContext, span: Span, scope: Scope) -> g.Expr:
    if scope.you is not None:
        return copy_reference(scope.you, span, "you")
    owned = span.text.removeprefix("your ")
    owner = f"{find_global_player_name(ctx)}'s {owned}" if owned != span.text else find_global_player_name(ctx)
    whose = f"write `{owner}`" if find_global_player_name(ctx) else "say whose"
    hint = f"{whose}. In a `where`, write the name alone" if " where " in span.source.get_line(span.line) else whose
    if is_in_step(span):
        hint = f"put this line below `each player`, or {hint}"
    above = find_loop_above(span)
    if is_in_braces(span):
        hint = f"{BRACES_HINT}. On a card, `{{{owned}}}` shows an icon" if owned != span.text else BRACES_HINT
    elif above:
        hint = f"indent this line if it belongs to the `{above}` above, or {whose}"
    ctx.report_error(error_codes.NO_ADDRESSED_PLAYER, f"`{span.text}` refers to no player here", span, hint)
    return build_error_expression(span)


def copy_reference(bound_value: g.Expr, span: Span, name: str) -> g.Expr:
    """Return a bound value as this place refers to it."""
    return (
        bound_value.replace(span=span, name=name) if isinstance(bound_value, g.Var) else bound_value.replace(span=span)
    )


def resolve_tested_value(ctx: ResolveContext, span: Span, scope: Scope) -> g.Expr:
    if scope.it is not None:
        return copy_reference(scope.it, span, "it")
    ctx.report_error(error_codes.NO_TESTED_VALUE, "`it` means nothing here", span, "write a name instead")
    return build_error_expression(span)


def find_named_value(
    ctx: ResolveContext, node: n.NameRef, scope: Scope, expected_type: g.Type | None, second: g.Expr | None = None
) -> g.Expr | None:
    name, span = node.name, node.span
    for owner in scope.implicit_owners:
        attribute = find_attribute(ctx, owner, name, span, second)
        if attribute is not None:
            return attribute
    if second is not None:
        return find_global_value(ctx, name, span, second)
    if name in scope.locals:
        return scope.locals[name].replace(span=span)
    if name in scope.players:
        return g.Const(g.PLAYER, span, scope.players.index(name))
    return (
        find_announcement_value(name, span, scope)
        or find_global_value(ctx, name, span)
        or find_builtin_value(ctx, name, span, expected_type)
    )


def find_announcement_value(name: str, span: Span, scope: Scope) -> g.Expr | None:
    """Return a value of the announcement that a reaction answers, or None."""
    if scope.announcement is None:
        return None
    if name == "actor":
        return g.Actor(g.PLAYER, span)
    if name == "target":
        return g.Target(scope.announcement.target, span, None)
    shared = scope.announcement.shared.get(name)
    return None if shared is None else g.Target(shared, span, name)


def find_global_value(ctx: ResolveContext, name: str, span: Span, second: g.Expr | None = None) -> g.Expr | None:
    node = ctx.nouns.get(name)
    if node is None:
        return None
    if isinstance(node, n.Kind):
        return g.Members(g.build_list_type(g.build_member_type(name)), span, name)
    if isinstance(node, n.Cards):
        return g.SetCards(g.build_list_type(g.CARD), span, name)
    is_global = ctx.get_subject(node) is None
    return definition_resolver.build_noun_value(ctx, node, None, span, second) if is_global else None


def find_builtin_value(ctx: ResolveContext, name: str, span: Span, expected_type: g.Type | None) -> g.Expr | None:
    if name in ("players", "winners"):
        return g.Builtin(g.build_list_type(g.PLAYER), span, name, None)
    if name in LITERAL_VALUES:
        return g.Const(LITERAL_VALUES[name][0], span, LITERAL_VALUES[name][1])
    return find_member_value(ctx, name, span, expected_type)


def find_member_value(ctx: ResolveContext, name: str, span: Span, expected_type: g.Type | None) -> g.Expr | None:
    """Return a member of a kind, or None. If several kinds have the name, the wanted kind decides."""
    kinds = ctx.members_by_name.get(name, [])
    if not kinds:
        return None
    kind_name = (expected_type.item or expected_type).of if expected_type is not None else None
    kind, member_index = next(((k, p) for k, p in kinds if k == kind_name), kinds[0])
    return g.Const(g.build_member_type(kind), span, member_index)


def is_ambiguous_member(ctx: ResolveContext, node: n.Expr) -> bool:
    """Return whether an expression may be a member of several kinds."""
    return isinstance(node, n.NameRef) and len(ctx.members_by_name.get(node.name, ())) > 1


def report_unknown_name(ctx: ResolveContext, node: n.NameRef, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    hint, related = build_unknown_name_hint(ctx, node, scope, expected_type)
    ctx.report_error(error_codes.UNKNOWN_NAME, f"unknown name `{node.name}`", node.span, hint, related)
    return build_error_expression(node.span)


# ---------------------------------------------------------------- owners
def resolve_owner(ctx: ResolveContext, node: n.Yours | n.Its | n.Attr, scope: Scope) -> g.Expr:
    """Return the value before a possessive."""
    match node:
        case n.Yours():
            return resolve_addressed_player(ctx, node.span, scope)
        case n.Its():
            return resolve_tested_value(ctx, node.span, scope)
    return resolve_expression(ctx, node.of, scope)


@resolves_expression(n.Attr)
@resolves_expression(n.Its)
@resolves_expression(n.Yours)
def _(ctx: ResolveContext, node: n.Yours | n.Its | n.Attr, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    owner = resolve_owner(ctx, node, scope)
    if owner.type.tag == "error":
        return build_error_expression(node.span)
    return resolve_attribute(ctx, owner, node.name, None, expected_type).replace(span=node.span)


@resolves_expression(n.That)
def _(ctx: ResolveContext, node: n.That, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    if node.name.text in scope.that:
        return copy_reference(scope.that[node.name.text], node.span, f"that {node.name.text}")
    hint = (
        ctx.build_similar_name_hint(node.name.text, scope.that)[0] or f"put this line below an `each {node.name.text}`"
    )
    message = f"`that {node.name.text}` is not inside an `each {node.name.text}`"
    ctx.report_error(error_codes.THAT_OUTSIDE_LOOP, message, node.span, hint)
    return build_error_expression(node.span)


# ---------------------------------------------------------------- literals
@resolves_expression(n.Number)
def _(ctx: ResolveContext, node: n.Number, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    return g.Const(g.NUMBER, node.span, read_exact_number(node.digits))


@resolves_expression(n.Text)
def _(ctx: ResolveContext, node: n.Text, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    return g.Const(g.TEXT, node.span, node.text)


@resolves_expression(n.CardList)
def _(ctx: ResolveContext, node: n.CardList, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    faces = resolve_card_codes(ctx, node)
    if faces is None or report_too_many_copies(ctx, node):
        return build_error_expression(node.span)
    one = g.Type("card", named=True)
    type_ = one if len(faces) == 1 else g.Type("list", item=g.CARD, named=True)
    return g.NamedCards(type_, node.span, faces)


def report_too_many_copies(ctx: ResolveContext, node: n.CardList) -> bool:
    """Report codes that appear more often than there are copies of the card."""
    written = Counter(code.text for code in node.codes)
    several = [text for text, number in written.items() if number > max(ctx.faces[ctx.faces_by_code[text]].copies, 1)]
    for text in several:
        last = [code for code in node.codes if code.text == text][-1]
        copies = ctx.faces[ctx.faces_by_code[text]].copies
        message = f"the game has {copies} of `{text}`, but this list has {written[text]}"
        ctx.report_error(error_codes.UNKNOWN_CARD, message, last.span, "write the code once for each card")
    return bool(several)


def resolve_card_codes(ctx: ResolveContext, node: n.CardList) -> tuple[int, ...] | None:
    """Return the numbers of the faces with these codes. Report unknown codes and return None."""
    unknown = [code for code in node.codes if code.text not in ctx.faces_by_code]
    for code in unknown:
        hint = ctx.build_similar_name_hint(code.text, ctx.faces_by_code)[0] or (
            f"codes look like `{ctx.faces[0].code}`" if ctx.faces else ""
        )
        ctx.report_error(error_codes.UNKNOWN_CARD, f"unknown card `{code.text}`", code.span, hint)
    return None if unknown else tuple(ctx.faces_by_code[code.text] for code in node.codes)
