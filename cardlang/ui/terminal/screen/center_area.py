"""Centre of the table as text: piles and facts without an owner."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from cardlang.english.control_characters import remove_invisible_characters
from cardlang.ui.terminal.screen.table_queries import find_visible_piles, is_blank_card, is_counted_pile
from cardlang.ui.terminal.screen.text_blocks import (
    LayoutState,
    TextBlock,
    TextSpan,
    flow_blocks,
    flow_parts,
    make_line,
    measure_block_width,
    pad_line,
)
from cardlang.ui.terminal.screen.text_cards import CardRenderer
from interpreter.view.table_model import TableArea, TablePile

PILE_GAP = 4
WIDTH_STEP = 4
"""Granularity of the width of lines with numbers, so that a longer number moves nothing."""
MIN_PILE_COLUMNS = 16
"""Minimum number of columns for a pile next to others, at least for its cards as text."""
GROWING_FORMS = ("row", "fan")
"""Forms of piles that grow wider with each card."""


@define
class CenterArea:
    """Renderer of the centre area. See `BoardRenderer` for the fields."""

    place: TableArea
    card_renderer: CardRenderer
    columns: int
    layout_state: LayoutState

    def render_area(self, size: int) -> TextBlock:
        """Return piles side by side with the table's facts, or both as text lines."""
        if size < 2:
            lines = [
                line
                for pile in find_visible_piles(self.place)
                for line in self.card_renderer.render_pile(pile, self.columns, 1)
            ]
            facts = (
                *map(self.card_renderer.render_fact, self.place.facts),
                *(make_line(remove_invisible_characters(mark)) for mark in self.place.marks),
            )
            return flow_parts([*lines, *facts], self.columns, 3)
        return flow_blocks(self.render_blocks(size), self.columns, PILE_GAP)

    def render_blocks(self, size: int) -> list[TextBlock]:
        """Return the blocks: tricks first, then counted piles and facts, later piles, and growing piles last."""
        piles = self.list_piles_in_order()
        large = [pile for pile in piles if not self.is_shown_as_count(pile)]
        blocks = [self.render_pile(pile, size) for pile in large if pile.form == "trick"]
        blocks += [
            self.pad_to_earlier_width(f"{size} {at}", block, WIDTH_STEP)
            for at, block in enumerate(self.render_counts(piles))
        ]
        blocks += [self.render_pile(pile, size) for pile in large if pile.form not in ("trick", *GROWING_FORMS)]
        for pile in (growing_pile for growing_pile in large if growing_pile.form in GROWING_FORMS):
            blocks.append(self.render_row(pile, size, self.count_columns_left(blocks)))
        return [block for block in blocks if measure_block_width(block)]

    def render_counts(self, piles: Sequence[TablePile]) -> tuple[TextBlock, ...]:
        """Return the piles and facts that are shown as text. A single fact goes above the piles."""
        small = tuple(
            line
            for pile in piles
            if self.is_shown_as_count(pile)
            for line in self.card_renderer.render_pile(pile, self.columns, 1)
        )
        facts = (
            *map(self.card_renderer.render_fact, self.place.facts),
            *(make_line(remove_invisible_characters(mark)) for mark in self.place.marks),
        )
        widths = self.layout_state.widths
        most = widths["facts"] = max(len(facts), widths.get("facts", 0))
        return (small, facts) if most > 1 else ((*((TextSpan("  "), *line) for line in facts), *small),)

    def list_piles_in_order(self) -> Sequence[TablePile]:
        """Return the piles in order of first appearance."""
        visible_piles = {pile.ref: pile for pile in find_visible_piles(self.place)}
        self.layout_state.appearance_order += [
            ref for ref in visible_piles if ref not in self.layout_state.appearance_order
        ]
        piles_by_ref = {pile.ref: pile for pile in self.place.piles}
        return [piles_by_ref[ref] for ref in self.layout_state.appearance_order if ref in piles_by_ref]

    def is_shown_as_count(self, pile: TablePile) -> bool:
        """Return whether only the size of a stack is shown. That holds for the whole deal."""
        if is_counted_pile(pile) or (
            pile.form == "stack" and not pile.empty_stays and all(map(is_blank_card, pile.cards))
        ):
            self.layout_state.counted_piles.add(pile.ref)
        return pile.ref in self.layout_state.counted_piles

    def count_columns_left(self, blocks: Sequence[TextBlock]) -> int:
        """Return the number of columns left next to these blocks, or the full width if it is too small for a pile."""
        left = self.columns - sum(
            measure_block_width(block) + PILE_GAP for block in blocks if measure_block_width(block)
        )
        return left if left >= MIN_PILE_COLUMNS else self.columns

    def render_row(self, pile: TablePile, size: int, columns: int) -> TextBlock:
        """Return a pile of cards side by side: boxes if they fit, because boxes are no higher than a fan.

        A pile once drawn as a fan stays a fan."""
        if not self.card_renderer.can_fit_boxes(pile.cards, columns) and not self.card_renderer.is_countable_row(pile):
            self.layout_state.fanned_piles.add(pile.ref)
        fanned = pile.ref in self.layout_state.fanned_piles and (
            size == 2 or self.card_renderer.can_fit_fan(pile.cards, columns)
        )
        return self.card_renderer.render_pile(pile, columns, 2 if fanned else 3) if is_shown_pile(pile) else ()

    def render_pile(self, pile: TablePile, size: int) -> TextBlock:
        """Return a drawn pile. An empty pile keeps its space."""
        return self.pad_to_earlier_width(
            f"{size} {pile.ref}",
            self.card_renderer.render_pile(pile, self.columns, size) if is_shown_pile(pile) else (),
        )

    def pad_to_earlier_width(self, name: str, block: TextBlock, step: int = 1) -> TextBlock:
        """Return a block at least as wide as before. The width grows in steps."""
        widths = self.layout_state.widths
        widths[name] = max(widths.get(name, 0), -(-measure_block_width(block) // step) * step)
        lines = block or (((),) if widths[name] else ())
        return tuple(pad_line(line, min(widths[name], self.columns)) for line in lines)


def is_shown_pile(pile: TablePile) -> bool:
    """Return whether a pile has cards or is shown even when empty."""
    return bool(pile.cards) or pile.empty_stays
