"""What stays as it is from one screen to the next, so that nothing on a table jumps."""

from __future__ import annotations

import re

from attrs import define, field

from cardlang.terminal.screen.blocks import Block
from interpreter.table.model import Table

ROOMY = 3
"""At so many questions there has been room before a table grows again."""
UNSPACED = 1
"""The largest size without empty lines."""
COUNTED = re.compile(r"\d+")


@define
class Calm:
    """The size that was chosen for a screen of `shape` (columns and rows), and how high its parts have been: they never
    grow smaller while it holds. `fanned`: the piles that lay as a fan; `phases`: what was on so far. `choices`: so
    many were made at the last question; `roomy`: at so many questions, one after another, there was room for a larger
    size."""

    shape: tuple[int, int] = (0, 0)
    size: int = 0
    heights: dict[str, int] = field(factory=dict)
    fanned: set[str] = field(factory=set)
    phases: set[tuple[str, ...]] = field(factory=set)
    choices: int = -1
    roomy: int = 0

    def fit(self, columns: int, rows: int) -> None:
        """Begins anew on a screen of another size."""
        if self.shape != (columns, rows):
            self.shape = columns, rows
            self.begin()

    def follow(self, table: Table) -> None:
        """Begins anew where something else is on for the first time: after bids, tricks."""
        phase = phase_of(table)
        if phase not in self.phases:
            self.phases.add(phase)
            self.begin()

    def see(self, size: int) -> None:
        """At another question there is room for this size. What became small as much had happened once grows again
        when that is over for a while, but for the empty lines between the parts."""
        size = max(size, UNSPACED)
        self.roomy = self.roomy + 1 if size < self.size else 0
        if self.roomy == ROOMY:
            self.begin()
            self.size = size

    def begin(self) -> None:
        self.size, self.heights, self.roomy = 0, {}, 0
        self.fanned.clear()


def phase_of(table: Table) -> tuple[str, ...]:
    """What is on, whoever is on and however often it has been."""
    owned = ["your", *(f"{place.name}'s" for place in table.places)]
    headings = (COUNTED.sub("", heading) for heading in table.heading)
    return tuple(" ".join(word for word in heading.split() if word not in owned) for heading in headings)


def raised(block: Block, height: int) -> Block:
    """A block with empty lines below it, up to a height."""
    return (*block, *[()] * (height - len(block)))
