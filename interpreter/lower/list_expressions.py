"""Lowering of filters, maps and sorts, and of order and ranking keys.

Conditions and mappings over a list are fused into one loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.traversal import (
    find_free_variables,
    split_conjunction,
    uses_variable,
)
from interpreter import ir
from interpreter.lower.lowering_context import Lowering, lower_expression, lowers_expression
from interpreter.lower.values_and_definitions import build_conjunction, lower_list, lower_number, lower_pile


def add_order_function(ctx: Lowering, order: g.Order) -> str:
    """Add a function that returns pairs of key and item for a list. Higher keys rank first."""
    name = ctx.make_identifier("o", order.name)
    if name in ctx.functions:
        return name
    ctx.functions[name] = None
    kind = ctx.lower_type(order.of)
    items, local = ctx.create_local(ir.build_list_kind(kind)), ctx.create_local(kind)
    place = ctx.create_local(ir.NUMBER)
    with ctx.start_separate_scope():
        ctx.env[order.var.id] = local
        clauses: Clauses = (ir.For(local, wrap_loop_source(ctx, items, order.lines[0].value)),)
        if any(line.how in ("later", "earlier") for line in order.lines):
            there = ir.Op(ir.NUMBERS, "range", (ir.ZERO, ir.Count(ir.NUMBER, items)))
            clauses = (ir.For(place, there), ir.Let(local, ir.Op(kind, "item_at", (items, place))))
        key = build_order_key(ctx, order.lines, place)
    pair = ir.Kind("pair", kind, width=key.kind.width)
    body = ir.Loop(ir.build_list_kind(pair), "pairs", clauses, ir.Key(pair, (key, local)))
    ctx.functions[name] = ir.Function(name, (items,), (ir.Return(body),), body.kind)
    return name


def build_order_key(ctx: Lowering, lines: tuple[g.OrderLine, ...], place: ir.Local) -> ir.Key:
    """Combine the lines of an order to a key: each line breaks the ties of those before. `best` and `worst` end it."""
    parts: list[ir.Expr] = []
    for index, line in enumerate(lines):
        if line.how in ("best", "worst"):
            rest = build_order_key(ctx, lines[index + 1 :], place)
            side = ir.build_number(2 if line.how == "best" else 0)
            kind = ir.Kind("key", width=rest.kind.width + 1)
            other = ir.Key(kind, (ir.ONE, *rest.parts))
            split = ir.Either(kind, lower_expression(ctx, line.value), ir.Key(kind, (side,)), other)
            parts.append(ir.Spread(kind, split))
            break
        parts.append(build_line_key(ctx, line, place))
    flat = all(part.kind.tag not in ("list", "key") or isinstance(part, ir.Spread) for part in parts)
    width = sum(part.kind.width if isinstance(part, ir.Spread) else 1 for part in parts)
    return ir.Key(ir.Kind("key", width=width if flat else 0), tuple(parts))


def build_line_key(ctx: Lowering, line: g.OrderLine, place: ir.Local) -> ir.Expr:
    match line.how:
        case "those":
            return lower_expression(ctx, line.value)
        case "later":
            return place
        case "earlier":
            return ir.Op(ir.NUMBER, "negated", (place,))
    key = lower_sort_key(ctx, line.value)
    if line.layout == "groups":  # of two equal sizes, the better value comes first
        values = key if line.how == "higher" else ir.Op(key.kind, "negated", (key,))
        return ir.Op(key.kind, "larger_groups", (values,))
    if line.layout == "flat":
        key = ir.Op(key.kind, "descending", (key,))
    return key if line.how == "higher" else ir.Op(key.kind, "negated", (key,))


# ---------------------------------------------------------------- rankings
def add_ranking_functions(ctx: Lowering, ranking: str) -> None:
    """Add the functions that reading by a ranking needs from the game: wild cards and tie conditions.

    The search for readings is in `interpreter.hands.hand_evaluator`."""
    wild, judge = ctx.make_identifier("wild", ranking), ctx.make_identifier("judge", ranking)
    if judge in ctx.functions:
        return
    ctx.functions[judge] = None
    declared = ctx.game.rankings[ranking]
    with ctx.start_separate_scope():
        ctx.functions[judge] = build_tie_condition_function(ctx, judge, declared)
        if declared.wilds:
            ctx.functions[wild] = build_wild_function(ctx, wild, declared)


def build_wild_function(ctx: Lowering, name: str, ranking: g.Ranking) -> ir.Function:
    """Build the function that returns, for each card, a bit mask of the `wild` lines that hold for it."""
    cards, card = ctx.create_local(ir.CARDS), ctx.create_local(ir.CARD)
    conditions = tuple(wild.condition for wild in ranking.wilds)
    for wild in ranking.wilds:
        ctx.env[wild.var.id] = card
    flags: ir.Expr = ir.ZERO
    for line, condition in enumerate(conditions):
        bit = ir.Either(ir.NUMBER, lower_expression(ctx, condition), ir.build_number(1 << line), ir.ZERO)
        flags = bit if line == 0 else ir.Arith(ir.NUMBER, "+", flags, bit)
    body = ir.Loop(ir.NUMBERS, "list", (ir.For(card, cards),), flags)
    return ir.Function(name, (cards,), (ir.Return(body),), ir.NUMBERS)


def build_tie_condition_function(ctx: Lowering, name: str, ranking: g.Ranking) -> ir.Function:
    """Build the function that evaluates the condition of a `highest when` or `lowest when` line, by line number."""
    line_number, probe = ctx.create_local(ir.NUMBER), ctx.create_local(ir.PROBE)
    body: list[ir.Stmt] = []
    with ctx.bind_temporarily(ranking.var, probe):
        for index, line in enumerate(ranking.ties):
            if line.how in ("best", "worst"):
                test = ir.Compare(ir.FLAG, "=", line_number, ir.build_number(index))
                body.append(ir.If(test, (ir.Return(lower_expression(ctx, line.value)),)))
    return ir.Function(name, (line_number, probe), (*body, ir.Return(ir.FALSE)), ir.FLAG)


def find_tie_card_value(ranking: g.Ranking, line: g.OrderLine) -> tuple[g.Var, g.Expr] | None:
    """Return the card variable and its value for a line like `higher used's height` or `higher total of used's
    height`. Return None for any other line."""
    match line.value.list if isinstance(line.value, g.Agg) else line.value:
        case g.MapEach(list=g.MapEach() as members, value=g.Worth() as worth):
            values = members.replace(value=worth.replace(value=members.value))
        case values:
            pass
    if isinstance(values, g.MapEach) and values.var.type.tag == "card" and uses_variable(values.list, ranking.var):
        return values.var, values.value
    return None


Clauses = tuple[ir.For | ir.Let | ir.Test, ...]


def split_filters(ctx: Lowering, items: g.Expr) -> tuple[g.Expr, list[tuple[g.Var, g.Expr]]]:
    """Split a list into its source and its conditions, innermost first. Definitions are expanded."""
    items = expand_filter_definition(ctx, items)
    if not isinstance(items, g.Filter):
        return items, []
    inner, conditions = split_filters(ctx, items.list)
    return inner, [*conditions, (items.var, items.condition)]


def expand_filter_definition(ctx: Lowering, items: g.Expr) -> g.Expr:
    """Expand a definition of the table if it selects from a list."""
    while isinstance(items, g.Call) and items.of is None and id(items) not in ctx.hoisted:
        value = ctx.game.defines[items.define].value
        if not isinstance(value, g.Filter | g.Builtin | g.Call):
            break
        items = value
    return items


@contextmanager
def iterate_filtered(ctx: Lowering, items: g.Expr, var: g.Var) -> Iterator[tuple[ir.Local, Clauses]]:
    """Yield the local for `var` and the clauses of a loop over a list with its conditions."""
    inner, conditions = split_filters(ctx, items)
    source = lower_list(ctx, inner)
    local = ctx.create_local(source.kind.item or ir.NUMBER)
    with ctx.set_temporarily(env=dict(ctx.env)):
        guards, conditions = hoist_guards(ctx, conditions)
        ctx.env.update(dict.fromkeys({var.id, *(bound.id for bound, _ in conditions)}, local))
        loop = ir.For(local, wrap_loop_source(ctx, source, inner))
        yield local, (*guards, loop, *(ir.Test(lower_expression(ctx, condition)) for _, condition in conditions))


def wrap_loop_source(ctx: Lowering, source: ir.Expr, items: g.Expr) -> ir.Expr:
    """Return the list of a loop. In games with much work, its iterations are counted."""
    if not ctx.work_estimator.is_work_large or isinstance(items, g.Selections):
        return source
    return count_iterations(ctx, source, items.span)


def count_iterations(ctx: Lowering, source: ir.Expr, span: Span) -> ir.Expr:
    """Return a list whose iterations count as steps."""
    return ir.Op(source.kind, "counted", (source,), ctx.number_rule_span(span))


def hoist_guards(
    ctx: Lowering, conditions: list[tuple[g.Var, g.Expr]]
) -> tuple[list[ir.Test], list[tuple[g.Var, g.Expr]]]:
    """Hoist the conditions that do not depend on the item: they are tested once before the loop."""
    bound = {var.id for var, _ in conditions}
    parts = [(var, part) for var, condition in conditions for part in split_conjunction(condition)]
    once = [part for _, part in parts if not find_free_variables(part) & bound]
    rest = [(var, part) for var, part in parts if find_free_variables(part) & bound]
    if not once:
        return [], conditions
    return [ir.Test(build_conjunction([lower_expression(ctx, part) for part in once]))], rest


# ---------------------------------------------------------------- choosing from lists
@lowers_expression(g.Filter)
def lower_filter(ctx: Lowering, e: g.Filter) -> ir.Expr:
    with iterate_filtered(ctx, e, e.var) as (local, clauses):
        return ir.Loop(ir.build_list_kind(local.kind), "list", clauses, local)


@lowers_expression(g.MapEach)
def lower_map_each(ctx: Lowering, e: g.MapEach) -> ir.Expr:
    with iterate_filtered(ctx, e.list, e.var) as (_, clauses):
        value = lower_expression(ctx, e.value)
        if e.value.type.tag == "list":
            item = ctx.create_local(value.kind.item or ir.NUMBER)
            return ir.Loop(value.kind, "list", (*clauses, ir.For(item, value)), item)
        if ctx.can_be_absent(e.value):
            local = ctx.create_local(value.kind)
            present = ir.Compare(ir.FLAG, "!=", local, ir.build_absent(local.kind))
            clauses = (*clauses, ir.Let(local, value), ir.Test(present))
            value = local
        return ir.Loop(ir.build_list_kind(value.kind), "list", clauses, value)


@lowers_expression(g.Joined)
def lower_joined(ctx: Lowering, e: g.Joined) -> ir.Expr:
    scale = ctx.layout.scales.get_scale(e)
    items = ir.Items(ctx.find_value_kind(e), tuple(lower_joined_part(ctx, item, scale) for item in e.items))
    named = {face for item in e.items if isinstance(item, g.NamedCards) for face in item.faces}
    if len(e.items) > 1 and any(ctx.game.faces[face].copies > 1 for face in named):
        return ir.Op(items.kind, "separate_copies", (items,))
    return items


def lower_joined_part(ctx: Lowering, item: g.Expr, scale: int) -> ir.Expr:
    if item.type.tag == "list":
        code = wrap_loop_source(ctx, lower_expression(ctx, item), item)
        return ir.Spread(code.kind, code)
    if isinstance(item, g.ZoneCards):
        code = lower_pile(ctx, item.zone, item.of, item.second)
        return ir.Spread(code.kind, code)
    code = lower_number(ctx, item, scale) if item.type.tag == "number" else lower_expression(ctx, item)
    if not ctx.can_be_absent(item):
        return code
    kind = ir.build_list_kind(code.kind)
    return ir.Spread(kind, ir.Op(kind, "listed", (code,)))


# ---------------------------------------------------------------- ordering lists
@lowers_expression(g.Sorted)
def lower_sorted(ctx: Lowering, e: g.Sorted) -> ir.Expr:
    return ir.Op(ctx.find_value_kind(e), "ranked", (lower_key_pairs(ctx, e),))


@lowers_expression(g.AggBy)
def lower_agg_by(ctx: Lowering, e: g.AggBy) -> ir.Expr:
    name = e.function if e.which == "first" else f"{e.which}_{e.function}"
    absent = (ir.Items(ctx.find_value_kind(e), ()),) if e.type.tag == "list" and e.which != "all" else ()
    return ir.Op(ctx.find_value_kind(e), f"{name}_by", (lower_key_pairs(ctx, e), *absent))


def lower_key_pairs(ctx: Lowering, e: g.Sorted | g.AggBy) -> ir.Expr:
    """Return the list of pairs of key and item."""
    if e.order is not None:
        name = add_order_function(ctx, ctx.game.orders[e.order])
        function = ctx.functions[name]
        items = lower_list(ctx, e.list)
        kind = function.result if function and function.result else ir.build_list_kind(ir.Kind("pair", items.kind.item))
        return ir.Calling(kind, name, (items,))
    if e.var is None or e.key is None:
        raise AssertionError("a key or an order")
    with iterate_filtered(ctx, e.list, e.var) as (local, clauses):
        key = lower_sort_key(ctx, e.key)
        pair = ir.Kind("pair", local.kind, width=1 if key.kind.tag != "key" else 0)
        return ir.Loop(ir.build_list_kind(pair), "pairs", clauses, ir.Key(pair, (key, local)))


def lower_sort_key(ctx: Lowering, expr: g.Expr) -> ir.Expr:
    """Return a sort key for a value."""
    code = lower_expression(ctx, expr)
    return ir.Op(ir.Kind("key"), "strength_of", (code,)) if expr.type.tag == "reading" else code
