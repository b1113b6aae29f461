"""Lowering of aggregates, comparisons, logic, arithmetic and cases.

An absent value equals nothing, not even another absent value. It is neither below nor above any value.
"""

from __future__ import annotations

from math import lcm
from typing import Literal

from cardlang import model as g
from cardlang.diagnostics import Span
from interpreter import ir
from interpreter.ir.traversal import is_free_to_repeat
from interpreter.lower.list_expressions import (
    add_ranking_functions,
    expand_filter_definition,
    iterate_filtered,
)
from interpreter.lower.lowering_context import Lowering, lower_expression, lowers_expression
from interpreter.lower.values_and_definitions import (
    build_conjunction,
    build_disjunction,
    lower_end_item,
    lower_list,
    lower_number,
    lower_stored_value,
)
from interpreter.lower.work_bounds_and_unique_lists import MAX_UNCOUNTED_SUBSETS
from interpreter.runtime.state import UNLIMITED

ExtremeFunction = Literal["highest", "lowest"]
END_INDEXES = {"first": 0, "bottom": 0, "last": -1, "top": -1}


@lowers_expression(g.Agg)
def lower_agg(ctx: Lowering, e: g.Agg) -> ir.Expr:
    match e.function:
        case "count":
            return lower_count(ctx, e)
        case "total":
            return fold_list(ctx, lower_list(ctx, e.list), "total", ctx.find_value_kind(e))
        case "highest" | "lowest":
            return lower_extreme(ctx, e, e.function)
        case "random":
            return lower_random(ctx, e)
        case "reverse":
            return lower_list_operation(ctx, e, "reversed")
        case "distinct":
            return lower_list_operation(ctx, e, "distinct_values")
    return lower_end_items(ctx, e)


@lowers_expression(g.Selections)
def lower_selections(ctx: Lowering, e: g.Selections) -> ir.Expr:
    items = lower_list(ctx, e.list)
    low = ir.ZERO if e.low is None else lower_expression(ctx, e.low)
    high = ir.build_number(UNLIMITED) if e.high is None else lower_expression(ctx, e.high)
    uncounted = ir.build_number(0 if ctx.work_estimator.is_work_large else MAX_UNCOUNTED_SUBSETS)
    args = (items, low, high, uncounted)
    return ir.Op(ir.build_list_kind(items.kind), "subsets", args, ctx.number_rule_span(e.span))


def lower_list_operation(ctx: Lowering, e: g.Agg, operation: str) -> ir.Expr:
    items = lower_list(ctx, e.list)
    return ir.Op(items.kind, operation, (items,))


# ---------------------------------------------------------------- numbers
def lower_count(ctx: Lowering, e: g.Agg) -> ir.Expr:
    items = expand_filter_definition(ctx, e.list)
    if isinstance(items, g.Filter):
        with iterate_filtered(ctx, items, items.var) as (local, clauses):
            return ir.Loop(ir.NUMBER, "count", clauses, local)
    return ir.Count(ir.NUMBER, lower_list(ctx, items))


def fold_list(ctx: Lowering, items: ir.Expr, function: Literal["total", "highest", "lowest"], kind: ir.Kind) -> ir.Expr:
    """Return a loop that folds a list to one value. If a loop makes the list, the two are fused."""
    if isinstance(items, ir.Loop) and items.function == "list":
        return ir.Loop(kind, function, items.clauses, items.body)
    local = ctx.create_local(items.kind.item or kind)
    return ir.Loop(kind, function, (ir.For(local, items),), local)


def lower_extreme(ctx: Lowering, e: g.Agg, function: ExtremeFunction) -> ir.Expr:
    if e.type.tag == "reading":
        return ir.Op(ctx.lower_type(e.type), f"{function}_reading", (lower_list(ctx, e.list),))
    kind = ctx.find_value_kind(e)
    terms = find_extreme_terms(ctx, e.list, function)
    if terms is None:
        return fold_list(ctx, lower_list(ctx, e.list), function, kind)
    if len(terms) == 1:
        return terms[0]
    return ir.Op(kind, "most_of" if function == "highest" else "least_of", tuple(terms))


def find_extreme_terms(ctx: Lowering, items: g.Expr, function: ExtremeFunction) -> list[ir.Expr] | None:
    """Return the operands of `highest` or `lowest` one by one, without neutral ones. None if their number is
    unknown."""
    if not isinstance(items, g.Joined):
        return None
    scale, terms = ctx.layout.scales.get_scale(items), list[ir.Expr]()
    for item in items.items:
        if item.type.tag == "list" or ctx.can_be_absent(item):
            return None
        if not (function == "lowest" and ctx.find_constant_number(item) == g.UNLIMITED):
            terms.append(lower_number(ctx, item, scale) if item.type.tag == "number" else lower_expression(ctx, item))
    return terms or [ir.build_number(UNLIMITED)]


# ---------------------------------------------------------------- items
def lower_end_items(ctx: Lowering, e: g.Agg) -> ir.Expr:
    index = END_INDEXES[e.function]
    if e.function == "first" and e.number is None and isinstance(e.list, g.MapEach):
        single = lower_first_of_map(ctx, e.list)
        if single is not None:
            return single
    items = lower_list(ctx, e.list)
    if e.number is not None:
        return ir.Op(items.kind, f"some_{e.function}", (items, lower_expression(ctx, e.number)))
    return lower_end_item(items, index, ctx.find_value_kind(e))


def lower_first_of_map(ctx: Lowering, e: g.MapEach) -> ir.Expr | None:
    """Lower `first of table's suit` as the suit of the first card, if every card has one."""
    on_all_cards = isinstance(e.value, g.Attribute) and None not in ctx.game.columns[e.value.attribute].values
    if e.value.type.tag == "list" or (ctx.can_be_absent(e.value) and not on_all_cards):
        return None
    items = lower_list(ctx, e.list)
    if not is_free_to_repeat(items):
        return None
    with ctx.bind_temporarily(e.var, ir.At(items.kind.item or ir.CARD, items, 0)):
        value = lower_expression(ctx, e.value)
    return ir.Either(value.kind, items, value, ir.build_absent(value.kind))


def lower_random(ctx: Lowering, e: g.Agg) -> ir.Expr:
    items = lower_list(ctx, e.list)
    if e.number is not None:
        return ir.Op(items.kind, "some_random", (items, lower_expression(ctx, e.number)))
    kind = ctx.find_value_kind(e)
    return ir.Op(kind, "one_random", (items, ir.build_absent(kind)))


@lowers_expression(g.Whole)
def lower_whole(ctx: Lowering, e: g.Whole) -> ir.Expr:
    scales, value = ctx.layout.scales, e.value
    if isinstance(value, g.Arith) and value.operator == "/" and not isinstance(value.right, g.Const):
        scale = scales.get_scale(value.left) * scales.get_scale(value.right)
        args = (lower_number(ctx, value.left, scale), lower_number(ctx, value.right, scale))
        checked = ir.Op(ir.NUMBER, "whole", args, ctx.number_rule_span(e.span))
        if ctx.can_be_absent(value.left) or not isinstance(args[1], ir.Count):
            return checked
        return ir.Either(ir.NUMBER, args[1], ir.Arith(ir.NUMBER, "//", *args), checked)
    args = (lower_expression(ctx, value), ir.build_number(scales.get_scale(value)))
    if ctx.can_be_absent(value):
        return ir.Op(ir.NUMBER, "whole", args, ctx.number_rule_span(e.span))
    return args[0] if args[1] == ir.ONE else ir.Arith(ir.NUMBER, "//", *args)


@lowers_expression(g.Compare)
def lower_comparison(ctx: Lowering, e: g.Compare) -> ir.Expr:
    tags = {e.left.type.tag, e.right.type.tag}
    if "list" in tags:
        return lower_list_comparison(ctx, e)
    if "reading" in tags:
        args = (lower_expression(ctx, e.left), ir.Const(ir.TEXT, e.operator), lower_expression(ctx, e.right))
        return ir.Op(ir.FLAG, "compare_readings", args)
    if tags == {"card"} and (e.left.type.named or e.right.type.named):
        card, named = (e.left, e.right) if e.right.type.named else (e.right, e.left)
        equal = lower_face_equality(ctx, card, named)
        return equal if e.operator == "=" else ir.Not(ir.FLAG, equal)
    if "number" in tags:
        scale = lcm(ctx.layout.scales.get_scale(e.left), ctx.layout.scales.get_scale(e.right))
        left, right = lower_number(ctx, e.left, scale), lower_number(ctx, e.right, scale)
    else:
        left, right = lower_expression(ctx, e.left), lower_expression(ctx, e.right)
    return ir.Compare(ir.FLAG, e.operator, left, right, *find_absence_checks(ctx, e))


def find_absence_checks(ctx: Lowering, e: g.Compare) -> tuple[bool, bool]:
    """Return, for each side, whether the comparison must distinguish an absent operand from a value."""
    left, right = ctx.can_be_absent(e.left), ctx.can_be_absent(e.right)
    if e.operator in ("=", "!="):
        return left and right, left and right
    return left and e.operator in ("<", "<="), right and e.operator in (">", ">=")


def lower_face_equality(ctx: Lowering, card: g.Expr, named: g.Expr) -> ir.Expr:
    """Lower `it = [2c]`: any copy of the card matches."""
    if isinstance(named, g.NamedCards) and ctx.game.faces[named.faces[0]].copies == 1:
        first = ir.Const(ir.CARD, ctx.game.faces[named.faces[0]].first)
        return ir.Compare(ir.FLAG, "=", lower_expression(ctx, card), first)
    return ir.Op(ir.FLAG, "same_face", (lower_expression(ctx, card), lower_expression(ctx, named)))


def lower_list_comparison(ctx: Lowering, e: g.Compare) -> ir.Expr:
    """Compare two lists.

    Players compare as sets unless one side is ranked. Cards compare by face if one side is written with codes."""
    left, right = lower_list(ctx, e.left), lower_list(ctx, e.right)
    item = (e.left.type.item or e.right.type.item or g.NOTHING).tag
    sides = {e.left.type.tag, e.right.type.tag}
    if (e.left.type.tag != "list" and e.left.type.tag == "card") or "player" in sides:
        item = next(iter(sides - {"list"}))
    unordered = item == "player" and not (e.left.type.ranked or e.right.type.ranked)
    if item == "card" and (e.left.type.named or e.right.type.named):
        left, right = (ir.Op(ir.NUMBERS, "faces_of", (side,)) for side in (left, right))
    return ir.Compare(ir.FLAG, e.operator, left, right, unordered=unordered)


MAX_INLINE_CASES = 50
"""Maximum number of cases in one expression."""


@lowers_expression(g.ReadRanking)
def lower_read_ranking(ctx: Lowering, e: g.ReadRanking) -> ir.Expr:
    add_ranking_functions(ctx, e.ranking)
    cards, kind = lower_list(ctx, e.cards), ctx.lower_type(e.type)
    if e.beside is not None:
        return ir.Read(kind, e.ranking, "beside", cards, lower_expression(ctx, e.beside))
    return ir.Read(kind, e.ranking, "read", cards)


@lowers_expression(g.IsReading)
def lower_is_reading(ctx: Lowering, e: g.IsReading) -> ir.Expr:
    add_ranking_functions(ctx, e.ranking)
    return ir.Read(ir.FLAG, e.ranking, "matches", lower_list(ctx, e.cards))


@lowers_expression(g.IsSet)
def lower_is_of_card_set(ctx: Lowering, e: g.IsSet) -> ir.Expr:
    sets = [int(ctx.game.faces[face].set == e.set) for face in ctx.layout.face]
    return ir.Entry(ir.FLAG, ctx.add_table("IS", e.set, [*sets, 0]), lower_expression(ctx, e.card))


@lowers_expression(g.IsEmpty)
def lower_is_empty(ctx: Lowering, e: g.IsEmpty) -> ir.Expr:
    items = expand_filter_definition(ctx, e.value)
    if isinstance(items, g.Filter):
        return ir.Not(ir.FLAG, lower_quantifier(ctx, items.list, items.var, items.condition, "any"))
    return ir.Not(ir.FLAG, lower_list(ctx, e.value))


@lowers_expression(g.IsAbsent)
def lower_is_absent(ctx: Lowering, e: g.IsAbsent) -> ir.Expr:
    value = lower_expression(ctx, e.value)
    if e.value.type.tag == "list":
        return ir.Not(ir.FLAG, value)
    return ir.Compare(ir.FLAG, "=", value, ir.build_absent(ctx.lower_type(e.value.type)))


@lowers_expression(g.Quantified)
def lower_quantified(ctx: Lowering, e: g.Quantified) -> ir.Expr:
    if e.quantifier == "no":
        return ir.Not(ir.FLAG, lower_quantifier(ctx, e.list, e.var, e.condition, "any"))
    return lower_quantifier(ctx, e.list, e.var, e.condition, e.quantifier)


def lower_quantifier(
    ctx: Lowering, items: g.Expr, var: g.Var, condition: g.Expr, quantifier: Literal["any", "every"]
) -> ir.Expr:
    with iterate_filtered(ctx, items, var) as (_, clauses):
        return ir.Loop(ir.FLAG, quantifier, clauses, lower_expression(ctx, condition))


@lowers_expression(g.IsIn)
def lower_is_in(ctx: Lowering, e: g.IsIn) -> ir.Expr:
    if e.value.type.named or e.list.type.named:
        return ir.Op(ir.FLAG, "face_in", (lower_expression(ctx, e.value), lower_list(ctx, e.list)))
    return ir.IsIn(ir.FLAG, lower_expression(ctx, e.value), lower_list(ctx, e.list))


@lowers_expression(g.And, g.Or)
def lower_logic(ctx: Lowering, e: g.And | g.Or) -> ir.Expr:
    """Lower `and` or `or`, without constant operands."""
    decisive, sides = isinstance(e, g.Or), (e.left, e.right)
    constants = [ctx.find_constant(side) for side in sides]
    if any(constant is not None and bool(constant.value) == decisive for constant in constants):
        return ir.TRUE if decisive else ir.FALSE
    open_sides = [side for side, constant in zip(sides, constants, strict=True) if constant is None] or sides[:1]
    parts = [lower_expression(ctx, side) for side in open_sides]
    return build_disjunction(parts) if decisive else build_conjunction(parts)


@lowers_expression(g.Not)
def lower_not(ctx: Lowering, e: g.Not) -> ir.Expr:
    return ir.Not(ir.FLAG, lower_expression(ctx, e.value))


@lowers_expression(g.Arith)
def lower_arith(ctx: Lowering, e: g.Arith) -> ir.Expr:
    scales, maybe = ctx.layout.scales, ctx.can_be_absent(e.left) or ctx.can_be_absent(e.right)
    kind = ir.build_number_kind(scales.get_scale(e))
    if e.operator == "+" or e.operator == "-":
        scale = lcm(scales.get_scale(e.left), scales.get_scale(e.right))
        left, right = lower_number(ctx, e.left, scale), lower_number(ctx, e.right, scale)
        if maybe or e.left.type.unlimited or e.right.type.unlimited:
            return ir.Op(kind, "plus" if e.operator == "+" else "minus", (left, right))
        return ir.Arith(kind, e.operator, left, right)
    if e.operator == "*" and not maybe and (is_small_number(e.left) or is_small_number(e.right)):
        return ir.Arith(kind, "*", lower_expression(ctx, e.left), lower_expression(ctx, e.right))
    if e.operator == "*":
        return ir.Op(
            kind,
            "times",
            (lower_expression(ctx, e.left), lower_expression(ctx, e.right)),
            ctx.number_rule_span(e.span),
        )
    return lower_number(ctx, e.left, scales.get_scale(e.left))  # dividing by a constant only changes the scale


def record_coverage(ctx: Lowering, span: Span, value: ir.Expr) -> ir.Expr:
    """Return a value whose evaluation is recorded by a coverage program."""
    if not ctx.records_coverage:
        return value
    return ir.Calling(value.kind, "reached", (ir.build_number(ctx.number_rule_span(span)), value))


@lowers_expression(g.Cases)
def lower_cases(ctx: Lowering, e: g.Cases) -> ir.Expr:
    scale = ctx.layout.scales.get_scale(e)
    if len(e.cases) > MAX_INLINE_CASES:
        return outline_cases(ctx, e, scale)
    *cases, (last, condition) = e.cases
    value = record_coverage(ctx, last.span, lower_stored_value(ctx, last, e.type, scale))
    if condition is not None:
        cases, value = [*e.cases], ir.build_absent(ctx.lower_type(e.type, scale))
    for each, condition in reversed(cases):
        if condition is not None:
            this = record_coverage(ctx, each.span, lower_stored_value(ctx, each, e.type, scale))
            value = ir.Either(ctx.lower_type(e.type, scale), lower_expression(ctx, condition), this, value)
    return value


def outline_cases(ctx: Lowering, e: g.Cases, scale: int) -> ir.Expr:
    """Lower many cases to a function with one test after another, so that generated code is not nested."""
    lines: list[ir.Stmt] = []
    for each, condition in e.cases:
        value = ir.Return(record_coverage(ctx, each.span, lower_stored_value(ctx, each, e.type, scale)))
        lines.append(value if condition is None else ir.If(lower_expression(ctx, condition), (value,)))
    return ctx.outline_function(tuple(lines), ctx.lower_type(e.type, scale))


@lowers_expression(g.FirstPossible)
def lower_first_possible(ctx: Lowering, e: g.FirstPossible) -> ir.Expr:
    kind = ctx.find_value_kind(e)
    if e.type.tag == "list":
        return ir.Op(kind, "first_list", tuple(lower_list(ctx, value) for value, _ in e.lists))
    values = tuple(lower_expression(ctx, value) for value, _ in e.lists)
    return ir.Op(kind, "first_present", (ir.Items(ir.build_list_kind(kind), values), ir.build_absent(kind)))


def is_small_number(expr: g.Expr) -> bool:
    """Check whether a number is certainly small. Then an overflow of its product is caught when it is stored."""
    small = isinstance(expr, g.Const) and isinstance(expr.value, int) and abs(expr.value) < 1 << 16
    return small or (isinstance(expr, g.Agg) and expr.function == "count")
