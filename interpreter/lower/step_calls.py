"""Lowering of step calls: inlined, as a function or as a routine."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import model as g
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import walk
from interpreter import ir
from interpreter.lower.control_flow import emit_learned_value
from interpreter.lower.lowering_context import Lowering, PassFlag, lower_body, lower_expression, lowers_statement
from interpreter.lower.routines import add_function, emit_step_start, find_called_steps, queue_routine
from interpreter.lower.seats_that_know_cards import (
    bind_note_parameters,
    build_note_arguments,
    is_tracked_name,
    list_note_parameters,
    narrow_before_statement,
)
from interpreter.lower.seats_that_know_values import build_candidates_variable, build_knowers_variable
from interpreter.lower.values_and_definitions import list_by_card, lower_number, lower_present_value

MAX_INLINE_STEP = 50
"""Maximum size, in nodes, of an inlined step."""

PASS_DEPTH, PASS_BASE = -4, -5
"""Numbers of the variables with the address of the pass flag."""


@lowers_statement(g.Do)
def lower_do(ctx: Lowering, stmt: g.Do) -> None:
    step = ctx.game.steps[stmt.step]
    for param, arg in zip(step.params, stmt.args, strict=True):
        emit_learned_value(ctx, param, arg)
    args = build_step_arguments(ctx, step, stmt)
    if ctx.suspension.can_wait_for_player(stmt):
        if ctx.suspension.is_called_once(step.name) and step.name not in ctx.enclosing_steps:
            bind_parameters(ctx, step, args)
            emit_step_scope(ctx, step)
        else:
            narrow_before_statement(ctx, stmt)
            place = ctx.number_rule_span(stmt.span)
            ctx.emit(ir.Run(add_step_routine(ctx, step), (*args, *build_pass_address(ctx, step)), place))
    elif is_short(step):
        inline_step(ctx, step, args)
    else:
        narrow_before_statement(ctx, stmt)
        name = add_function(ctx, "S", step.name, list_step_parameters(ctx, step), step.body, step)
        finishes = not ctx.layout.finishing.isdisjoint({step.name, *find_called_steps(ctx.game, step.body)})
        ctx.emit(ir.Do(name, args, finishes and ctx.in_routine))


def build_step_arguments(ctx: Lowering, step: g.Step, stmt: g.Do) -> tuple[ir.Expr, ...]:
    """Return the arguments of a step: the acting player, and its parameters."""
    values = [lower_present_value(ctx, stmt.of)] if stmt.of is not None else []
    values += [lower_argument(ctx, var, arg) for var, arg in zip(step.params, stmt.args, strict=True)]
    return (*values, *build_note_arguments(ctx, step.params, stmt.args))


def list_step_parameters(ctx: Lowering, step: g.Step) -> tuple[g.Var, ...]:
    return ((step.you,) if step.you else ()) + step.params + list_note_parameters(ctx, step.params)


def lower_argument(ctx: Lowering, var: g.Var, arg: g.Expr) -> ir.Expr:
    scale = ctx.layout.scales.variable_scales.get(var.id, 1)
    return lower_present_value(ctx, arg, lower_number(ctx, arg, scale) if arg.type.tag == "number" else None)


def build_pass_address(ctx: Lowering, step: g.Step) -> tuple[ir.Expr, ...]:
    """Return the address where a step stores that a player has passed: depth of the frame, and slot."""
    if step.name not in ctx.suspension.passing_steps:
        return ()
    if ctx.pass_flag is None:
        return (ir.build_number(-1), ir.ZERO)
    if ctx.pass_flag.flag is None:
        return (ctx.pass_flag.depth, ctx.pass_flag.base)
    ctx.frame_variables.add(ctx.pass_flag.flag.number)
    return (ir.Op(ir.NUMBER, "depth", ()), ir.SlotOf(ir.NUMBER, ctx.pass_flag.flag))


# ---------------------------------------------------------------- inlining
def is_short(step: g.Step) -> bool:
    """Check whether a step's body is short enough to inline."""
    parts = list(walk(step.body))
    effects = list(map(find_effects, parts))
    return len(parts) <= MAX_INLINE_STEP and not any(each.finished or each.steps or each.card_steps for each in effects)


def inline_step(ctx: Lowering, step: g.Step, args: Sequence[ir.Expr]) -> None:
    with ctx.set_temporarily(env=dict(ctx.env)):
        bind_parameters(ctx, step, args)
        lower_step_code(ctx, step)


def bind_parameters(ctx: Lowering, step: g.Step, args: Sequence[ir.Expr]) -> None:
    for param, value in zip(list_step_parameters(ctx, step), args, strict=True):
        if isinstance(value, ir.Const | ir.Local):
            ctx.env[param.id] = value
        else:
            ctx.emit(ir.Assign(ctx.bind_local(param, value.kind), value))


def emit_step_scope(ctx: Lowering, step: g.Step) -> None:
    """Emit the code of a step that may wait. Its parameters are bound."""
    flag = ctx.pass_flag if step.name in ctx.suspension.passing_steps else None
    with (
        ctx.collect_emitted() as body,
        ctx.set_temporarily(pass_flag=flag, enclosing_steps=(*ctx.enclosing_steps, step.name)),
    ):
        lower_step_code(ctx, step)
    ctx.emit(ir.Scope(step.name, tuple(body)))


def lower_step_code(ctx: Lowering, step: g.Step) -> None:
    with ctx.set_temporarily(current_step=step.name), ctx.forget_inner_names():
        bind_note_parameters(ctx, step.params)
        emit_step_start(ctx, step)
        lower_body(ctx, step.body)


# ---------------------------------------------------------------- routines
def add_step_routine(ctx: Lowering, step: g.Step) -> str:
    """Return the routine of a step with a frame of its own."""

    numbers = (PASS_DEPTH, PASS_BASE) if step.name in ctx.suspension.passing_steps else ()
    place = tuple(g.Var(g.NUMBER, step.origin.span, number, "pass") for number in numbers)

    def lower_step_frame() -> None:
        if place:
            ctx.pass_flag = PassFlag(None, ctx.env[PASS_DEPTH], ctx.env[PASS_BASE])
        emit_step_scope(ctx, step)

    queue_routine(ctx, step.name, (*list_step_parameters(ctx, step), *place), lower_step_frame)
    return step.name


# ---------------------------------------------------------------- steps of cards
@lowers_statement(g.DoBorne)
def lower_do_borne(ctx: Lowering, stmt: g.DoBorne) -> None:
    card = ctx.store_in_local(lower_expression(ctx, stmt.card))
    notes = build_note_arguments(ctx, [find_card_variable(ctx, stmt.step)], [stmt.card])
    args = (card, lower_present_value(ctx, stmt.of), *notes)
    narrow_before_statement(ctx, stmt)
    if ctx.suspension.can_wait_for_player(stmt):
        place = ctx.number_rule_span(stmt.span)
        ctx.emit(ir.RunBorne(add_card_routine_table(ctx, stmt.step), card, args, place))
    else:
        ctx.emit(ir.DoBorne(add_card_function_table(ctx, stmt.step), card, args, ctx.in_routine))


def find_card_variable(ctx: Lowering, name: str) -> g.Var:
    """Return the variable for the card of a card step.

    For a step shared by several cards, prefer a variable whose cards may move to a hidden zone.
    """
    cards = [body.card for body in ctx.game.borne_steps[name].bodies if body]
    return next((card for card in cards if is_tracked_name(ctx, card)), cards[0])


def list_card_step_parameters(ctx: Lowering, name: str, body: g.BorneStepBody) -> tuple[g.Var, ...]:
    carried = is_tracked_name(ctx, find_card_variable(ctx, name))
    notes = (build_knowers_variable(body.card), build_candidates_variable(body.card)) if carried else ()
    return (body.card, body.you, *notes)


def add_card_routine_table(ctx: Lowering, name: str) -> str:
    """Add a table from cards to the routines of their steps."""

    def add_routine(body: g.BorneStepBody, number: int) -> str:
        def lower_card_step() -> None:
            bind_note_parameters(ctx, [body.card])
            lower_body(ctx, body.body)

        routine = f"borne {name} {number}"
        queue_routine(ctx, routine, list_card_step_parameters(ctx, name, body), lower_card_step)
        return routine

    if name not in ctx.card_step_routines:
        bodies = ctx.game.borne_steps[name].bodies
        ctx.card_step_routines[name] = list_by_card(ctx, bodies, lambda body: body.body, add_routine)
    return name


def add_card_function_table(ctx: Lowering, name: str) -> str:
    def add_card_function(body: g.BorneStepBody, number: int) -> str:
        return add_function(ctx, "e", f"{name} {number}", list_card_step_parameters(ctx, name, body), body.body)

    table = ctx.make_identifier("E", name)
    if table not in ctx.dispatch_tables:
        ctx.dispatch_tables[table] = ()
        bodies = ctx.game.borne_steps[name].bodies
        ctx.dispatch_tables[table] = list_by_card(ctx, bodies, lambda body: body.body, add_card_function)
    return table


@lowers_statement(g.Finish)
def lower_finish(ctx: Lowering, stmt: g.Finish) -> None:
    if stmt.step == ctx.current_step and not ctx.in_routine:
        ctx.emit(ir.Return())
    else:
        ctx.emit(ir.Leave(stmt.step))
