"""Lowerer of a whole game, and of later values and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve

from cardlang import model as g
from cardlang.model.traversal import walk
from interpreter import ir
from interpreter.ir.simplifier import rewrite_bottom_up
from interpreter.ir.traversal import Part
from interpreter.lower.announcements_and_reactions import AnnouncementLowerer
from interpreter.lower.block_splitter import BlockSplitter
from interpreter.lower.list_expressions import list_ranking_functions
from interpreter.lower.standings import add_standing_functions
from interpreter.optimize.inliner import FunctionInliner
from interpreter.optimize.list_optimization import (
    SingleCandidateShortcut,
    rewrite_best_selections,
    rewrite_conditional_lists,
)
from interpreter.optimize.loop_optimization import (
    LoopInvariantHoister,
    QuantifierShortCircuiter,
    optimize_loop_part,
    unroll_statements,
)
from interpreter.optimize.value_reuse import (
    CardTableBuilder,
    drop_needless_limits,
    has_side_effects,
    propagate_copies,
    share_in_function,
)
from interpreter.runtime.layout import Layout

GAME_ROUTINE = "the game"
NEVER_REPLACED = frozenset(
    {ir.Local, ir.Entry, ir.For, ir.Let, ir.Spread, ir.Key, ir.Count, ir.Items, ir.Assign, ir.Store}
)
"""The most frequent nodes, which `GameLowerer.optimize_part` never replaces."""
END_BLOCK, FIRST_BLOCK = 0, 1
"""Numbers of the blocks where a match ends and begins."""


class GameLowerer(AnnouncementLowerer):
    """Lowering of a whole game. `splitter` holds the blocks."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.inliner = FunctionInliner(self.optimize_function)
        self.splitter = BlockSplitter(self.expression_lowerer.create_local, self.finished_steps, self.inliner)
        self.splitter.find_entry_block(GAME_ROUTINE)
        self.optimized_names: set[str] = set()
        self.names_in_optimization: set[str] = set()
        self.short_circuiter = QuantifierShortCircuiter(self.expression_lowerer.outline_function)
        self.candidate_shortcut = SingleCandidateShortcut(
            self.functions, partial(list_ranking_functions, self.expression_lowerer)
        )
        self.hoister = LoopInvariantHoister(self.expression_lowerer.create_local, self.short_circuiter.can_stop_early)
        self.card_tables = CardTableBuilder(
            self.expression_lowerer.tables, layout.cards, self.expression_lowerer.make_identifier
        )

    def lower_game(self) -> None:
        """Lower the game from set-up to the end, and the starts of tracks and card marks."""
        steps = [g.Do(s.origin.span, s.name, None, ()) for s in self.game.steps.values() if s.name in ("setup", "play")]
        steps.sort(key=lambda do: do.step == "play")
        self.queue_routine(GAME_ROUTINE, (), lambda: self.lower_body(tuple(steps)))
        self.add_start_function("start_all", lambda track: True)
        self.add_start_function("start_tracks", lambda track: not isinstance(track.start, g.Const))
        if self.layout.marks:
            self.add_mark_start_function()
        self.finish_lowering()

    def add_start_function(self, name: str, is_wanted: Callable[[g.Track], bool]) -> None:
        """Add a function that sets the wanted tracks to their start values."""
        with self.collect_emitted() as body:
            for track in self.game.tracks.values():
                if is_wanted(track):
                    self.emit_track_restart(track, None)
        self.functions[name] = ir.Function(name, (), tuple(body))

    def add_mark_start_function(self) -> None:
        """Add the function that resets card marks when a card changes zones."""
        card = self.expression_lowerer.create_local(ir.CARD)
        with self.collect_emitted() as body:
            for name, base in self.layout.marks:
                track = self.game.tracks[name]
                with self.expression_lowerer.bind_temporarily(track.var, card):
                    value = self.expression_lowerer.lower_stored_value(
                        track.start, track.type, self.layout.scales.track_scales[name]
                    )
                self.emit(ir.Store(base, card, value))
        self.functions["restart_marks"] = ir.Function("restart_marks", (card,), tuple(body))

    def finish_lowering(self) -> None:
        """Lower the waiting routines, optimize all functions, and cut the routines into blocks."""
        self.lower_pending_routines()
        for name in list(self.functions):
            self.optimize_function(name)
        for name, routine in self.routines.items():
            if routine is not None and name not in self.splitter.frames:
                self.splitter.split_routine(
                    evolve(routine, body=self.optimize_loops(routine.body)), opening_routine=GAME_ROUTINE
                )
        while fresh := [name for name in self.functions if self.functions[name] and name not in self.optimized_names]:
            for name in fresh:
                self.optimize_function(name)

    def optimize_function(self, name: str) -> ir.Function | None:
        """Optimize a function. Return None while it is being optimized, or if the program defines it itself."""
        function = self.functions.get(name)
        if function is None or name in self.names_in_optimization:
            return None
        if name not in self.optimized_names:
            self.optimized_names.add(name)
            self.names_in_optimization.add(name)
            body = rewrite_conditional_lists(self.optimize_loops(function.body), self.expression_lowerer.create_local)
            body = self.inliner.inline_calls(propagate_copies(body))
            if not has_side_effects(body):
                body = self.hoister.hoist_from_statements(body)
            body = propagate_copies(share_in_function(body, self.expression_lowerer.create_local))
            self.functions[name] = function = evolve(function, body=body)
            self.names_in_optimization.remove(name)
        return function

    def optimize_loops(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """Unroll loops over few players, and shorten the searches of other loops."""
        body = self.card_tables.tabulate_body(unroll_statements(rewrite_bottom_up(body, self.optimize_part)))
        return rewrite_best_selections(
            drop_needless_limits(body), self.expression_lowerer.create_local, self.candidate_shortcut
        )

    def optimize_part(self, part: Part) -> Part:
        if type(part) in NEVER_REPLACED:
            return part
        part = optimize_loop_part(part)
        return self.short_circuiter.short_circuit_part(
            self.hoister.hoist_from_loop(part) if isinstance(part, ir.Loop) else part
        )

    def add_value_function(self, expr: g.Expr, params: Sequence[int]) -> str:
        """Add a function of the variables with these numbers that returns an expression's value."""
        name = self.expression_lowerer.make_identifier("V", str(len(self.functions)))
        with self.expression_lowerer.start_separate_scope():
            kind = self.expression_lowerer.find_value_kind(expr)
            types = {part.id: part.type for part in walk((expr,)) if isinstance(part, g.Var)}
            locals_ = tuple(
                self.expression_lowerer.create_local(self.expression_lowerer.lower_type(types.get(param, g.NUMBER)))
                for param in params
            )
            self.expression_lowerer.env.update(zip(params, locals_, strict=True))
            value = self.expression_lowerer.lower_expression(expr)
        self.functions[name] = ir.Function(name, locals_, (ir.Return(value),), kind)
        self.finish_lowering()
        return name

    def lower_standings(self) -> None:
        """Add the functions for the final ranking and the winners."""
        add_standing_functions(self.expression_lowerer)
        self.finish_lowering()

    def add_step_entry(self, do: g.Do) -> int:
        """Return the entry block of a step that runs alone, as in examples."""
        name = f"example {len(self.splitter.blocks)}"
        self.queue_routine(name, (), lambda: self.lower_body((do,)))
        entry = self.splitter.find_entry_block(name)
        self.finish_lowering()
        return entry
