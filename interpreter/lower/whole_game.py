"""Lowering of a whole game, and of later values and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardlang import model as g
from cardlang.model.traversal import walk
from interpreter import ir
from interpreter.lower import announcements_and_reactions, operators, step_calls  # noqa: F401  (they register lowerers)
from interpreter.lower.lowering_context import Lowering, lower_body, lower_expression
from interpreter.lower.routines import emit_track_restart, lower_pending_routines, queue_routine
from interpreter.lower.standings import add_standing_functions
from interpreter.lower.values_and_definitions import lower_stored_value
from interpreter.optimize.optimizer import run_passes

GAME_ROUTINE = "the game"
END_BLOCK, FIRST_BLOCK = 0, 1
"""Numbers of the blocks where a match ends and begins."""


def lower_game(ctx: Lowering) -> None:
    """Lower the game from set-up to the end, and the starts of tracks and card marks."""
    ctx.splitter.find_entry_block(GAME_ROUTINE)
    steps = [g.Do(s.origin.span, s.name, None, ()) for s in ctx.game.steps.values() if s.name in ("setup", "play")]
    steps.sort(key=lambda do: do.step == "play")
    queue_routine(ctx, GAME_ROUTINE, (), lambda: lower_body(ctx, tuple(steps)))
    add_start_function(ctx, "start_all", lambda track: True)
    add_start_function(ctx, "start_tracks", lambda track: not isinstance(track.start, g.Const))
    if ctx.layout.marks:
        add_mark_start_function(ctx)
    finish_lowering(ctx)


def add_start_function(ctx: Lowering, name: str, is_wanted: Callable[[g.Track], bool]) -> None:
    """Add a function that sets the wanted tracks to their start values."""
    with ctx.collect_emitted() as body:
        for track in ctx.game.tracks.values():
            if is_wanted(track):
                emit_track_restart(ctx, track, None)
    ctx.functions[name] = ir.Function(name, (), tuple(body))


def add_mark_start_function(ctx: Lowering) -> None:
    """Add the function that resets card marks when a card changes zones."""
    card = ctx.create_local(ir.CARD)
    with ctx.collect_emitted() as body:
        for name, base in ctx.layout.marks:
            track = ctx.game.tracks[name]
            second = ir.Const(ir.MEMBER, ctx.layout.get_track_bases(name).index(base))
            with ctx.bind_temporarily(track.var, card), ctx.bind_temporarily(track.second_var, second):
                value = lower_stored_value(ctx, track.start, track.type, ctx.layout.scales.track_scales[name])
            ctx.emit(ir.Store(base, card, value))
    ctx.functions["restart_marks"] = ir.Function("restart_marks", (card,), tuple(body))


def finish_lowering(ctx: Lowering) -> None:
    """Lower the waiting routines, optimize all functions, and cut the routines into blocks."""
    lower_pending_routines(ctx)
    ctx.optimizer.optimize_functions()
    for name, routine in ctx.routines.items():
        if routine is not None and name not in ctx.splitter.frames:
            body = run_passes(ctx.optimizer.loop_passes, routine.body)
            ctx.splitter.split_routine(routine.replace(body=body), opening_routine=GAME_ROUTINE)
    ctx.optimizer.optimize_functions()


def add_value_function(ctx: Lowering, expr: g.Expr, params: Sequence[int]) -> str:
    """Add a function of the variables with these numbers that returns an expression's value."""
    name = ctx.make_identifier("V", str(len(ctx.functions)))
    with ctx.start_separate_scope():
        kind = ctx.find_value_kind(expr)
        types = {part.id: part.type for part in walk((expr,)) if isinstance(part, g.Var)}
        locals_ = tuple(ctx.create_local(ctx.lower_type(types.get(param, g.NUMBER))) for param in params)
        ctx.env.update(zip(params, locals_, strict=True))
        value = lower_expression(ctx, expr)
    ctx.functions[name] = ir.Function(name, locals_, (ir.Return(value),), kind)
    finish_lowering(ctx)
    return name


def lower_standings(ctx: Lowering) -> None:
    """Add the functions for the final ranking and the winners."""
    add_standing_functions(ctx)
    finish_lowering(ctx)


def add_step_entry(ctx: Lowering, do: g.Do) -> int:
    """Return the entry block of a step that runs alone, as in examples."""
    name = f"example {len(ctx.splitter.blocks)}"
    queue_routine(ctx, name, (), lambda: lower_body(ctx, (do,)))
    entry = ctx.splitter.find_entry_block(name)
    finish_lowering(ctx)
    return entry
