"""Resolution of comparisons, logic, list operations and arithmetic."""

from __future__ import annotations

from fractions import Fraction

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.semantics import error_codes
from cardlang.semantics.comparison_hints import build_attribute_comparison_hint, report_values_in_condition
from cardlang.semantics.definition_resolver import build_noun_value
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    build_worth,
    convert_expression,
    convert_to_number,
    describe_members,
    describe_type,
    find_member_index,
    is_ordered,
    join_types,
    resolve_cards,
    resolve_condition,
    resolve_expression,
    resolve_list,
    resolve_number,
    resolves_expression,
    unify_types,
    wrap_in_list,
)
from cardlang.semantics.name_hints import list_attributes
from cardlang.semantics.name_resolver import is_ambiguous_member
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.syntax import ast as n


@resolves_expression(n.And, n.Or)
def _(ctx: ResolveContext, node: n.And | n.Or, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    chain = [node]
    while isinstance(chain[0].left, type(node)):
        chain.insert(0, chain[0].left)
    written = [chain[0].left, *(part.right for part in chain)]
    operands = [(operand, resolve_expression(ctx, operand, scope, g.FLAG)) for operand in written]
    word, build_condition = ("and", g.And) if isinstance(node, n.And) else ("or", g.Or)
    report_values_in_condition(ctx, word, operands)
    condition, *others = (value for _, value in operands)
    for part, value in zip(chain, others, strict=True):
        condition = build_condition(g.FLAG, part.span, condition, value)
    return condition if all(value.type.tag == "flag" for _, value in operands) else build_error_expression(node.span)


@resolves_expression(n.Not)
def _(ctx: ResolveContext, node: n.Not, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    return g.Not(g.FLAG, node.span, resolve_condition(ctx, node.value, scope))


def negate_test_if(test: g.Expr, negated: bool) -> g.Expr:
    return g.Not(g.FLAG, test.span, test) if negated and test.type != ERROR_TYPE else test


# ---------------------------------------------------------------- comparisons
@resolves_expression(n.Compare)
def _(ctx: ResolveContext, node: n.Compare, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    left, right = resolve_comparison_sides(ctx, node, scope)
    if "error" in (left.type.tag, right.type.tag):
        return build_error_expression(node.span)
    if node.operator in ("in", "not in"):
        return negate_test_if(build_membership_test(ctx, node.span, left, right), node.operator == "not in")
    return build_comparison(ctx, node.operator, node.span, left, right)


def resolve_comparison_sides(ctx: ResolveContext, node: n.Compare, scope: Scope) -> tuple[g.Expr, g.Expr]:
    if isinstance(node.left, n.ListOf) or is_ambiguous_member(ctx, node.left):
        right = resolve_expression(ctx, node.right, scope)
        return resolve_expression(ctx, node.left, scope, right.type), right
    left = resolve_expression(ctx, node.left, scope)
    return left, resolve_expression(ctx, node.right, scope, left.type)


def build_comparison(ctx: ResolveContext, operator: str, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    """Build a comparison, with both sides converted to a common type."""
    if "nothing" in (left.type.tag, right.type.tag):
        return build_absence_test(ctx, operator, span, left, right)
    left, right = convert_number_to_member(ctx, left, right), convert_number_to_member(ctx, right, left)
    if operator not in ("=", "!="):
        left, right = convert_unordered_member_to_number(ctx, left), convert_unordered_member_to_number(ctx, right)
    type_ = join_types(ctx, left.type, right.type)
    if type_ is None:
        return report_different_types(ctx, operator, span, left, right)
    left, right = convert_expression(ctx, left, type_), convert_expression(ctx, right, type_)
    if operator not in ("=", "!=") and not is_ordered(ctx, type_):
        return report_unordered_type(ctx, span, type_)
    return g.Compare(g.FLAG, span, operator, left, right)


def build_absence_test(ctx: ResolveContext, operator: str, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    if operator not in ("=", "!="):
        return report_unordered_type(ctx, span, g.NOTHING)
    value_ = left if right.type.tag == "nothing" else right
    if value_.type.tag == "list":
        ctx.report_error(error_codes.NOT_A_SINGLE_VALUE, "a list is never `nothing`", span, "write `… is empty`")
        return build_error_expression(span)
    return negate_test_if(g.IsAbsent(g.FLAG, span, value_), operator == "!=")


def convert_number_to_member(ctx: ResolveContext, value_: g.Expr, other: g.Expr) -> g.Expr:
    """Convert a number next to a member of a kind to the member of that name."""
    type_ = other.type.item or other.type
    if isinstance(value_, g.Const) and value_.type.tag == "number" and type_.tag == "member":
        member_index = find_member_index(ctx, str(type_.of), str(value_.value))
        if member_index is not None:
            return g.Const(type_.as_required(), value_.span, member_index)
    return value_


def convert_unordered_member_to_number(ctx: ResolveContext, value_: g.Expr) -> g.Expr:
    """Convert a member of an unordered numeric kind to its number."""
    if value_.type.tag == "member" and ctx.kinds[str(value_.type.of)].is_numeric:
        return value_ if is_ordered(ctx, value_.type) else build_worth(value_)
    return value_


def report_different_types(ctx: ResolveContext, operator: str, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    message = f"{describe_type(left.type)} cannot be compared with {describe_type(right.type)}"
    hint = build_attribute_comparison_hint(ctx, operator, left, right)
    if operator in ("=", "!="):
        hint = hint or build_attribute_comparison_hint(ctx, operator, right, left)
    ctx.report_error(
        error_codes.DIFFERENT_TYPES, message, span, hint or build_comparison_hint(ctx, left.type, right.type)
    )
    return build_error_expression(span)


def build_comparison_hint(ctx: ResolveContext, left: g.Type, right: g.Type) -> str:
    tags = {left.tag, right.tag}
    kinds = [str(type_.of) for type_ in (left, right) if type_.tag == "member"]
    if len(kinds) == 1:
        return f"the values of {kinds[0]} are {describe_members(ctx.kinds[kinds[0]])}"
    if "flag" in tags:
        return "compare it with `yes` or `no`, or remove the comparison"
    return "write `title` for its name in quotes" if "text" in tags else "compare values of one kind"


def report_unordered_type(ctx: ResolveContext, span: Span, type_: g.Type) -> g.Expr:
    if type_.tag == "member":
        kind = ctx.nouns[str(type_.of)]
        related = ((kind.name.span, f"`{type_.of}` is declared here"),)
        hint = f"declare it as `ordered kind {type_.of}`, from lowest to highest"
        ctx.report_error(error_codes.NOT_ORDERED, f"the values of {type_.of} have no order", span, hint, related)
    else:
        ctx.report_error(error_codes.NOT_ORDERED, f"{describe_type(type_)} has no order", span, "use `=` or `!=`")
    return build_error_expression(span)


def build_membership_test(ctx: ResolveContext, span: Span, left: g.Expr, right: g.Expr) -> g.Expr:
    right = wrap_in_list(right)
    left = convert_number_to_member(ctx, left, right)
    item = right.type.item or ERROR_TYPE
    if item.tag in ("error", "nothing"):
        return build_error_expression(span) if item.tag == "error" else g.IsIn(g.FLAG, span, left, right)
    type_ = join_types(ctx, left.type, item)
    if type_ is None or left.type.tag == "list":
        return report_different_types(ctx, "in", span, left, right)
    wide = convert_expression(ctx, right, right.type.replace(item=type_.as_required()))
    return g.IsIn(g.FLAG, span, convert_expression(ctx, left, type_), wide)


# ---------------------------------------------------------------- is
@resolves_expression(n.IsEmpty)
def _(ctx: ResolveContext, node: n.IsEmpty, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    value = resolve_expression(ctx, node.value, scope)
    if value.type.tag == "error":
        return build_error_expression(node.span)
    if value.type.tag not in ("list", "card"):
        hint = "write `… = nothing`" if value.type.maybe else ""
        message = f"only a list can be empty, but this is {describe_type(value.type)}"
        ctx.report_error(error_codes.NOT_A_LIST, message, node.value.span, hint)
        return build_error_expression(node.span)
    return negate_test_if(g.IsEmpty(g.FLAG, node.span, value), node.negated)


@resolves_expression(n.IsA)
def _(ctx: ResolveContext, node: n.IsA, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    return negate_test_if(resolve_is_test(ctx, node, scope), node.negated)


def resolve_is_test(ctx: ResolveContext, node: n.IsA, scope: Scope) -> g.Expr:
    named = ctx.nouns.get(node.name.text)
    if isinstance(named, n.Ranking):
        return g.IsReading(g.FLAG, node.span, resolve_cards(ctx, node.value, scope), node.name.text)
    value = resolve_expression(ctx, node.value, scope)
    if value.type.tag == "error":
        return build_error_expression(node.span)
    if isinstance(named, n.Cards):
        return build_card_set_test(ctx, node, value)
    if node.name.text in ctx.members_by_name:
        message = f"`is` asks for a set of cards or a ranking, and `{node.name.text}` is a value"
        hint = f"write `{node.value.span.text} {'!=' if node.negated else '='} {node.name.text}`"
        ctx.report_error(error_codes.WRONG_TYPE, message, node.span, hint)
        return build_error_expression(node.span)
    known = [*ctx.sets, *(r.name.text for r in ctx.list_items(n.Ranking))]
    hint = "write `=` to compare"
    if node.name.text in list_attributes(ctx, value.type):
        hint = f"write `{node.name.text}` alone"
    if node.name.text == "full":
        hint = f"compare the number of cards, as in `count of {node.value.span.text} {'<' if node.negated else '='} 4`"
    ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "set of cards or ranking", node.name, known, hint)
    return build_error_expression(node.span)


def build_card_set_test(ctx: ResolveContext, node: n.IsA, expression: g.Expr) -> g.Expr:
    if expression.type.tag != "card":
        hint = "test each card: `any card in … has it is …`" if expression.type.tag == "list" else ""
        message = f"only a card can be one of {node.name.text}, but this is {describe_type(expression.type)}"
        ctx.report_error(error_codes.WRONG_TYPE, message, node.value.span, hint)
        return build_error_expression(node.span)
    return g.IsSet(g.FLAG, node.span, expression, node.name.text)


# ---------------------------------------------------------------- has
@resolves_expression(n.Quantified)
def _(ctx: ResolveContext, node: n.Quantified, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    items = resolve_loop_items(ctx, node.word, node.among, scope)
    if items.type.tag == "error":
        return build_error_expression(node.span)
    var = ctx.create_variable(items.type.item or ERROR_TYPE, node.word.span, node.word.text)
    test = resolve_condition(ctx, node.condition, scope.with_tested_value(var))
    return g.Quantified(g.FLAG, node.span, node.quantifier, items, var, test)  # type: ignore[arg-type]


def resolve_loop_items(ctx: ResolveContext, word: n.Name, list_: n.Expr | None, scope: Scope) -> g.Expr:
    """Resolve the items of `each WORD` or `any WORD in …`."""
    type_ = ctx.find_type(word.text)
    if type_ is None or type_.tag in ("number", "flag", "list", "reading"):
        hint = "write `player`, `card` or a kind"
        ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", word, ["player", "card", *ctx.kinds], hint)
        return build_error_expression(word.span)
    if list_ is not None:
        return check_item_type(ctx, resolve_list(ctx, list_, scope, g.build_list_type(type_)), type_)
    if type_.tag == "member":
        return g.Members(g.build_list_type(type_), word.span, word.text)
    if type_.tag == "player":
        return g.Builtin(g.build_list_type(g.PLAYER), word.span, "players", None)
    ctx.report_error(error_codes.WRONG_ARGUMENTS, "write which cards: `card in …`", word.span)
    return build_error_expression(word.span)


def check_item_type(ctx: ResolveContext, items: g.Expr, type_: g.Type) -> g.Expr:
    item = items.type.item
    if item is None or item.tag == "error":
        return build_error_expression(items.span)
    if item.tag == "list" or join_types(ctx, item, type_) is None or (item.tag != type_.tag):
        message = f"expected {describe_type(g.build_list_type(type_))}, but this is {describe_type(items.type)}"
        ctx.report_error(error_codes.WRONG_TYPE, message, items.span)
        return build_error_expression(items.span)
    return items


FUNCTION_SYNONYMS = {"sum": "total", "number": "count", "amount": "count", "size": "count"}


@resolves_expression(n.Where)
def _(ctx: ResolveContext, node: n.Where, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    list_ = resolve_list(ctx, node.list, scope, expected_type)
    if list_.type.tag == "error":
        return build_error_expression(node.span)
    var = ctx.create_variable(list_.type.item or ERROR_TYPE, node.list.span, "it")
    return g.Filter(
        list_.type, node.span, list_, var, resolve_condition(ctx, node.condition, scope.with_tested_value(var))
    )


@resolves_expression(n.ListOf)
def _(ctx: ResolveContext, node: n.ListOf, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    items = [resolve_expression(ctx, item, scope, expected_type) for item in node.items]
    items = convert_numbers_to_members(ctx, items, expected_type)
    if any(item.type == ERROR_TYPE for item in items):
        return build_error_expression(node.span)
    if all(item.type.tag != "list" for item in items):
        items, type_ = unify_types(ctx, items, error_codes.DIFFERENT_TYPES, "the items of a list")
        return g.Joined(g.build_list_type(type_.replace(maybe=False)), node.span, tuple(items))
    items, type_ = unify_types(
        ctx, [wrap_in_list(item) for item in items], error_codes.DIFFERENT_TYPES, "the items of a list"
    )
    return build_error_expression(node.span) if type_ == ERROR_TYPE else g.Joined(type_, node.span, tuple(items))


def convert_numbers_to_members(ctx: ResolveContext, items: list[g.Expr], expected_type: g.Type | None) -> list[g.Expr]:
    """Convert the numbers in a list to members of the expected kind, or of the kind named in the list: `(2, Ace)`."""
    item_type = expected_type and (expected_type.item or expected_type)
    if item_type is not None and item_type.tag == "number":
        return items
    named = [item for item in items if isinstance(item, g.Const) and item.type.tag == "member"]
    for member in (g.Const(item_type, items[0].span, None), *named) if item_type else named:
        items = [convert_number_to_member(ctx, item, member) for item in items]
    return items


@resolves_expression(n.Read)
def _(ctx: ResolveContext, node: n.Read, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    named = ctx.nouns.get(node.name.text)
    if named is None and node.name.text in FUNCTION_SYNONYMS:
        hint = f"write `{FUNCTION_SYNONYMS[node.name.text]} of {node.list.span.text}`"
        ctx.report_error(error_codes.UNKNOWN_NAME, f"unknown name `{node.name.text}`", node.name.span, hint)
        return build_error_expression(node.span)
    cards = resolve_cards(ctx, node.list, scope)
    partner_cards = None if node.beside is None else resolve_expression(ctx, node.beside, scope)
    if cards.type == ERROR_TYPE:
        return build_error_expression(node.span)
    if isinstance(named, n.Ranking):
        type_ = g.Type("reading", of=node.name.text, maybe=True)
        return g.ReadRanking(type_, node.span, node.name.text, cards, partner_cards)
    if isinstance(named, n.Define) and named.parameter is not None:
        return build_noun_value(ctx, named, cards, node.span) or build_error_expression(node.span)
    known = [d.name.text for d in ctx.list_items(n.Ranking, n.Define) if isinstance(d, n.Ranking) or d.parameter]
    hint = "write `(every 1 or more cards from … as lot)`" if node.name.text == "subsets" else ""
    ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "ranking or definition of cards", node.name, known, hint)
    return build_error_expression(node.span)


# ---------------------------------------------------------------- arithmetic
@resolves_expression(n.Arith)
def _(ctx: ResolveContext, node: n.Arith, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    left, right = resolve_operand(ctx, node.left, scope), resolve_operand(ctx, node.right, scope)
    if ERROR_TYPE in (left.type, right.type):
        return build_error_expression(node.span)
    if node.operator == "/" and not check_divisor(ctx, right, scope):
        return build_error_expression(node.span)
    unlimited = left.type.unlimited or right.type.unlimited
    type_ = g.Type("number", maybe=left.type.maybe or right.type.maybe, unlimited=unlimited)
    return g.Arith(type_, node.span, node.operator, left, right)  # type: ignore[arg-type]


def resolve_operand(ctx: ResolveContext, node: n.Expr, scope: Scope) -> g.Expr:
    """Resolve an operand of a calculation: a number, or a condition that counts as 1 or 0."""
    value = resolve_expression(ctx, node, scope, g.NUMBER)
    return count_condition(value) if value.type.tag == "flag" else convert_to_number(ctx, value)


def count_condition(condition: g.Expr) -> g.Expr:
    """Return the number 1 if a condition is true, otherwise 0."""
    one, zero = (g.Const(g.NUMBER, condition.span, number) for number in (1, 0))
    return g.Cases(g.NUMBER, condition.span, ((one, condition), (zero, None)), ("", ""))


def check_divisor(ctx: ResolveContext, divisor: g.Expr, scope: Scope) -> bool:
    if isinstance(divisor, g.Const) and divisor.value == 0:
        ctx.report_error(error_codes.INVALID_DIVISION, "nothing can be divided by 0", divisor.span)
        return False
    if not isinstance(divisor, g.Const) and not scope.is_inside_whole:
        hint = "write `whole of (… / …)`, which rounds down"
        ctx.report_error(
            error_codes.INVALID_DIVISION,
            "outside `whole of`, only a plain number can be the divisor",
            divisor.span,
            hint,
        )
        return False
    return True


@resolves_expression(n.Negative)
def _(ctx: ResolveContext, node: n.Negative, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    value = resolve_number(ctx, node.value, scope)
    if value.type == ERROR_TYPE:
        return build_error_expression(node.span)
    if isinstance(value, g.Const) and isinstance(value.value, int | Fraction):
        return g.Const(g.NUMBER, node.span, -value.value)
    return g.Arith(value.type, node.span, "-", g.Const(g.NUMBER, node.span, 0), value)
