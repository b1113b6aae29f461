"""Resolution of `every`: the ways to choose from lists, and a value for each."""

from __future__ import annotations

from cardlang import model as g
from cardlang.semantics import error_codes
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    describe_type,
    describe_type_plural,
    resolve_condition,
    resolve_expression,
    resolve_list,
    resolve_number,
    resolves_expression,
)
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.syntax import ast as n


@resolves_expression(n.Every)
def _(ctx: ResolveContext, node: n.Every, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    named: list[tuple[g.Var, g.Expr]] = []
    for way in node.ways:
        items = resolve_way(ctx, way, scope)
        if items.type == ERROR_TYPE:
            return items
        var = ctx.create_variable((items.type.item or ERROR_TYPE).as_required(), way.name.span, way.name.text)
        named.append((var, items))
        scope = scope.with_local(way.name.text, var)
    if node.condition is not None:
        var, items = named.pop()
        condition = resolve_condition(ctx, node.condition, scope)
        named.append((var, g.Filter(items.type, node.span, items, var, condition)))
    return named[0][1] if node.value is None else build_values(resolve_expression(ctx, node.value, scope), named)


def build_values(value: g.Expr, named: list[tuple[g.Var, g.Expr]]) -> g.Expr:
    """Return the list of a value for each item of some lists, where later ones may depend on earlier ones."""
    for var, items in reversed(named):
        type_ = value.type if value.type.tag in ("list", "error") else g.build_list_type(value.type.as_required())
        value = g.MapEach(type_, value.span, items, var, value)
    return value


def resolve_way(ctx: ResolveContext, way: n.Way, scope: Scope) -> g.Expr:
    """Resolve the list that a name goes through: the items of a list, or all selections of them."""
    items = resolve_list(ctx, way.source, scope)
    item = items.type.item or ERROR_TYPE
    if item == ERROR_TYPE:
        return build_error_expression(way.span)
    if way.count is None or way.word is None:
        return items
    if way.word.text not in (describe_type_plural(item), describe_type(item).partition(" ")[2]):
        message = f"expected {describe_type_plural(item)}, but this is `{way.word.text}`"
        hint = "name each list: `every lot from …`" if item.tag == "list" else f"write `{describe_type_plural(item)}`"
        ctx.report_error(error_codes.WRONG_TYPE, message, way.word.span, hint)
        return build_error_expression(way.span)
    low = None if way.count.low is None else resolve_number(ctx, way.count.low, scope)
    high = None if way.count.high is None else resolve_number(ctx, way.count.high, scope)
    return g.Selections(g.build_list_type(items.type), way.span, items, low, high)
