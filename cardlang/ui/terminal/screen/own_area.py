"""The viewer's own area as text: title, facts, hand, other piles and the values of the cards."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve
from rich.cells import cell_len

from cardlang.english.control_characters import remove_invisible_characters
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.table_queries import (
    find_cards,
    find_visible_piles,
    is_actionable,
    is_counted_pile,
    sort_piles,
)
from cardlang.ui.terminal.screen.text_blocks import (
    BOARD_SIZES,
    BoardSizes,
    LayoutState,
    TextBlock,
    TextLine,
    center_line,
    flow_blocks,
    flow_parts,
    join_blocks,
    make_divider,
    make_line,
    measure_block_width,
    measure_width,
    pack_parts,
    stack_blocks,
    wrap_text,
)
from cardlang.ui.terminal.screen.text_cards import CardRenderer
from interpreter.view.table_model import HandValue, Table, TablePile

TEXT_SIZES = BOARD_SIZES[-1]
"""Size for the viewer's other piles if space is short: they become text lines, only the hand is drawn."""
LEGEND_GAP = 3
"""Columns between the viewer's hand and its legend."""


@define
class OwnArea:
    """Renderer of the viewer's own area. See `BoardRenderer` for the fields."""

    table: Table
    card_styles: CardStyles
    card_renderer: CardRenderer
    columns: int
    layout_state: LayoutState

    def render_area(self, sizes: BoardSizes) -> TextBlock:
        """Return the title with the facts, the piles, and the values of the viewer's cards."""
        area = next((each for each in self.table.places if each.name == self.table.viewer), None)
        if area is None:
            return ()
        facts = [
            f"{remove_invisible_characters(each.label).lower()} {self.card_renderer.replace_card_codes(each.text)}"
            for each in area.facts
        ]
        facts += [
            f"{remove_invisible_characters(each.label)} {each.count}"
            for each in find_visible_piles(area)
            if is_counted_pile(each) and each.cards
        ]
        named = [
            f"{'▸' if area.asked else ''}you ({remove_invisible_characters(area.name)})",
            *map(remove_invisible_characters, area.marks),
        ]
        title = " · ".join([*named, *facts])
        long = cell_len(title) > self.columns - 6 or self.layout_state.heights.get(("own facts", sizes), 0) > 0
        lines: list[TextLine] = [make_divider(self.columns, " · ".join(named) if long else title)]
        fact_lines = flow_parts([make_line(each, "dim") for each in facts], self.columns, 3) if long else ()
        lines += self.layout_state.pad_to_earlier_height("own facts", sizes, fact_lines)
        own_piles = sort_piles([pile for pile in find_visible_piles(area, sizes.bare) if not is_counted_pile(pile)])
        state = self.layout_state  # once the hand is empty, another pile doesn't take its place
        hand_ref = state.own_hand = state.own_hand or next((pile.ref for pile in area.piles if pile.form == "hand"), "")
        blocks = []
        for pile in own_piles:
            size = sizes if pile.ref == hand_ref or pile.form == "grid" or sizes.hand > 2 else TEXT_SIZES
            blocks.append(self.render_pile(pile, size, needs_label(pile, own_piles, pile.ref == hand_ref, size)))
        if any(pile.form == "grid" for pile in own_piles):
            lines += flow_blocks(blocks, self.columns, 4)
        else:
            legend = next((number for number, pile in enumerate(own_piles) if pile.form == "hand"), -1)
            blocks = [self.add_legend(each, own_piles) if at == legend else each for at, each in enumerate(blocks)]
            lines += stack_blocks(blocks, self.columns, sizes.packed)
        for reading in self.table.readings:
            lines += self.render_hand_value(reading)
        return tuple(lines)

    def add_legend(self, hand: TextBlock, own: Sequence[TablePile]) -> TextBlock:
        """Return the viewer's hand with a legend of the symbols on cards next to it.

        The legend covers the hand, other own piles and the middle. If space is short, it covers the hand alone."""
        room = self.columns - measure_block_width(hand) - LEGEND_GAP
        hand_piles = [pile for pile in own if pile.form == "hand"]
        for shown_piles in ((*own, *find_visible_piles(self.table.middle)), hand_piles):
            faces = [card.face for shown_pile in shown_piles for card in shown_pile.cards if card.face is not None]
            legend_parts = [
                make_line(remove_invisible_characters(legend_text), "dim")
                for legend_text in self.card_styles.build_legend(faces, all_suits=shown_piles is not hand_piles)
            ]
            if not legend_parts or max(map(measure_width, legend_parts)) > room:
                continue
            legend = min(flow_parts(legend_parts, room, 2), pack_parts(legend_parts, room, 2), key=len)
            if len(legend) <= len(hand):
                return join_blocks([hand, legend], LEGEND_GAP)
        return hand

    def render_hand_value(self, reading: HandValue) -> TextBlock:
        """Return the rank or value of the viewer's cards, and the cards that form it."""
        text = f"{reading.label}: {reading.text}" + (f"; {reading.detail}" if reading.detail else "")
        lines = wrap_text(self.card_renderer.replace_card_codes(text), self.columns, "name")
        cards = self.card_renderer.render_row([evolve(card, ref="") for card in find_cards(self.table, reading.cards)])
        if (
            "[" in reading.text
            or not cards
            or measure_block_width(lines[-1:]) + measure_width(cards) + 2 > self.columns
        ):
            return lines
        return (*lines[:-1], (*lines[-1], *make_line("  "), *cards))

    def render_pile(self, pile: TablePile, sizes: BoardSizes, labelled: bool) -> TextBlock:
        """Return one of the viewer's piles. Hands and piles with playable cards are drawn as large as possible."""
        if pile.form == "grid" and sizes.hand > 1:
            drawn = self.card_renderer.render_grid(pile, self.columns, 3)
            return (
                drawn
                if not labelled
                else (
                    center_line(make_line(remove_invisible_characters(pile.label), "dim"), measure_block_width(drawn)),
                    *drawn,
                )
            )
        large = pile.form in ("hand", "grid") or any(map(is_actionable, pile.cards))
        if not large or not pile.cards or pile.form == "grid":
            return self.card_renderer.render_pile(pile, self.columns, sizes.hand if large else 1)
        size = sizes.hand + (sizes.hand == 2)  # boxes in one row are as high as a fan
        if size > 2 and not self.card_renderer.can_fit_boxes(pile.cards, self.columns):
            self.layout_state.fanned_piles.add(pile.ref)
        if pile.ref in self.layout_state.fanned_piles:
            size = min(size, 2)
        return self.card_renderer.render_largest_form(
            pile.cards, self.columns, size, remove_invisible_characters(pile.label) if labelled else ""
        )


def needs_label(pile: TablePile, own: Sequence[TablePile], is_hand: bool, sizes: BoardSizes) -> bool:
    """Return whether one of the viewer's piles needs a label.

    A single grid, and a hand drawn as cards, are recognizable without one."""
    forms = [other.form for other in own]
    if pile.form == "grid":
        return forms.count("grid") > 1
    return not is_hand or (len(own) > 1 and (sizes.hand < 2 or "grid" in forms))
