"""Lowering of simultaneous choices: secret choices, then their effects in seat order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cardlang import model as g
from cardlang.model.simultaneous_choice_conflicts import can_choices_conflict
from interpreter import ir
from interpreter.lower.control_flow import (
    build_not_eliminated_test,
    lower_loop,
    lower_loop_body,
    lower_loop_list,
    store_charged_list,
)
from interpreter.lower.decisions import (
    DecisionStatement,
    PendingDecision,
    emit_choice,
    find_choice_variable,
    is_multi_choice,
    run_chosen_move,
    run_unless_passed,
)
from interpreter.lower.lowering_context import Lowering, lower_expression, lowers_statement
from interpreter.lower.option_codes import lower_domain, lower_option_conditions, run_option
from interpreter.lower.values_and_definitions import build_conjunction, build_minus, build_plus, lower_list


@lowers_statement(g.Each)
def lower_each(ctx: Lowering, stmt: g.Each) -> None:
    if stmt.together:
        lower_simultaneous(ctx, stmt)
    else:
        lower_loop(ctx, stmt)


def lower_simultaneous(ctx: Lowering, stmt: g.Each) -> None:
    """Lower the choices of all players, then the bodies in seat order. The choices stay secret until then."""
    choice = stmt.body[0]
    if not isinstance(choice, g.Pick | g.Choose | g.Menu):
        raise AssertionError("a choice")
    chosen, player, site = ctx.create_local(ir.ANSWERS), ctx.create_local(ir.SEAT), -1

    def store_choice(decision: PendingDecision) -> None:
        nonlocal site
        site = decision.site
        ctx.emit(ir.Assign(chosen, ir.Op(ir.ANSWERS, "with_answer", (chosen, player, decision.choice))))

    ctx.reported_place = None
    with ctx.collect_emitted() as asking, ctx.set_temporarily(pass_flag=None):
        items = store_charged_list(ctx, stmt, lower_loop_list(ctx, stmt.list, stmt.start))
        ctx.env[stmt.var.id] = player
        body = lower_loop_body(ctx, stmt, player, lambda: emit_choice(ctx, choice, (), store_choice))
        ctx.emit(ir.ForEach(player, items, body))
    ctx.emit(ir.Mark(site, chosen))
    ctx.emit(ir.Assign(chosen, ir.Op(ir.ANSWERS, "no_answers", ())))
    ctx.body.extend(asking)
    answer = ctx.create_local(ir.NUMBERS if is_multi_choice(choice) else ir.NUMBER)
    if isinstance(choice, g.Choose):
        ctx.bind_local(choice.var)
    conflict = not ctx.game.legacy and can_choices_conflict(ctx.game, stmt)
    with ctx.collect_emitted() as carrying_out, ctx.forget_inner_names():
        values = (player, ir.build_number(site), answer)
        ctx.emit(ir.Event("chose", ctx.number_rule_span(choice.span), values))
        run = partial(run_rechecked_move, condition=stmt.condition) if conflict else run_chosen_move
        run_unless_passed(ctx, choice, PendingDecision(site, player, answer), run)
    ctx.emit(ir.Answers(chosen, player, answer, tuple(carrying_out)))


# ---------------------------------------------------------------- testing again
def run_rechecked_move(
    ctx: Lowering, stmt: DecisionStatement, decision: PendingDecision, condition: g.Expr | None
) -> None:
    """Carry out a choice that another one may have invalidated, if it is still possible.

    condition: the condition of the loop over the players."""
    tests = [build_not_eliminated_test(ctx, decision.player)]
    if condition is not None:
        tests.append(lower_expression(ctx, condition))
    run_only_if(
        ctx, build_conjunction(tests), decision.player, stmt, lambda: run_if_still_possible(ctx, stmt, decision)
    )


def run_if_still_possible(ctx: Lowering, stmt: DecisionStatement, decision: PendingDecision) -> None:
    """Carry out a choice if the chosen items are still available."""

    def run_choice() -> None:
        run_chosen_move(ctx, stmt, decision, run_rechecked_option)

    match stmt:
        case g.Pick(position=None):
            run_if_still_there(ctx, lower_list(ctx, stmt.source), stmt, decision, run_choice)
        case g.Choose():
            item = stmt.var.type.item or stmt.var.type if stmt.several else stmt.var.type
            items = lower_domain(ctx, stmt.domain, item, decision.player, keep_copies=True)
            run_if_still_there(ctx, items, stmt, decision, lambda: run_if_provided(ctx, stmt, decision, run_choice))
        case _:
            run_choice()  # the number of cards from the top is clipped; `run_rechecked_option` tests options one by one


def run_if_still_there(
    ctx: Lowering, items: ir.Expr, stmt: g.Pick | g.Choose, decision: PendingDecision, then: Callable[[], None]
) -> None:
    several = is_multi_choice(stmt)
    picks = decision.choice if several else ir.Items(ir.NUMBERS, (build_minus(decision.choice, ir.ONE),))
    found, count = find_remaining_picks(ctx, items, picks, decision.player), ir.Count(ir.NUMBER, decision.choice)
    tests: list[ir.Expr] = [ir.Compare(ir.FLAG, "=", ir.Count(ir.NUMBER, found), count if several else ir.ONE)]
    if several and stmt.high is not None:
        tests.append(ir.Compare(ir.FLAG, "<=", count, lower_expression(ctx, stmt.high)))

    def continue_with_remaining_picks() -> None:
        first = ir.Op(ir.NUMBER, "item_at", (found, ir.ZERO))
        ctx.emit(ir.Assign(decision.choice, found if several else build_plus(first, ir.ONE)))
        then()

    run_only_if(ctx, build_conjunction(tests), decision.player, stmt, continue_with_remaining_picks)


def run_if_provided(ctx: Lowering, stmt: g.Choose, decision: PendingDecision, then: Callable[[], None]) -> None:
    if stmt.provided is None:
        then()
        return
    value = decision.choice if stmt.several else build_minus(decision.choice, ir.ONE)
    var = find_choice_variable(ctx, stmt)
    ctx.emit(ir.Assign(var, value))
    run_only_if(ctx, lower_expression(ctx, stmt.provided), decision.player, stmt, then)


def run_rechecked_option(ctx: Lowering, option: g.Option, player: ir.Expr, binding_index: int = 0) -> None:
    """Test the bindings from `binding_index` on, then the conditions and costs; then take the option."""
    if binding_index == len(option.binders):
        conditions = build_conjunction([condition for _, condition in lower_option_conditions(ctx, option, player)])
        run_only_if(ctx, conditions, player, option, lambda: run_option(ctx, option, player))
        return
    var, domain = option.binders[binding_index]
    local = ctx.env[var.id]
    if not isinstance(local, ir.Local):
        raise AssertionError("a variable")
    items = lower_domain(ctx, domain, var.type, player, keep_copies=True)
    found = find_remaining_picks(ctx, items, ir.Items(ir.NUMBERS, (local,)), player)

    def continue_with_next_binding() -> None:
        ctx.emit(ir.Assign(local, ir.Op(local.kind, "item_at", (found, ir.ZERO))))
        run_rechecked_option(ctx, option, player, binding_index + 1)

    run_only_if(ctx, found, player, option, continue_with_next_binding)


def find_remaining_picks(ctx: Lowering, items: ir.Expr, picks: ir.Expr, player: ir.Expr) -> ir.Local:
    """Return the picks that are still among the items. Another copy replaces a missing card."""
    found = ctx.create_local(ir.NUMBERS)
    cards = items.kind.item == ir.CARD
    item = ctx.create_local(ir.NUMBER)
    value: ir.Expr = ir.Op(ir.NUMBERS, "still_there", (items, picks, player))
    if not cards:
        held = ctx.store_in_local(items)
        value = ir.Loop(ir.NUMBERS, "list", (ir.For(item, picks), ir.Test(ir.IsIn(ir.FLAG, item, held))), item)
    ctx.emit(ir.Assign(found, value))
    return found


def run_only_if(
    ctx: Lowering, condition: ir.Expr, player: ir.Expr, part: DecisionStatement | g.Option, then: Callable[[], None]
) -> None:
    """Run `then` if the condition holds; otherwise report that the choice is no longer possible."""
    if condition == ir.TRUE:
        then()
        return
    with ctx.emit_if(condition, (build_lapse_event("choice", player, ctx.number_rule_span(part.span)),)):
        then()


def build_lapse_event(kind: str, player: ir.Expr, place: int) -> ir.Stmt:
    """Report that a choice or an announcement of a player is no longer possible."""
    return ir.Event("lapsed", place, (ir.Const(ir.TEXT, kind), player))
