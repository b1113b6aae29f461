"""Columns of cards, as in patience games: upright, or one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from cardlang.ui.terminal.screen.center_area import GROWING_FORMS
from cardlang.ui.terminal.screen.table_queries import find_visible_piles
from cardlang.ui.terminal.screen.text_blocks import (
    TextBlock,
    TextLine,
    cut_line,
    flow_blocks,
    flow_parts,
    join_blocks,
    join_lines,
    measure_width,
    pad_block_height,
    pad_line,
)
from cardlang.ui.terminal.screen.text_cards import CardRenderer
from interpreter.view.table_model import TableArea

UPRIGHT_LINES = 10
"""Number of lines for the cards of an upright column. In a longer one, the first cards share lines."""
COLUMN_GAP = 1


@frozen
class CardColumns:
    """Renderer of the columns of one kind. `render_name`: returns the pieces of a place's name."""

    places: Sequence[TableArea]
    card_renderer: CardRenderer
    columns: int
    render_name: Callable[[TableArea], list[TextLine]]

    @property
    def name_width(self) -> int:
        return max(measure_width(join_lines(self.render_name(area), 0)) for area in self.places)

    def render_upright(self) -> TextBlock:
        """Return the columns side by side, with the last card of each at the bottom."""
        most = max((self.columns + COLUMN_GAP) // (self.name_width + COLUMN_GAP), 1)
        rows = -(-len(self.places) // most)
        width = (self.columns + COLUMN_GAP) // -(-len(self.places) // rows) - COLUMN_GAP
        height = UPRIGHT_LINES + 1 if rows == 1 else 0
        blocks = [
            pad_block_height((self.build_name(area, width), *self.render_cards(area, width)), height)
            for area in self.places
        ]
        return flow_blocks([tuple(pad_line(line, width) for line in block) for block in blocks], self.columns)

    def render_lines(self) -> TextBlock:
        """Return one line for each column, from left to right."""
        width = self.name_width
        lines: list[TextLine] = []
        for area in self.places:
            cards = flow_parts(self.list_parts(area), self.columns - width - 1, 0)
            lines += join_blocks([(self.build_name(area, width),), cards], 1)
        return tuple(lines)

    def render_cards(self, place: TableArea, width: int) -> TextBlock:
        parts = self.list_parts(place)
        for packed in range(len(parts)):
            lines = (*flow_parts(parts[:packed], width, 0), *(cut_line(part, width) for part in parts[packed:]))
            if len(lines) <= UPRIGHT_LINES:
                return lines
        return flow_parts(parts, width, 0)

    def build_name(self, place: TableArea, width: int) -> TextLine:
        return pad_line(join_lines(self.render_name(place), 0), width)

    def list_parts(self, place: TableArea) -> list[TextLine]:
        """Return a column's facts, face-down cards and face-up cards."""
        parts = self.card_renderer.render_facts(place, self.columns)
        for pile in sorted(find_visible_piles(place), key=lambda pile: pile.form in GROWING_FORMS):
            parts += self.card_renderer.render_card_runs(pile.cards)
        return parts


def has_column(place: TableArea) -> bool:
    """Return whether the game shows a pile of a kind's value as a row or fan: a column of cards."""
    return place.seat < 0 and any(pile.form in GROWING_FORMS and pile.empty_stays for pile in place.piles)
