"""Resolution of values computed from whole lists: counts, totals, extremes and rankings."""

from __future__ import annotations

from cardlang import model as g
from cardlang.semantics import error_codes
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    convert_to_number,
    convert_to_worths,
    describe_type,
    has_worth,
    is_never_empty,
    is_ordered,
    resolve_expression,
    resolve_list,
    resolve_number,
    resolves_expression,
)
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.syntax import ast as n

SINGLE_ITEM_FUNCTIONS = ("first", "last", "top", "bottom", "random")
"""Functions that return one item of a list, or the given number of items."""


@resolves_expression(n.Agg)
def _(ctx: ResolveContext, node: n.Agg, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    if node.function == "whole":
        return g.Whole(g.NUMBER, node.span, resolve_number(ctx, node.list, scope.with_whole(True)))
    list_ = resolve_list(ctx, node.list, scope, expected_type)
    count = None if node.number is None else resolve_number(ctx, node.number, scope)
    if list_.type.tag == "error" or (list_.type.item or ERROR_TYPE) == ERROR_TYPE:
        return build_error_expression(node.span)
    if count is not None and node.function not in SINGLE_ITEM_FUNCTIONS:
        ctx.report_error(error_codes.WRONG_ARGUMENTS, f"`{node.function}` takes no number", count.span)
        return build_error_expression(node.span)
    return build_aggregate(ctx, node, list_, count)


def build_aggregate(ctx: ResolveContext, node: n.Agg, list_: g.Expr, count: g.Expr | None) -> g.Expr:
    function, item = node.function, list_.type.item or ERROR_TYPE
    if function == "count":
        return g.Agg(g.NUMBER, node.span, function, None, list_)
    if function == "total":
        return build_total(ctx, node, list_)
    if function in ("highest", "lowest"):
        return build_extreme(ctx, node, list_)
    if function in SINGLE_ITEM_FUNCTIONS:
        type_ = list_.type if count is not None else item if is_never_empty(list_) else item.as_optional()
        return g.Agg(type_, node.span, function, count, list_)
    return g.Agg(list_.type, node.span, function, None, list_)


def build_total(ctx: ResolveContext, node: n.Agg, list_: g.Expr) -> g.Expr:
    item = list_.type.item or ERROR_TYPE
    if item.tag == "member" and has_worth(ctx, str(item.of)):
        list_ = convert_to_worths(ctx, list_)
    elif item.tag != "number":
        message = f"a total needs numbers, but this is {describe_type(list_.type)}"
        hint = "write `count of …` for how many there are, or `total of …'s value` to add up their values"
        ctx.report_error(error_codes.NOT_A_NUMBER, message, node.list.span, hint)
        return build_error_expression(node.span)
    return g.Agg(g.NUMBER, node.span, "total", None, list_)


def build_extreme(ctx: ResolveContext, node: n.Agg, list_: g.Expr) -> g.Expr:
    item = list_.type.item or ERROR_TYPE
    if item.tag == "member" and not is_ordered(ctx, item) and ctx.kinds[str(item.of)].is_numeric:
        list_, item = convert_to_worths(ctx, list_), g.NUMBER
    if not is_ordered(ctx, item):
        message = f"{describe_type(item)} has no order"
        ctx.report_error(
            error_codes.NOT_ORDERED, message, node.list.span, f"write what to compare: `{node.function} of … by …`"
        )
        return build_error_expression(node.span)
    type_ = item.replace(unlimited=item.unlimited and not is_result_limited(node.function, list_))
    return g.Agg(type_ if is_never_empty(list_) else type_.as_optional(), node.span, node.function, None, list_)


def is_result_limited(function: str, list_: g.Expr) -> bool:
    """Return whether a result is limited: the lowest of several numbers is, if one of them is."""
    items = list_.items if isinstance(list_, g.Joined) else ()
    return function == "lowest" and any(not (i.type.item or i.type).unlimited for i in items)


@resolves_expression(n.AggBy)
def _(ctx: ResolveContext, node: n.AggBy, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    if node.function not in ("highest", "lowest"):
        message, hint = f"`{node.function}` takes no `by`", "only `highest` and `lowest` take it. Remove it"
        ctx.report_error(error_codes.WRONG_ARGUMENTS, message, node.span, hint)
        return build_error_expression(node.span)
    list_ = resolve_list(ctx, node.list, scope, expected_type)
    key = resolve_sort_key(ctx, list_, node.key, scope)
    if list_.type.tag == "error" or key is None:
        return build_error_expression(node.span)
    item = list_.type.item or ERROR_TYPE
    sure = node.which == "first" and is_never_empty(list_)
    type_ = list_.type if node.which == "all" else item if sure else item.as_optional()
    return g.AggBy(type_, node.span, node.which, node.function, list_, *key)  # type: ignore[arg-type]


@resolves_expression(n.Ranked)
def _(ctx: ResolveContext, node: n.Ranked, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    if isinstance(node.list, n.Agg) and node.list.function in SINGLE_ITEM_FUNCTIONS and node.list.number is None:
        inner = node.list.list.span.text
        hint = f"write `{node.list.function} of ({inner} ranked by {node.order.span.text})`"
        ctx.report_error(
            error_codes.RANKED_SINGLE_VALUE, "only a list can be ranked, but this is a single value", node.span, hint
        )
        return build_error_expression(node.span)
    list_ = resolve_list(ctx, node.list, scope, expected_type)
    key = resolve_sort_key(ctx, list_, node.order, scope)
    if list_.type.tag == "error" or key is None:
        return build_error_expression(node.span)
    return g.Sorted(list_.type.replace(ranked=True), node.span, list_, *key)


SortKey = tuple[str | None, g.Var | None, g.Expr | None]


def resolve_sort_key(ctx: ResolveContext, list_: g.Expr, node: n.Expr, scope: Scope) -> SortKey | None:
    """Return the sort key of a list: the name of an order, or a variable with an expression. Return None on errors."""
    item = list_.type.item or ERROR_TYPE
    if item == ERROR_TYPE:
        return None
    named = ctx.nouns.get(node.name) if isinstance(node, n.NameRef) else None
    if isinstance(named, n.Order):
        return build_order_key(ctx, item, node, named)
    var = ctx.create_variable(item, node.span, "it")
    key = resolve_expression(ctx, node, scope.with_tested_value(var))
    if key.type.tag == "error":
        return None
    if key.type.tag == "member" and not is_ordered(ctx, key.type):
        key = convert_to_number(ctx, key)
    if not is_ordered(ctx, key.type):
        ctx.report_error(error_codes.NOT_ORDERED, f"{describe_type(key.type)} has no order", node.span)
        return None
    return None if key.type == ERROR_TYPE else (None, var, key)


def build_order_key(ctx: ResolveContext, item: g.Type, node: n.Expr, order: n.Order) -> SortKey | None:
    if ctx.find_type(order.of.text) == item:
        return order.name.text, None, None
    related = ((order.name.span, f"`{order.name.text}` is declared here"),)
    message = f"`{order.name.text}` ranks {order.of.text}s, but these are not {order.of.text}s"
    ctx.report_error(error_codes.WRONG_TYPE, message, node.span, "", related)
    return None
