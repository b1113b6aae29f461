"""Search for the sizes of a table's parts, so that the fullest tables of a match fit a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import define, field

from cardlang.ui.terminal.screen.text_blocks import BOARD_SIZES, BoardSizes, TablePlan, TextBlock

TABLE_PARTS = ("seats", "middle", "kinds", "own")
"""Names of the panes with the cards on the table."""
FIXED_LINES = 3
"""Number of lines for the heading and the keys."""
EVENT_LINES = (3, 2)
"""Numbers of lines for events: the wanted one, and the minimum."""
MIN_PROMPT_LINES = 4
"""Minimum number of lines for the prompt: its rule, the question and two lines of options."""
MAX_PROMPT_SHARE = 0.25
"""Maximum share of the screen for the prompt."""


class MeasurableTable(Protocol):
    """Table whose parts can be drawn to measure them. `columns`: screen width."""

    columns: int

    def render_part(self, name: str, sizes: BoardSizes) -> TextBlock:
        """Return the text of a part of the table."""

    def render_prompt(self) -> TextBlock:
        """Return the text of the prompt."""


@define
class TablePlanner:
    """Search for the largest parts that show all these tables on a screen of `rows` lines.

    `event_lines`: lines wanted for events, if more than usual. `board_sizes`: sizes to try, the largest first."""

    boards: Sequence[MeasurableTable]
    rows: int
    event_lines: int = 0
    board_sizes: Sequence[BoardSizes] = BOARD_SIZES
    heights: dict[tuple[str, BoardSizes], int] = field(factory=dict, init=False)

    def plan(self, prompt: int = 0) -> TablePlan:
        """Return the sizes of the parts. If no size fits, the largest parts scroll.

        `prompt`: minimum number of lines for the prompt."""
        screen_size = self.boards[0].columns, self.rows
        prompt = max(prompt, MIN_PROMPT_LINES, *(len(board.render_prompt()) for board in self.boards))
        prompt = min(prompt, int(self.rows * MAX_PROMPT_SHARE))
        room = self.rows - FIXED_LINES - prompt
        for event_lines in filter(None, (self.event_lines, *EVENT_LINES)):
            for sizes in self.board_sizes:
                heights = self.measure_heights(sizes)
                left = room - event_lines - sum(heights.values())
                if left >= sizes.spaced and (not sizes.packed or event_lines in (self.event_lines, EVENT_LINES[-1])):
                    return TablePlan(screen_size, sizes, heights | {"prompt": prompt})
        while sum(heights.values()) > max(room - event_lines, 0):
            heights[max(heights, key=heights.__getitem__)] -= 1
        return TablePlan(screen_size, sizes, heights | {"prompt": prompt}, is_crowded=True)

    def measure_heights(self, sizes: BoardSizes) -> dict[str, int]:
        """Return the lines that each part needs at a size.

        A part is drawn twice, because the second drawing has the widths of all tables."""
        heights: dict[str, int] = {}
        for name in TABLE_PARTS:
            key = (name, sizes.select(name))
            for _ in () if key in self.heights else range(2):
                self.heights[key] = max(len(board.render_part(*key)) for board in self.boards)
            heights[name] = self.heights[key] + (sizes.spaced and name != "own" and self.heights[key] > 0)
        return heights
