"""Lowering of code with a scope of its own: functions, which never wait, and routines, which have a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardlang import model as g
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import has_matching_node, walk
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.lower.lowering_context import Lowering, lower_body
from interpreter.lower.seats_that_know_cards import bind_note_parameters
from interpreter.lower.values_and_definitions import build_slot_index, lower_stored_value

NO_SEAT = ir.Const(ir.SEAT, -1)


# ---------------------------------------------------------------- routines
def queue_routine(ctx: Lowering, name: str, params: Sequence[g.Var], lower_inner: Callable[[], None]) -> None:
    """Queue a routine with a frame of its own. It is lowered after the current one."""

    def lower_routine() -> None:
        ctx.env, ctx.frame_variables, ctx.links = {}, set(), []
        with ctx.set_temporarily(
            in_routine=True, enclosing_steps=(), current_step=name, pass_flag=None, known_names=[], body=[]
        ):
            params_in_frame = tuple(ctx.bind_local(var) for var in params)
            lower_inner()
            wanted = frozenset(ctx.frame_variables)
            ctx.routines[name] = ir.Routine(name, params_in_frame, tuple(ctx.body), wanted, tuple(ctx.links))

    if name not in ctx.routines:
        ctx.routines[name] = None
        ctx.pending_routines.append(lower_routine)


def lower_pending_routines(ctx: Lowering) -> None:
    while ctx.pending_routines:
        ctx.pending_routines.pop(0)()


# ---------------------------------------------------------------- functions
def add_function(
    ctx: Lowering, category: str, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None = None
) -> str:
    """Lower code that never waits to a function of its own, and return its name."""
    known = ctx.make_identifier(category, name)
    if known in ctx.functions:
        return known
    ctx.functions[known] = None
    code = {"in_routine": False, "enclosing_steps": (), "current_step": step.name if step else "", "pass_flag": None}
    with ctx.start_separate_scope(), ctx.collect_emitted() as found, ctx.set_temporarily(known_names=[], **code):
        names = tuple(ctx.bind_local(var) for var in params)
        bind_note_parameters(ctx, [param for param in params if is_card_type(param.type)])
        if step is not None:
            emit_step_start(ctx, step)
        if body and has_matching_node(body, lambda part: find_effects(part).runs_code):
            ctx.charge_steps(ctx.number_rule_span(body[0].span), body)
        lower_body(ctx, body)
    place = ctx.number_rule_span(body[0].span) if body else None
    catches = step.name if step is not None and step.name in find_steps_finished_by_callees(ctx, step) else None
    ctx.functions[known] = ir.Function(known, names, tuple(found), None, place, catches)
    return known


def find_called_steps(game: g.Game, body: object) -> set[str]:
    """Return the steps that a body may run, directly or through others."""
    found: set[str] = set()
    stack = [body]
    while stack:
        for part in walk(stack.pop()):
            fresh = set(find_effects(part).steps) - found
            found |= fresh
            stack += [game.steps[name].body for name in fresh]
    return found


def find_steps_finished_by_callees(ctx: Lowering, step: g.Step) -> set[str]:
    """Return the steps that functions called from here may finish."""
    if has_matching_node(step.body, lambda part: bool(find_effects(part).card_steps)):
        return ctx.layout.finishing
    bodies = [ctx.game.steps[name].body for name in find_called_steps(ctx.game, step.body)]
    return {find_effects(part).finished for body in bodies for part in walk(body)} - {""}


# ---------------------------------------------------------------- starts of steps and tracks
def emit_step_start(ctx: Lowering, step: g.Step) -> None:
    """Report the beginning of a step, and reset the tracks that restart with it."""
    you = ctx.env[step.you.id] if step.you is not None else None
    name = ir.Const(ir.TEXT, step.name)
    ctx.emit(ir.Event("step", ctx.number_rule_span(step.origin.span), (name, you or NO_SEAT)))
    for track in ctx.game.tracks.values():
        for again in track.restarts:
            if again.step == step.name:
                emit_track_restart(ctx, track, you if again.own else None)


def emit_track_restart(ctx: Lowering, track: g.Track, you: ir.Expr | None) -> None:
    """Set a track to its start value: those of the player `you`, or all of them."""
    base, scale = ctx.layout.track_base[track.name], ctx.layout.scales.track_scales[track.name]
    if track.var is None or (you is None and isinstance(track.start, g.Const)):
        value = lower_stored_value(ctx, track.start, track.type, scale)
        ctx.emit(ir.Store(base, None, value, count=len(ctx.layout.list_owners(track))))
        return
    item = ctx.create_local(ctx.lower_type(track.var.type)) if you is None else None
    member = ctx.create_local(ir.MEMBER) if track.second is not None else None
    owner = you or item or NO_SEAT
    with ctx.bind_temporarily(track.var, owner), ctx.bind_temporarily(track.second_var, member or NO_SEAT):
        slot = owner if member is None else build_slot_index(ctx, track, owner, member)
        store: ir.Stmt = ir.Store(base, slot, lower_stored_value(ctx, track.start, track.type, scale))
    for local, declared in ((item, track.subject), (member, track.second)):
        if local is not None:
            indices = tuple(range(len(ctx.layout.get_owner_indices(declared))))
            store = ir.ForEach(local, ir.Const(ir.build_list_kind(local.kind), indices), (store,))
    ctx.emit(store)
