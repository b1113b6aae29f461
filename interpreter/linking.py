"""Link the IR to Python functions: the functions, blocks and frames of a program."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import evolve

from cardlang import game as g
from interpreter import lowered as lo
from interpreter.helpers import MAX_SUBSETS
from interpreter.layout import Layout
from interpreter.lowering.game import Lowering
from interpreter.passes.framing import open_reads
from interpreter.passes.quieting import Quieting
from interpreter.python.effects import Setting
from interpreter.python.statements import block_text, function_text
from interpreter.ranking.alike import most_read
from interpreter.state import ABSENT, State


class Linked:
    """Linked part of a program.

    blocks: the functions between which a match can pause.
    enclosing: for each block, its enclosing steps with the block that follows each.
    namespace: all names that the source uses."""

    game: g.Game
    layout: Layout
    listen: bool
    lowering: Lowering
    blocks: list[Callable[..., int]]
    enclosing: list[dict[str, int]]
    sources: list[str]
    linked: set[str]
    namespace: dict[str, Any]

    def link(self) -> None:
        """Generate and load Python functions for the code lowered since the last call."""
        lowering, splitter = self.lowering, self.lowering.splitter
        first = len(self.blocks)
        setting = Setting(self.listen, splitter.entries, splitter.frames, self.layout)
        texts: list[str] = []
        for block in splitter.blocks[first:]:
            if block.body:
                frame = splitter.frames.get(block.routine)
                texts.append(block_text(self.played_block(block), frame, setting))
        while functions := self.wanted("\n".join(texts)):
            self.linked.update(function.name for function in functions)
            texts += [function_text(self.played(each), self.frame_of(each), setting) for each in functions]
        self.namespace.update(lowering.code.tables)
        self.execute("\n\n".join(texts))
        for table, names in lowering.code.dispatches.items():
            self.namespace[table] = [self.namespace[name] if name is not None else None for name in names]
        for table, names in lowering.borne.items():
            self.namespace["BORNE"][table] = [splitter.entries[name] if name else ABSENT for name in names]
        for routine, frame in splitter.frames.items():
            self.namespace["PADS"][splitter.entries[routine]] = frame.padding
        self.enclosing = [block.enclosing for block in splitter.blocks]
        self.blocks += [self.namespace.get(f"B{block.number}", no_block) for block in splitter.blocks[first:]]

    def wanted(self, text: str) -> list[lo.Function]:
        """Return the functions to generate next. Inlined functions are included only if the source still calls them."""
        put_in = self.lowering.inliner.put_in - {
            name for names in self.lowering.code.dispatches.values() for name in names if name is not None
        }
        return [
            each
            for each in self.lowering.functions.values()
            if each is not None
            and each.name not in self.linked
            and (each.name not in put_in or f"{each.name}(" in text)
        ]

    # ------------------------------------------------------------ optimized for play
    def played(self, function: lo.Function) -> lo.Function:
        """Return a function for play, without event-only code if there are no listeners."""
        frame = self.frame_of(function)
        return function if self.listen else evolve(function, body=self.quiet(function.body, frame))

    def played_block(self, block: lo.Block) -> lo.Block:
        """Return a block for play, without event-only code if there are no listeners.

        Its frame stays unchanged: a match may continue in a program with events."""
        if self.listen:
            return block
        quiet = evolve(
            block, body=list(self.quiet(tuple(block.body), self.lowering.splitter.frames.get(block.routine)))
        )
        quiet.reads = open_reads(quiet)
        return quiet

    def quiet(self, body: tuple[lo.Stmt, ...], frame: lo.Frame | None) -> tuple[lo.Stmt, ...]:
        return self.quieting.quieted(body, frame.slots if frame is not None else ())

    @cached_property
    def quieting(self) -> Quieting:
        return Quieting(self.lowering.functions, MAX_SUBSETS, self.most_read)

    def most_read(self, name: str) -> int:
        """Return the largest hand that a ranking can always classify."""
        ranking = self.game.rankings[name]
        groups = [len(pattern.groups) for rank in ranking.ranks for pattern in rank.patterns]
        return 0 if ranking.wilds or ranking.size == "groups" else most_read(groups)

    # ------------------------------------------------------------ frames
    def slots(self, routine: str) -> dict[int, int]:
        frame = self.lowering.splitter.frames.get(routine)
        return frame.slots if frame is not None else {}

    def frame_of(self, function: lo.Function) -> lo.Frame | None:
        """Return the frame of a function that lists moves; None for any other function."""
        if function.site is None:
            return None
        splitter = self.lowering.splitter
        block = next(block for block, at in splitter.site_of.items() if at == function.site)
        return splitter.frames[splitter.blocks[block].routine]

    def slots_at(self, site: int) -> dict[int, int]:
        splitter = self.lowering.splitter
        return self.slots(next(splitter.blocks[block].routine for block, at in splitter.site_of.items() if at == site))

    def frame_at(self, block: int) -> lo.Frame | None:
        """Return the frame of a block."""
        splitter = self.lowering.splitter
        return splitter.frames.get(splitter.blocks[block].routine)

    def execute(self, source: str) -> None:
        self.sources.append(source)
        exec(compile(source, f"<{self.game.title}>", "exec"), self.namespace)

    @property
    def source(self) -> str:
        """Generated Python source of the game."""
        return "\n\n".join(self.sources)


def no_block(s: State) -> int:
    raise AssertionError("this block has been put into another")
