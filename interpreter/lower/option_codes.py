"""Lowering of options: move codes of their bindings, and conditions on card sets.

If a condition requires the chosen cards to form a rank (`provided group is Meld`), the ranking lists the candidates.
Only these are tested for the remaining conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import find_free_variables, split_conjunction, walk
from interpreter import ir
from interpreter.lower.list_expressions import count_iterations
from interpreter.lower.lowering_context import Lowering, lower_body, lower_expression
from interpreter.lower.move_statements import remove_duplicates
from interpreter.lower.seats_that_know_cards import record_choice_knowledge
from interpreter.lower.values_and_definitions import (
    build_conjunction,
    build_minus,
    build_plus,
    build_times,
    lower_number,
    lower_single_use_list,
)
from interpreter.runtime.state import NO_NUMBER

NUMBER_RADIX = 1 << 20
"""Radix of a number that is not the last binding. Larger numbers are refused."""
BoundCondition = tuple[set[int], ir.Expr]
"""Condition with the bindings that it needs."""
OptionRunner = Callable[[Lowering, g.Option, ir.Expr], None]


def find_radices(ctx: Lowering, option: g.Option) -> tuple[int, ...]:
    """Return the radix of each binding. The last one is unbounded (0)."""
    sizes = [find_radix(ctx, var.type) for var, _ in option.binders]
    return (*sizes[:-1], 0) if sizes else ()


def find_radix(ctx: Lowering, type_: g.Type) -> int:
    if type_.tag == "player":
        return ctx.layout.players
    if type_.tag == "card":
        return ctx.layout.cards
    if type_.tag == "member":
        return len(ctx.game.kinds[type_.of or ""].members)
    return NUMBER_RADIX


def lower_domain(
    ctx: Lowering, domain: g.Domain, type_: g.Type, player: ir.Expr, keep_copies: bool = False, has_next: bool = False
) -> ir.Expr:
    """Return the values of a binding. `has_next`: another binding follows it."""
    if domain.list is None:
        low, high = lower_domain_bounds(ctx, domain)
        return check_range_length(ctx, (low, build_plus(high, ir.ONE)), domain, has_next)
    items = remove_duplicates(ctx, lower_single_use_list(ctx, domain.list), domain.list)
    if type_.tag == "number":
        most = (ir.build_number(NUMBER_RADIX),) if has_next else ()
        scale = ir.build_number(ctx.layout.scales.get_scale(domain.list))
        return ir.Op(ir.NUMBERS, "whole_numbers", (items, scale, *most), ctx.number_rule_span(domain.list.span))
    if type_.tag == "card" and ctx.layout.copies and not keep_copies:
        return ir.Op(items.kind, "distinct", (items, player))
    return items


def check_range_length(ctx: Lowering, bounds: tuple[ir.Expr, ...], domain: g.Domain, has_next: bool = False) -> ir.Expr:
    """Return a range of numbers. A range that is too long fails."""
    if domain.high is None:
        raise AssertionError("bounds")
    most = (ir.build_number(NUMBER_RADIX),) if has_next else ()
    return ir.Op(ir.NUMBERS, "few", (ir.Op(ir.NUMBERS, "range", bounds), *most), ctx.number_rule_span(domain.high.span))


def lower_domain_bounds(ctx: Lowering, domain: g.Domain) -> tuple[ir.Expr, ir.Expr]:
    if domain.low is None or domain.high is None:
        raise AssertionError("bounds")
    low, high = lower_expression(ctx, domain.low), lower_expression(ctx, domain.high)
    low_scale, high_scale = (ctx.layout.scales.get_scale(bound) for bound in (domain.low, domain.high))
    if low_scale != 1:  # chosen numbers are whole
        rounded = ir.Arith(ir.NUMBER, "//", build_minus(ir.ZERO, low), ir.build_number(low_scale))
        low = build_minus(ir.ZERO, rounded)
    if high_scale != 1:
        high = ir.Arith(ir.NUMBER, "//", high, ir.build_number(high_scale))
    sure = isinstance(low, ir.Const) and isinstance(low.value, int) and low.value >= 0
    return low if sure else ir.Op(ir.NUMBER, "most_of", (low, ir.ZERO)), high


# ---------------------------------------------------------------- legal moves
def lower_option_listing(ctx: Lowering, options: Sequence[g.Option], player: ir.Expr, may_pass: bool) -> ir.Body:
    """Return the body of a function that lists the codes of the legal moves."""
    legal = ctx.create_local(ir.NUMBERS)
    with ctx.collect_emitted() as body, ctx.set_temporarily(hoisted=dict(ctx.hoisted)):
        ctx.emit(ir.Assign(legal, ir.Items(ir.NUMBERS, ())))
        for parts in find_repeated_calls(ctx, options):
            held = ctx.store_in_local(lower_expression(ctx, parts[0]))
            ctx.hoisted.update((id(part), held) for part in parts)
        for number, option in enumerate(options, start=1):
            with ctx.set_temporarily(env=dict(ctx.env)):
                for var, _ in option.binders:
                    ctx.env[var.id] = ctx.create_local(ctx.lower_type(var.type))
                conditions = lower_option_conditions(ctx, option, player)
                listing = OptionListing(legal, option, find_radices(ctx, option), player)
                emit_binding_loops(ctx, listing, conditions, 0, ir.build_number(number), len(options))
        if may_pass:
            ctx.emit(ir.Collect(legal, ir.ZERO))
        ctx.emit(ir.Return(legal))
    return tuple(body)


def find_repeated_calls(ctx: Lowering, options: Sequence[g.Option]) -> list[list[g.Call]]:
    """Return the definitions that conditions and bounds use more than once, and that depend on no binding."""
    bound = {var.id for option in options for var, _ in option.binders}
    known = ctx.env.keys() - bound
    asked = [
        part
        for option in options
        for part in walk((option.when, tuple(domain for _, domain in option.binders)))
        if isinstance(part, g.Call) and find_free_variables(part) <= known and ctx.find_constant_number(part) is None
    ]
    groups: dict[g.Call, list[g.Call]] = {}
    for part in asked:
        groups.setdefault(part, []).append(part)
    return [parts for parts in groups.values() if len(parts) > 1]


@frozen
class OptionListing:
    """Listing of the codes of one option's moves into `legal`. `radices`: of its bindings."""

    legal: ir.Local
    option: g.Option
    radices: tuple[int, ...]
    player: ir.Expr


def emit_binding_loops(
    ctx: Lowering, listing: OptionListing, conditions: list[BoundCondition], index: int, base: ir.Expr, weight: int
) -> None:
    """Emit nested loops over the bindings from `index` on. Conditions are tested as early as possible."""
    option, legal = listing.option, listing.legal
    known = {var.id for var, _ in option.binders[:index]}
    ready = [condition for needs, condition in conditions if needs <= known]
    if ready:
        rest = [condition for condition in conditions if not condition[0] <= known]
        with ctx.emit_if(build_conjunction(ready)):
            emit_binding_loops(ctx, listing, rest, index, base, weight)
        return
    if index == len(option.binders):
        ctx.emit(ir.Collect(legal, base))
        return
    (var, domain), radix, local = option.binders[index], listing.radices[index], ctx.env[option.binders[index][0].id]
    if not isinstance(local, ir.Local):
        raise AssertionError("a variable")
    if radix == 0 and not conditions:
        codes = build_code_range(ctx, domain, var.type, local, base, weight, listing.player)
        ctx.emit(ir.Collect(legal, codes, many=True))
        return
    items = lower_domain(ctx, domain, var.type, listing.player, has_next=radix > 0)
    if ctx.work_estimator.is_work_large or ctx.work_estimator.is_option_counted(option):
        items = count_iterations(ctx, items, option.span)
    with ctx.collect_emitted() as body:
        if radix:
            ctx.emit(ir.Effect("few_moves", (legal,), ctx.number_rule_span(option.span)))
        code = build_plus(base, build_times(weight, local))
        emit_binding_loops(ctx, listing, conditions, index + 1, code, weight * (radix or 1))
    ctx.emit(ir.ForEach(local, items, tuple(body)))


def lower_option_conditions(ctx: Lowering, option: g.Option, player: ir.Expr) -> list[BoundCondition]:
    """Return the conditions and costs of an option, with the bindings that each of them needs."""
    bound = {var.id for var, _ in option.binders}
    found = [(find_free_variables(condition) & bound, lower_expression(ctx, condition)) for condition, _ in option.when]
    for amount, track, _ in option.costs:
        scale = ctx.layout.scales.track_scales[track]
        slot = ir.Track(ir.Kind("number", scale=scale), ctx.layout.track_base[track], player)
        price = lower_number(ctx, amount, scale)
        there: ir.Expr = ir.Compare(ir.FLAG, ">=", slot, price)
        if ctx.can_be_absent(amount):
            there = build_conjunction([ir.Compare(ir.FLAG, "!=", price, ir.Const(price.kind, NO_NUMBER)), there])
        found.append((find_free_variables(amount) & bound, there))
    return found


def build_code_range(
    ctx: Lowering, domain: g.Domain, type_: g.Type, local: ir.Local, base: ir.Expr, weight: int, player: ir.Expr
) -> ir.Expr:
    """Return the codes of the last binding, if no condition depends on it."""
    if domain.list is None:
        low, high = lower_domain_bounds(ctx, domain)
        first, end = (build_plus(base, build_times(weight, value)) for value in (low, build_plus(high, ir.ONE)))
        return check_range_length(ctx, (first, end, ir.build_number(weight)), domain)
    items = lower_domain(ctx, domain, type_, player)
    return ir.Loop(ir.NUMBERS, "list", (ir.For(local, items),), build_plus(base, build_times(weight, local)))


# ---------------------------------------------------------------- carrying out a move
def decode_bindings(ctx: Lowering, option: g.Option, rest: ir.Expr) -> list[ir.Expr]:
    """Decode the bound values from the rest of a code."""
    values, weight = [], 1
    for radix in find_radices(ctx, option):
        part = rest if weight == 1 else ir.Arith(ir.NUMBER, "//", rest, ir.build_number(weight))
        part = ir.Arith(ir.NUMBER, "%", part, ir.build_number(radix)) if radix else part
        values.append(part)
        weight *= radix or 1
    return values


def emit_costs(ctx: Lowering, option: g.Option, player: ir.Expr) -> None:
    for amount, track, _ in option.costs:
        base, scale = ctx.layout.track_base[track], ctx.layout.scales.track_scales[track]
        place = ctx.number_rule_span(option.span)
        ctx.emit(ir.Bump(base, player, "-", lower_number(ctx, amount, scale), place, checked=False, told=False))


def decode_option_number(ctx: Lowering, count: int, code: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
    """Split a code into the option's number and the rest."""
    if count == 1:
        return ir.ZERO, build_minus(code, ir.ONE)
    whole, by = build_minus(code, ir.ONE), ir.build_number(count)
    number = ctx.store_in_local(ir.Arith(ir.NUMBER, "%", whole, by))
    return number, ctx.store_in_local(ir.Arith(ir.NUMBER, "//", whole, by))


def lower_chosen_option(
    ctx: Lowering, options: Sequence[g.Option], code: ir.Expr, player: ir.Expr, run: OptionRunner
) -> None:
    """Carry out the option of a code: bind its variables, then `run` it, see `run_option`."""
    number, rest = decode_option_number(ctx, len(options), code)
    bodies: list[ir.Body] = []
    for option in options:
        with ctx.collect_emitted() as body, ctx.forget_inner_names():
            for (var, _), value in zip(option.binders, decode_bindings(ctx, option, rest), strict=True):
                local = ctx.bind_local(var, ctx.lower_type(var.type))
                ctx.emit(ir.Assign(local, value))
            run(ctx, option, player)
        bodies.append(tuple(body))
    ctx.body.extend(select_body(number, bodies))


def run_option(ctx: Lowering, option: g.Option, player: ir.Expr) -> None:
    """Pay for an option whose variables are bound, and run its body."""
    for var, domain in option.binders:
        record_choice_knowledge(ctx, var, domain, player)
    emit_costs(ctx, option, player)
    ctx.emit_reached(option.span)
    lower_body(ctx, option.body)


def select_body(number: ir.Expr, bodies: Sequence[ir.Body]) -> ir.Body:
    """Select the body with that number."""
    result = bodies[-1]
    for index in range(len(bodies) - 2, -1, -1):
        test = ir.Compare(ir.FLAG, "=", number, ir.build_number(index))
        result = (ir.If(test, bodies[index], result),)
    return result


def lower_set_condition(ctx: Lowering, stmt: g.Choose, item: ir.Kind) -> ir.TestOf:
    """Return the test that a choice of such items fulfils its condition.

    If the condition names a ranking, only sets that form one of its ranks can pass, and the ranking finds them."""
    if stmt.provided is None:
        raise AssertionError("a condition")
    parts, names = split_choice_condition(ctx.game, stmt.provided, {stmt.var.id})
    rank = next((part for part in parts if is_rank_test(ctx.game, part, names)), None)
    if rank is None:
        parts, names = [stmt.provided], {stmt.var.id}
    chosen = ctx.create_local(ir.build_list_kind(item))
    with ctx.set_temporarily(env=ctx.env | dict.fromkeys(names, chosen)):
        test = build_conjunction([lower_expression(ctx, part) for part in parts if part is not rank])
    return ir.TestOf(ir.FLAG, chosen, test, rank.ranking if isinstance(rank, g.IsReading) else None)


def split_choice_condition(game: g.Game, condition: g.Expr, names: set[int]) -> tuple[list[g.Expr], set[int]]:
    """Split a condition into its conjuncts, and return them with the variables that denote the choice.

    Definitions about the choice are expanded. `names`: the variables known to denote it."""
    found: list[g.Expr] = []
    for part in split_conjunction(condition):
        define = game.defines[part.define] if isinstance(part, g.Call) else None
        if (
            isinstance(part, g.Call)
            and define is not None
            and define.var is not None
            and define.second is None
            and is_choice_variable(part.of, names)
        ):
            below, names = split_choice_condition(game, define.value, names | {define.var.id})
            found += below
        else:
            found.append(part)
    return found, names


def is_choice_variable(cards: g.Expr | None, names: set[int]) -> bool:
    return isinstance(cards, g.Var) and cards.id in names


def is_rank_test(game: g.Game, part: g.Expr, names: set[int]) -> bool:
    return (
        isinstance(part, g.IsReading)
        and is_choice_variable(part.cards, names)
        and not game.rankings[part.ranking].wilds
    )
