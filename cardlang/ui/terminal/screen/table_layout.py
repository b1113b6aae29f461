"""Layout of the whole table as text, fitted to the screen.

It shows players, piles, events, the viewer's hand and the prompt. The only input is a `Table`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from attrs import define, evolve, field, frozen
from rich.cells import cell_len

from cardlang.english.control_characters import remove_invisible_characters
from cardlang.ui.terminal.screen.action_panel import ActionPanel, find_highlighted_refs
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.center_area import GROWING_FORMS, PILE_GAP, CenterArea
from cardlang.ui.terminal.screen.event_pane import EventPane
from cardlang.ui.terminal.screen.table_queries import (
    find_cards,
    find_offered_cards,
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
    TextSpan,
    center_line,
    cut_line,
    flow_blocks,
    flow_parts,
    join_blocks,
    join_lines,
    make_divider,
    make_line,
    measure_block_width,
    measure_width,
    pack_parts,
    pad_block_height,
    pad_line,
    stack_blocks,
    wrap_text,
)
from cardlang.ui.terminal.screen.text_cards import CardRenderer, HighlightState
from interpreter.view.table_model import EventLine, HandValue, RecentResult, Table, TableArea, TablePile

MIN_PLAYER_COLUMNS = 20
"""Minimum number of columns for a player's block."""
RESERVED_EVENT_LINES = 3
"""Number of lines reserved for events."""
MIN_EVENT_LINES = 2
"""Number of lines left for events by the longest prompt, if a smaller size can make room for more."""
USUAL_PROMPT_LINES = 3
"""Usual number of lines of the prompt. A longer one takes lines away from the events."""
LAST_DRAWN_HAND = max(number for number, size in enumerate(BOARD_SIZES) if size.hand > 1)
"""Index of the last size in which the viewer's hand is drawn as cards. Parts move before the hand becomes text."""
TEXT_SIZES = BOARD_SIZES[-1]
"""Size for the viewer's other piles if space is short: they become text lines, only the hand is drawn."""
LEGEND_GAP = 3
"""Columns between the viewer's hand and its legend."""


@frozen
class ScreenDrawing:
    """Finished layout of a screen.

    `top` can be longer than the screen and then scrolls. `bottom` holds the viewer's cards and the prompt, always
    visible."""

    top: TextBlock
    bottom: TextBlock


@define
class BoardRenderer:
    """Renderer of one table.

    `columns`: screen width. `cursor`, `picked`, `amounts`: see `InputState`. `message`: last response, instead of the
    rule's wording. `keys`: line of available keys. `layout_state`: layout state of earlier frames.

    `page_kinds`: kinds of results with their own page. During a match, such a result takes no room from the table: it
    appears in full or not at all."""

    table: Table
    card_styles: CardStyles
    columns: int
    cursor: str = ""
    picked: tuple[str, ...] = ()
    amounts: dict[str, int] = field(factory=dict)
    message: str = ""
    keys: str = ""
    page_kinds: tuple[str, ...] = ()
    layout_state: LayoutState = field(factory=LayoutState)
    read_results: tuple[RecentResult, ...] = ()
    """Results that the viewer has read. They stay visible if there is room."""
    earlier_events: tuple[EventLine, ...] = ()
    """Earlier events that the viewer has read, shown dimmed if there is room."""
    is_message_temporary: bool = False
    """True if the message disappears with the next key. Then the layout is not changed for it."""
    min_heights: dict[str, int] = field(factory=dict, init=False)
    heights: dict[str, int] = field(factory=dict, init=False)
    """Current height of each part. `min_heights` holds the minimum heights."""
    shows_all_events: bool = False
    """True if all events must be visible. The table makes room for them."""
    highlighted: set[str] = field(init=False)
    card_renderer: CardRenderer = field(init=False)
    event_pane: EventPane = field(init=False)
    center_area: CenterArea = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.highlighted = find_highlighted_refs(self.table.ask, self.cursor, self.picked)
        mood = HighlightState(self.highlighted, self.table.ask is not None, find_offered_cards(self.table))
        self.card_renderer = CardRenderer(self.card_styles, mood, len(self.table.places), self.table.viewer)
        self.center_area = CenterArea(self.table.middle, self.card_renderer, self.columns, self.layout_state)
        self.event_pane = EventPane(
            self.table, self.card_renderer, self.columns, self.page_kinds, self.read_results, self.earlier_events
        )

    def fit_to_height(self, height: int) -> ScreenDrawing:
        """Return the largest layout that fits and is no larger than the previous one, else the smallest.

        Each part keeps the room that it needed before, so nothing moves. Events use the lines between the viewer's
        cards and the prompt."""
        calm = self.layout_state
        calm.reset_if_changed(self.columns, height)
        if calm.is_crowded:
            calm.size_index, calm.heights = 0, {}
        prompt, reserved = self.render_prompt(), self.count_event_lines()
        is_temporary = self.is_message_temporary or bool(self.event_pane.find_unread_results())
        smaller = range(calm.size_index + (calm.size_index < LAST_DRAWN_HAND), len(BOARD_SIZES))
        for size, self.min_heights in ((calm.size_index, calm.heights), *((size, {}) for size in smaller)):
            self.heights = {}
            top, own = self.render_top(BOARD_SIZES[size]), self.render_own_part(BOARD_SIZES[size])
            self.heights["asked"] = max(len(prompt), self.min_heights.get("asked", 0))
            left = height - len(top) - len(own)
            asked = self.heights["asked"]
            least = MIN_EVENT_LINES if size < LAST_DRAWN_HAND else RESERVED_EVENT_LINES
            needed = max(asked + least, min(asked, USUAL_PROMPT_LINES) + reserved)
            if left >= needed or (is_temporary and calm.heights):
                break
        if not self.is_message_temporary:
            calm.size_index, calm.heights = size, self.heights
        room = max(left - len(prompt), self.count_event_lines(1))  # the smallest table can leave less than reserved
        news = self.event_pane.render_news(room)
        self.event_pane.has_lost_events |= len(news) > max(0, left - len(prompt))
        return ScreenDrawing(top, (*own, *pad_block_height(news, left - len(prompt)), *prompt))

    def count_event_lines(self, reserved: int = RESERVED_EVENT_LINES) -> int:
        """Return the number of lines to reserve for events: at least the last result in full.

        The number is otherwise constant, so the table keeps its size. If the room is too small for important events,
        play waits."""
        result = next(
            (len(self.event_pane.render_result(moment)) for moment in reversed(self.event_pane.find_unread_results())),
            0,
        )
        if self.is_message_temporary or self.shows_all_events:
            return len(self.event_pane.render_all_news()) if self.shows_all_events else 0
        return max(reserved, result)

    # ------------------------------------------------------------ above
    def render_top(self, sizes: BoardSizes) -> TextBlock:
        """Return the opponents above the shared piles. If space is short, a trick goes above everything."""
        players, members, middle = (
            self.list_opponents(),
            self.list_kind_places(),
            self.center_area.render_area(sizes.middle),
        )
        first = sizes.seats > 1 or not any(pile.form == "trick" for pile in self.table.middle.piles)
        below = (self.render_places(players, sizes), middle) if first else (middle, self.render_places(players, sizes))
        parts = [
            self.render_heading(),
            *(self.render_in_one_row(sizes) or (*below, self.render_kind_places(members, sizes))),
        ]
        parts = [self.pad_to_earlier_height(f"top {len(parts)} {number}", part) for number, part in enumerate(parts)]
        gap: TextBlock = ((),) if sizes.spaced else ()
        lines: list[TextLine] = []
        for number, part in enumerate(parts):
            if number and part:
                lines += gap
            lines += part
        return tuple(lines)

    def pad_to_earlier_height(self, name: str, block: TextBlock) -> TextBlock:
        """Return a part, at least as high as in earlier frames."""
        self.heights[name] = max(len(block), self.min_heights.get(name, 0))
        return pad_block_height(block, self.heights[name])

    def render_in_one_row(self, sizes: BoardSizes) -> tuple[TextBlock, ...]:
        """Return the opponents and the middle side by side, or nothing if they don't fit."""
        if sizes.seats < 2 or sizes.middle < 2 or self.center_area.is_missing_growing_pile():
            return ()
        if any(name.startswith("top") and not name.startswith("top 2 ") for name in self.min_heights):
            return ()  # keep the earlier layout
        others = [*self.list_opponents(), *self.list_kind_places()]
        if any(map(has_column, others)):
            return ()
        middle = self.center_area.render_blocks(sizes.middle)
        blocks = [self.render_fixed_block(area, sizes) for area in others] + middle
        row = join_blocks(blocks, PILE_GAP)
        return (row,) if others and middle and measure_block_width(row) <= self.columns else ()

    def render_fixed_block(self, place: TableArea, sizes: BoardSizes) -> TextBlock:
        """Return a player's block for a place next to the middle. Its width never shrinks."""
        widths = self.layout_state.widths
        name, facts = join_lines(self.render_name(place), 0), self.card_renderer.render_facts(place, self.columns)
        wanted = max(measure_width(name), measure_width(join_lines(facts, 2)))
        width = max(MIN_PLAYER_COLUMNS, min(wanted, 2 * MIN_PLAYER_COLUMNS), widths.get(place.ref, 0))
        block = self.render_player_block(place, width, sizes)
        widths[place.ref] = max(width, measure_block_width(block))
        return tuple(pad_line(line, widths[place.ref]) for line in block)

    def render_heading(self, steps: Sequence[str] | None = None) -> TextBlock:
        """Return the current steps and the keys of the pages.

        `steps`: replacement for the steps of the table."""
        table = self.table
        on = " · ".join(
            remove_invisible_characters(heading_part) for heading_part in (table.heading if steps is None else steps)
        )
        keys = "F1 rules  F2 aid  F3 log" + ("  F4 cards" if self.card_styles.captions else "")
        title = (
            TextSpan(remove_invisible_characters(table.game).upper(), "title"),
            TextSpan(f"  {on}" if on else "", ""),
        )
        room = self.columns - len(keys) - 2
        line = (
            (*pad_line(title, room), *make_line("  "), *make_line(keys, "dim"))
            if room >= 20
            else cut_line(title, self.columns)
        )
        return (line, make_divider(self.columns))

    def render_places(self, places: Sequence[TableArea], sizes: BoardSizes) -> TextBlock:
        """Return places side by side, or as text lines if space is short and columns take more lines."""
        across = min(len(places), max(1, (self.columns + 2) // (MIN_PLAYER_COLUMNS + 2)))
        if sizes.seats > 1 and (across > 1 or len(places) == 1):
            return self.render_columns(places, sizes, across)
        alike = self.card_renderer.render_uniform_places(places, self.columns)
        columns = self.render_columns(places, sizes, across) if alike else ()
        if alike and len(columns) <= len(alike):
            return columns
        return alike or tuple(
            line
            for area in places
            for line in self.pad_to_earlier_height(f"lines {area.ref}", self.render_player_line(area, sizes))
        )

    def render_kind_places(self, places: Sequence[TableArea], sizes: BoardSizes) -> TextBlock:
        """Return the places of kinds. Columns of cards take one line each; other piles of one type share lines."""
        if not any(map(has_column, places)):
            return self.render_places(places, sizes)
        name_width = max(measure_width(join_lines(self.render_name(area), 0)) for area in places if has_column(area))
        lines: list[TextLine] = []
        for _, group in groupby(places, key=lambda area: [pile.label for pile in area.piles]):
            alike = list(group)
            if has_column(alike[0]):
                lines += (line for area in alike for line in self.render_card_column(area, name_width))
            else:
                lines += self.card_renderer.render_uniform_places(alike, self.columns) or self.render_places(
                    alike, TEXT_SIZES
                )
        return tuple(lines)

    def render_card_column(self, place: TableArea, name_width: int) -> TextBlock:
        """Return a column of cards from left to right, after its name, facts and face-down cards."""
        parts = self.card_renderer.render_facts(place, self.columns)
        for pile in sorted(find_visible_piles(place), key=lambda pile: pile.form in GROWING_FORMS):
            parts += self.card_renderer.render_card_runs(pile.cards)
        name = pad_line(join_lines(self.render_name(place), 0), name_width)
        return join_blocks([(name,), flow_parts(parts, self.columns - name_width - 1, 0)], 1)

    def render_columns(self, places: Sequence[TableArea], sizes: BoardSizes, across: int) -> TextBlock:
        """Return places side by side, `across` in a row."""
        shares = self.divide_width(places, (self.columns + 2) // across - 2, across)
        blocks = [self.render_player_block(area, share, sizes) for area, share in zip(places, shares, strict=True)]
        even = [tuple(pad_line(line, share) for line in block) for block, share in zip(blocks, shares, strict=True)]
        return flow_blocks(even, self.columns, 2)

    def divide_width(self, places: Sequence[TableArea], size: int, across: int) -> list[int]:
        """Return the width of each place.

        Widths are equal, unless a place needs more for its facts on one line and others have room to spare."""
        widths = self.layout_state.widths
        for area in places:
            need = measure_width(join_lines(self.card_renderer.render_facts(area, self.columns)))
            widths[f"facts {area.ref}"] = max(need, widths.get(f"facts {area.ref}", 0))
        needs = [widths[f"facts {area.ref}"] for area in places]
        shares = [max(size, need) for need in needs]
        if across < len(places) or sum(max(need, MIN_PLAYER_COLUMNS) for need in needs) > size * len(places):
            return [size] * len(places)
        while sum(shares) > size * len(places):
            roomy = max(range(len(places)), key=lambda at: shares[at] - max(needs[at], MIN_PLAYER_COLUMNS))
            shares[roomy] -= 1
        return shares

    def list_opponents(self) -> list[TableArea]:
        """Return all players but the viewer, in order of play."""
        return [area for area in self.table.places if area.name != self.table.viewer]

    def list_kind_places(self) -> list[TableArea]:
        """Return the teams and other values of kinds that have piles, facts or marks."""
        return [kind for kind in self.table.kinds if find_visible_piles(kind) or kind.facts or kind.marks]

    def render_player_block(self, place: TableArea, columns: int, sizes: BoardSizes) -> TextBlock:
        """Return a player's block: name, facts, then piles."""
        facts = self.card_renderer.render_facts(place, columns)
        named = join_lines([join_lines(self.render_name(place), 0), *facts], 2)
        if place.seat < 0 and measure_width(named) <= columns:  # name and facts of a kind's value share a line
            lines = [named]
        else:
            wide, dense = flow_parts(facts, columns, 2), flow_parts(facts, columns, 1)
            lines = [*flow_parts(self.render_name(place), columns, 0), *(dense if len(dense) < len(wide) else wide)]
        piles = sort_piles(find_visible_piles(place, sizes.bare))
        for pile in piles:
            grid = pile.form == "grid" and sizes.seats == 2
            lines += (
                ()
                if is_counted_pile(pile)
                else self.card_renderer.render_pile(pile, columns, 2 if grid else sizes.seats - 1)
            )
        down = [
            line for pile in piles if is_counted_pile(pile) for line in self.card_renderer.render_pile(pile, columns, 1)
        ]
        last_row = join_lines([*lines[-1:], *down], 2)
        return (*lines[:-1], last_row) if measure_width(last_row) <= columns else (*lines, *down)

    def render_player_line(self, place: TableArea, sizes: BoardSizes) -> TextBlock:
        """Return a player in as few lines as possible."""
        parts: list[TextLine] = [
            join_lines(self.render_name(place), 0),
            *map(self.card_renderer.render_fact, place.facts),
        ]
        for pile in find_visible_piles(place, sizes.bare):
            parts += self.card_renderer.render_pile(pile, self.columns - 2, 1)
        return flow_parts(parts, self.columns, 2, indent=2)

    def render_name(self, place: TableArea) -> list[TextLine]:
        """Return the pieces of a name such as `▸Wash (dealer)`."""
        asked = "▸" if place.asked and place.name != self.table.viewer else ""
        marks = [*place.marks, *(["partner"] if place.partner else [])]
        role = "out" if place.out else "name"
        mark_texts = (
            [f" {mark}" for mark in f"({', '.join(map(remove_invisible_characters, marks))})".split(" ")]
            if marks
            else []
        )
        at = ".cursor" if place.ref in self.highlighted else ""
        return [
            make_line(f"{asked}{remove_invisible_characters(place.name)}", role + at, place.ref),
            *(make_line(mark_text, "dim") for mark_text in mark_texts),
        ]

    # ------------------------------------------------------------ below
    def render_prompt(self) -> TextBlock:
        """Return the question and the options."""
        asking = ActionPanel(
            self.table, self.card_styles, self.columns, self.cursor, self.picked, self.amounts, self.message, self.keys
        )
        question, options = asking.render_question(), asking.render_options()
        pointing = 2 if self.table.ask is not None else 1  # leave a line above the keys for the highlighted card
        return (*pad_block_height(question, len(question) + pointing - len(options)), *options)

    def render_own_part(self, sizes: BoardSizes) -> TextBlock:
        """Return the viewer's area, at least as high as before."""
        return self.pad_to_earlier_height("own", self.render_own_area(sizes))

    def render_own_area(self, sizes: BoardSizes) -> TextBlock:
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
        long = cell_len(title) > self.columns - 6
        lines: list[TextLine] = [make_divider(self.columns, " · ".join(named) if long else title)]
        if long:
            lines += flow_parts([make_line(each, "dim") for each in facts], self.columns, 3)
        own_piles = sort_piles([pile for pile in find_visible_piles(area, sizes.bare) if not is_counted_pile(pile)])
        hand_ref = next((pile.ref for pile in area.piles if pile.form == "hand"), "")
        blocks = []
        for pile in own_piles:
            size = sizes if pile.ref == hand_ref or pile.form == "grid" or sizes.hand > 2 else TEXT_SIZES
            blocks.append(self.render_own_pile(pile, size, needs_label(pile, own_piles, pile.ref == hand_ref, size)))
        if any(pile.form == "grid" for pile in own_piles):
            lines += flow_blocks(blocks, self.columns, 4)
        else:
            legend = next((number for number, pile in enumerate(own_piles) if pile.form == "hand"), -1)
            blocks = [self.add_legend(each, own_piles) if at == legend else each for at, each in enumerate(blocks)]
            lines += stack_blocks(blocks, self.columns)
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

    def render_own_pile(self, pile: TablePile, sizes: BoardSizes, labelled: bool) -> TextBlock:
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


def has_column(place: TableArea) -> bool:
    """Return whether the game shows a pile of a kind's value as a row or fan: a column of cards."""
    return place.seat < 0 and any(pile.form in GROWING_FORMS and pile.empty_stays for pile in place.piles)


def needs_label(pile: TablePile, own: Sequence[TablePile], is_hand: bool, sizes: BoardSizes) -> bool:
    """Return whether one of the viewer's piles needs a label.

    A single grid, and a hand drawn as cards, are recognizable without one."""
    forms = [other.form for other in own]
    if pile.form == "grid":
        return forms.count("grid") > 1
    return not is_hand or (len(own) > 1 and (sizes.hand < 2 or "grid" in forms))
