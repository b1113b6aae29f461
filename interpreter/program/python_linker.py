"""Linker of IR functions to Python functions and frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import Any

from attrs import evolve

from cardlang import model as g
from interpreter import ir
from interpreter.codegen.python.python_effects import PythonCodegenSettings
from interpreter.codegen.python.python_statements import generate_python_block, generate_python_function
from interpreter.hands.hand_evaluator import compute_unordered_limit
from interpreter.lower.lowering_context import Lowering
from interpreter.optimize.dead_events import EventEliminator
from interpreter.optimize.jump_and_frame_optimization import find_live_variables
from interpreter.runtime.state import ABSENT, State
from interpreter.runtime.state_layout import Layout


class LinkedProgram:
    """Linked part of a program.

    blocks: the functions between which a match can pause.
    enclosing: for each block, its enclosing steps with the block that follows each.
    namespace: all names that the generated source uses."""

    game: g.Game
    layout: Layout
    listen: bool
    lowering: Lowering
    linking: RLock
    blocks: list[Callable[..., int]]
    enclosing: list[dict[str, int]]
    sources: list[str]
    linked: set[str]
    namespace: dict[str, Any]

    def link_new_code(self) -> None:
        """Generate and load Python functions for the code lowered since the last call."""
        lowering, splitter = self.lowering, self.lowering.splitter
        first = len(self.blocks)
        setting = PythonCodegenSettings(self.listen, splitter.entry_blocks, splitter.frames, self.layout)
        texts: list[str] = []
        for block in splitter.blocks[first:]:
            if block.body:
                frame = splitter.frames.get(block.routine)
                texts.append(generate_python_block(self.strip_block_events(block), frame, setting))
        for function in lowering.functions.values():
            if function is not None and function.name not in self.linked:
                self.linked.add(function.name)
                played, frame = self.strip_function_events(function), self.get_function_frame(function)
                texts.append(generate_python_function(played, frame, setting))
        self.namespace.update(lowering.tables)
        self.execute_source("\n\n".join(texts))
        for table, names in lowering.dispatch_tables.items():
            self.namespace[table] = [self.namespace[name] if name is not None else None for name in names]
        for table, names in lowering.card_step_routines.items():
            self.namespace["BORNE"][table] = [splitter.entry_blocks[name] if name else ABSENT for name in names]
        for routine, frame in splitter.frames.items():
            self.namespace["PADS"][splitter.entry_blocks[routine]] = frame.initial_values
        self.enclosing = [block.enclosing for block in splitter.blocks]
        self.blocks += [
            self.namespace.get(f"B{block.number}", fail_on_merged_block) for block in splitter.blocks[first:]
        ]

    # ------------------------------------------------------------ optimized for play
    def strip_function_events(self, function: ir.Function) -> ir.Function:
        """Return a function for play, without event-only code if there are no listeners."""
        frame = self.get_function_frame(function)
        return function if self.listen else function.replace(body=self.strip_body_events(function.body, frame))

    def strip_block_events(self, block: ir.Block) -> ir.Block:
        """Return a block for play, without event-only code if there are no listeners.

        Its frame stays unchanged: a match may continue in a program with events."""
        if self.listen:
            return block
        quiet = evolve(
            block,
            body=list(self.strip_body_events(tuple(block.body), self.lowering.splitter.frames.get(block.routine))),
        )
        quiet.reads = find_live_variables(quiet)
        return quiet

    def strip_body_events(self, body: tuple[ir.Stmt, ...], frame: ir.Frame | None) -> tuple[ir.Stmt, ...]:
        return self.event_eliminator.remove_events(body, frame.slots if frame is not None else ())

    @cached_property
    def event_eliminator(self) -> EventEliminator:
        return EventEliminator(self.lowering.functions, self.get_max_hand_size)

    def get_max_hand_size(self, name: str) -> int:
        """Return the largest hand that a ranking can always classify."""
        ranking = self.game.rankings[name]
        groups = [len(pattern.groups) for rank in ranking.ranks for pattern in rank.patterns]
        return 0 if ranking.wilds or ranking.size == "groups" else compute_unordered_limit(groups)

    # ------------------------------------------------------------ frames
    def get_routine_slots(self, routine: str) -> dict[int, int]:
        frame = self.lowering.splitter.frames.get(routine)
        return frame.slots if frame is not None else {}

    def get_function_frame(self, function: ir.Function) -> ir.Frame | None:
        """Return the frame of a function that lists moves; None for any other function."""
        if function.site is None:
            return None
        splitter = self.lowering.splitter
        block = next(block for block, at in splitter.sites_by_block.items() if at == function.site)
        return splitter.frames[splitter.blocks[block].routine]

    def get_site_slots(self, site: int) -> dict[int, int]:
        splitter = self.lowering.splitter
        return self.get_routine_slots(
            next(splitter.blocks[block].routine for block, at in splitter.sites_by_block.items() if at == site)
        )

    def get_block_frame(self, block: int) -> ir.Frame | None:
        """Return the frame of a block."""
        splitter = self.lowering.splitter
        return splitter.frames.get(splitter.blocks[block].routine)

    def execute_source(self, source: str) -> None:
        self.sources.append(source)
        exec(compile(source, f"<{self.game.title}>", "exec"), self.namespace)

    @property
    def source(self) -> str:
        """Generated Python source of the game."""
        return "\n\n".join(self.sources)


def fail_on_merged_block(s: State) -> int:
    raise AssertionError("expected a block of its own, but this one has been merged into another")
