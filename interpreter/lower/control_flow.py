"""Lowering of assignments, conditions, loops, assertions and log lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.traversal import walk
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.ir.traversal import is_free_to_repeat
from interpreter.knowledge.hidden_information_analysis import find_free_variables
from interpreter.knowledge.taint_tracking import LoggedValues
from interpreter.lower.lowering_context import (
    Lowering,
    PassFlag,
    lower_body,
    lower_expression,
    lower_nested,
    lowers_statement,
)
from interpreter.lower.move_statements import emit_trigger_checks
from interpreter.lower.seats_that_know_cards import (
    limit_knowledge_by_condition,
    record_bound_cards,
    record_item_knowledge,
    record_list_knowledge,
    record_logged_cards,
)
from interpreter.lower.values_and_definitions import (
    LINK_BASE,
    LINK_CANCELLED,
    LINK_DEPTH,
    build_conjunction,
    build_plus,
    build_slot_index,
    lower_list,
    lower_present_value,
    lower_stored_value,
)
from interpreter.lower.work_bounds_and_unique_lists import is_loop_counted

CONSTANT_OPERANDS = (g.Const, g.NamedCards)


def find_explaining_operands(condition: g.Expr) -> list[g.Expr]:
    """Return the parts of a condition whose values explain its failure."""
    match condition:
        case g.And() | g.Or():
            found = [*find_explaining_operands(condition.left), *find_explaining_operands(condition.right)]
        case g.Not() | g.IsEmpty() | g.IsAbsent():
            found = [condition.value]
        case g.Compare():
            found = [condition.left, condition.right]
        case g.IsIn():
            found = [condition.value, condition.list]
        case g.Quantified():
            found = [condition.list]
        case _:
            found = [condition]
    by_text = {side.span.text: side for side in found if not isinstance(side, CONSTANT_OPERANDS)}
    return list(by_text.values())


@lowers_statement(g.Tell)
def lower_tell(ctx: Lowering, stmt: g.Tell) -> None:
    emit_logged_values(ctx, "told", stmt.span, stmt.values, words=stmt.words)
    record_logged_cards(ctx, stmt.values)


def emit_learned_value(ctx: Lowering, var: g.Var, value: g.Expr) -> None:
    """Report a new value of a variable that some players may not know, and that is logged later."""
    if var.id in ctx.traced_variables and not is_card_type(var.type):
        emit_logged_values(ctx, "learnt", value.span, (value,), var=var.id)


def emit_logged_values(
    ctx: Lowering, name: str, span: Span, values: tuple[g.Expr, ...], words: tuple[str, ...] = (), var: int = 0
) -> None:
    types = {part.id: part.type for part in walk(values) if isinstance(part, g.Var)}
    needs = tuple(sorted(set().union(*map(find_free_variables, values)) & ctx.env.keys()))
    hidden = [each for each in needs if each in ctx.traced_variables]
    cards = tuple(each for each in hidden if is_card_type(types[each]))
    entry = LoggedValues(values, needs, cards, tuple(each for each in hidden if each not in cards), words, var)
    ctx.logged_values.append(entry)
    args = (ir.build_number(len(ctx.logged_values) - 1), *(ctx.env[each] for each in needs))
    ctx.emit(ir.Event(name, ctx.number_rule_span(span), args))


@lowers_statement(g.SetTrack)
def lower_set_track(ctx: Lowering, stmt: g.SetTrack) -> None:
    track, scale = ctx.game.tracks[stmt.track], ctx.layout.scales.track_scales[stmt.track]
    base, of = find_track_slot(ctx, stmt)
    if stmt.track in ctx.watched_tracks:
        ctx.emit(ir.Do("to_be_set", (ir.build_number(base), of or ir.ZERO)))
    value = lower_stored_value(ctx, stmt.value, track.type, scale)
    if track.type.tag == "number":
        value = lower_present_value(ctx, stmt.value, value)
    place, small = ctx.number_rule_span(stmt.span), is_small(ctx, stmt.value)
    if stmt.operator == "=":
        checked = track.type.tag == "number" and not small
        ctx.emit(ir.Store(base, of, value, place, checked))
    else:
        ctx.emit(ir.Bump(base, of, stmt.operator, value, place, not small))
    emit_trigger_checks(ctx)


def find_track_slot(ctx: Lowering, stmt: g.SetTrack) -> tuple[int, ir.Expr | None]:
    """Return the slot of a track. Its owners are evaluated once."""
    base = ctx.layout.track_base[stmt.track]
    if stmt.of is None:
        return base, None
    of = lower_present_value(ctx, stmt.of)
    if stmt.second is not None:
        of = build_slot_index(ctx, ctx.game.tracks[stmt.track], of, lower_present_value(ctx, stmt.second))
    if isinstance(of, ir.Const) and isinstance(of.value, int):
        return base + of.value, None
    return base, of if is_free_to_repeat(of) else ctx.store_in_local(of)


def is_small(ctx: Lowering, value: g.Expr) -> bool:
    """Check whether a number is so small that no sum of it within the step limit exceeds 64 bits."""
    if isinstance(value, g.Const):
        return isinstance(value.value, int) and abs(value.value) < 1 << 32
    if isinstance(value, g.Call):
        return value.of is None and is_small(ctx, ctx.game.defines[value.define].value)
    return isinstance(value, g.Agg) and value.function == "count"


@lowers_statement(g.Remember)
def lower_remember(ctx: Lowering, stmt: g.Remember) -> None:
    emit_learned_value(ctx, stmt.var, stmt.value)
    value = lower_expression(ctx, stmt.value)
    local = ctx.bind_local(stmt.var, value.kind)
    ctx.emit(ir.Assign(local, value, copied=stmt.value.type.tag == "list" and not ctx.is_independent_list(value)))
    ctx.unmodified_lists.add(local.number)
    record_bound_cards(ctx, stmt.var, stmt.value)


@lowers_statement(g.Eliminate)
def lower_eliminate(ctx: Lowering, stmt: g.Eliminate) -> None:
    player = lower_present_value(ctx, stmt.player)
    ctx.emit(ir.Effect("eliminate", (player,), ctx.number_rule_span(stmt.span)))
    emit_trigger_checks(ctx)


# ---------------------------------------------------------------- conditions and loops
@lowers_statement(g.If)
def lower_if(ctx: Lowering, stmt: g.If) -> None:
    def lower_branch(body: Sequence[g.Stmt]) -> ir.Body:
        def lower_with_knowledge() -> None:
            with limit_knowledge_by_condition(ctx, stmt.condition):
                lower_body(ctx, body)

        return lower_nested(ctx, body, lower_with_knowledge)

    condition = lower_expression(ctx, stmt.condition)
    ctx.emit(ir.If(condition, lower_branch(stmt.then), lower_branch(stmt.otherwise)))


@lowers_statement(g.Repeat)
def lower_repeat(ctx: Lowering, stmt: g.Repeat) -> None:
    flag = ctx.pass_flag
    condition: ir.Expr | None = None
    if stmt.until_pass:
        passed = ctx.emit_assignment(ir.FALSE)
        flag, condition = PassFlag(passed), ir.Not(ir.FLAG, passed)
    elif stmt.until is not None:
        condition = ir.Not(ir.FLAG, lower_expression(ctx, stmt.until))

    rounds = None
    if stmt.most is not None:
        most, rounds = ctx.store_in_local(lower_present_value(ctx, stmt.most)), ctx.emit_assignment(ir.ZERO)
        one_more = build_plus(rounds, ir.build_number(ctx.layout.scales.get_scale(stmt.most)))
        condition = build_conjunction([ir.Compare(ir.FLAG, "<=", one_more, most), *filter(None, [condition])])

    def lower_repeated_body() -> None:
        ctx.charge_steps(ctx.number_rule_span(stmt.span), stmt.body)
        if rounds is not None:
            ctx.emit(ir.Assign(rounds, one_more))
        lower_body(ctx, stmt.body)

    with ctx.set_temporarily(pass_flag=flag):
        ctx.emit(ir.While(condition, lower_nested(ctx, stmt.body, lower_repeated_body)))


def lower_loop(ctx: Lowering, stmt: g.Each) -> None:
    """Lower a loop over a list, one item after another."""

    def lower_round() -> None:
        with record_item_knowledge(ctx, stmt), limit_knowledge_by_condition(ctx, stmt.condition):
            lower_body(ctx, stmt.body)

    with ctx.set_temporarily(pass_flag=None), ctx.forget_inner_names():
        record_list_knowledge(ctx, stmt)
        var, items = prepare_loop(ctx, stmt, ctx.suspension.can_wait_for_player(stmt) or is_loop_counted(stmt))
        ctx.emit(ir.ForEach(var, items, lower_loop_body(ctx, stmt, var, lower_round)))


def prepare_loop(ctx: Lowering, stmt: g.Each, counted: bool) -> tuple[ir.Local, ir.Expr]:
    """Return the variable and the list of a loop. `counted`: each round is a step."""
    emit_learned_value(ctx, stmt.var, stmt.list)
    items = lower_loop_list(ctx, stmt.list, stmt.start)
    if counted:
        items = store_charged_list(ctx, stmt, items)
    return ctx.bind_local(stmt.var), items


def store_charged_list(ctx: Lowering, stmt: g.Each, items: ir.Expr) -> ir.Expr:
    """Store the list of a loop, and charge a step for each round."""
    items = ctx.store_in_local(items)
    ctx.charge_steps(ctx.number_rule_span(stmt.span), stmt.body, ir.Count(ir.NUMBER, items))
    return items


def lower_loop_list(ctx: Lowering, items: g.Expr, start: g.Expr | None) -> ir.Expr:
    """Return the list of a loop, copied at its start and rotated to begin with `start`."""
    code = lower_list(ctx, items)
    if start is None:
        never_changes = isinstance(items, g.Members) or (isinstance(items, g.Builtin) and ctx.layout.fixed_seats)
        return code if never_changes or ctx.is_independent_list(code) else ir.Op(code.kind, "copied", (code,))
    if isinstance(items, g.Builtin) and items.name == "players" and ctx.layout.fixed_seats:
        n = ctx.layout.players
        table = [tuple((seat + step) % n for step in range(n)) for seat in range(n)]
        return ir.Entry(code.kind, ctx.add_table("SEATS", "from", table), lower_present_value(ctx, start))
    return ir.Op(code.kind, "rotated", (code, lower_present_value(ctx, start)))


def lower_loop_body(ctx: Lowering, stmt: g.Each, var: ir.Local, lower_inner: Callable[[], None]) -> ir.Body:
    """Return the body of a loop.

    It skips players eliminated during the loop, and items that no longer pass its condition.
    """
    tests = [build_not_eliminated_test(ctx, var)] if stmt.var.type.tag == "player" else []
    if stmt.condition is not None:
        tests.append(lower_expression(ctx, stmt.condition))
    inner, condition = lower_nested(ctx, stmt.body, lower_inner), build_conjunction(tests)
    return inner if condition == ir.TRUE else (ir.If(condition, inner),)


def build_not_eliminated_test(ctx: Lowering, player: ir.Expr) -> ir.Expr:
    return ir.Not(ir.FLAG, ir.Op(ir.FLAG, "is_out", (player,))) if ctx.layout.eliminates else ir.TRUE


# ---------------------------------------------------------------- reactions and properties
@lowers_statement(g.Cancel)
def lower_cancel(ctx: Lowering, stmt: g.Cancel) -> None:
    ctx.emit(ir.SetLink(ctx.env[LINK_DEPTH], ctx.env[LINK_BASE], LINK_CANCELLED, ir.ONE))
    name = ir.Const(ir.TEXT, ctx.current_step)
    ctx.emit(ir.Event("cancelled", ctx.number_rule_span(stmt.span), (name,)))


@lowers_statement(g.Property)
def lower_property(ctx: Lowering, stmt: g.Property) -> None:
    values = tuple(lower_expression(ctx, side) for side in find_explaining_operands(stmt.condition))
    ctx.properties.append(stmt)
    ctx.emit(ir.Expect(len(ctx.properties) - 1, lower_expression(ctx, stmt.condition), values))
