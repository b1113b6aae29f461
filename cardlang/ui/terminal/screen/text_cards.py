"""Cards and piles as styled text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby

from attrs import define, evolve, field, frozen
from rich.cells import cell_len

from cardlang.english.control_characters import remove_invisible_characters
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.table_queries import (
    count_most_marks,
    format_card_values,
    get_unknown_card_number,
    is_actionable,
    is_blank_card,
    is_counted_pile,
    is_idle_card,
    split_grid_rows,
)
from cardlang.ui.terminal.screen.text_blocks import (
    TextBlock,
    TextLine,
    TextSpan,
    center_line,
    cut_line,
    flow_blocks,
    flow_parts,
    join_blocks,
    join_lines,
    make_line,
    measure_block_width,
    measure_width,
    pad_line,
    wrap_text,
)
from interpreter.view.table_model import DisplayFact, TableArea, TableCard, TablePile

THIN_BORDER, HEAVY_BORDER = "╭─╮│╰╯", "┏━┓┃┗┛"
SELECTED_MARK = "✓"
NEW_CARD_MARK, NEW_TOKEN_MARK = "new", "*"
"""Mark of a card new in the hand: in its upper edge, or after its token."""
OFFERED_BRACKETS = ("‹", "›")
"""Brackets around a card that can be taken, in a line."""
COUNTING_EDGE = "═"
"""Lower edge of a card that counts in the value of the hand."""
SYMBOL_LEGEND = (
    f"{NEW_CARD_MARK}, or {NEW_TOKEN_MARK} after a card: new in your hand",
    f"{SELECTED_MARK}: selected",
    f"{' '.join(OFFERED_BRACKETS)} around a card: you can use it",
    f"{COUNTING_EDGE} below a card: it counts in your hand",
    "Not now: options that are not possible; press the letter of one for the reason",
)
"""Legend of the symbols around cards."""
MAX_FULL_RUN = 6
"""Maximum number of adjacent idle cards that are always drawn one by one."""
MAX_DISTINCT_CARDS = 25
"""Maximum number of different idle cards drawn if space is short. Above it, only the first and last are drawn."""


@frozen
class HighlightState:
    """Interaction state of a drawing.

    `highlighted`: highlighted refs. `has_decision`: the viewer has a decision, so cards that can't be taken are dimmed.
    `offered`: cards outside the viewer's hand that can be taken. They are marked among the face-up cards."""

    highlighted: Container[str] = ()
    has_decision: bool = False
    offered: Container[str] = ()


@define
class CardRenderer:
    """Renderer of cards in their current state.

    `seats`: player count. `viewer`: name of the person who sees the screen. `box_sizes`: see `LayoutState`."""

    card_styles: CardStyles
    highlights: HighlightState
    seats: int
    viewer: str | None = None
    box_sizes: dict[str, tuple[int, int]] = field(factory=dict)

    def choose_style(self, card: TableCard, piled: bool) -> str:
        """Return the style of a card.

        `piled`: other cards of its pile can be taken."""
        if card.chosen:
            return "chosen"
        if card.face is None:
            return "back"
        return "paper" if is_actionable(card) or not (piled and self.highlights.has_decision) else "shade"

    # ------------------------------------------------------------ a card
    def render_card_token(self, card: TableCard, piled: bool = False) -> TextLine:
        """Return a card as text.

        Examples: ` 9b● ` plain, `[9b●]` under the cursor, `‹9b●›` offered. Selected cards are ` 9b●✓`, or `[9b●✓` under
        the cursor."""
        at = card.ref in self.highlights.highlighted
        style = self.card_styles.get_style(card)
        is_offered = card.ref in self.highlights.offered and not card.chosen
        plain = OFFERED_BRACKETS if is_offered else (" ", NEW_TOKEN_MARK if card.fresh else " ")
        ends = ("[", "]") if at else plain
        role = self.choose_style(card, piled) + (".cursor" if at else "")
        number = get_unknown_card_number(card) if piled else ""
        token = f"{ends[0]}{number}{style.label[len(number) :]}{SELECTED_MARK if card.chosen else ends[1]}"
        label = TextSpan(token, role, style.ink, card.ref)
        marks = ",".join(format_card_values(card))
        return (label, TextSpan(f"({marks})", "dim", "", card.ref)) if marks else (label,)

    def render_card_box(
        self, card: TableCard, inside: int, rows: int, note: str = "", piled: bool = False
    ) -> TextBlock:
        """Return a card as a box, `inside` columns wide, with `rows` lines for its marks.

        `note` appears in the lower edge."""
        at = card.ref in self.highlights.highlighted
        edge = HEAVY_BORDER if at else THIN_BORDER
        role = self.choose_style(card, piled) + (".cursor" if at else "")
        style = self.card_styles.get_style(card)
        inner = [
            center_line(make_line(style.label), inside),
            *(center_line(make_line(mark), inside) for mark in format_card_values(card)[:rows]),
        ]
        inner += [center_line((), inside)] * (1 + rows - len(inner))
        note = SELECTED_MARK if card.chosen else note
        lower = note.center(inside, COUNTING_EDGE if card.counts else edge[1])
        upper = NEW_CARD_MARK if card.fresh else get_unknown_card_number(card) if piled else ""
        lines = [edge[0] + upper.center(inside, edge[1]) + edge[2]]
        lines += [f"{edge[3]}{get_line_text(line)}{edge[3]}" for line in inner]
        lines += [f"{edge[4]}{lower}{edge[5]}"]
        return tuple((TextSpan(line, role, style.ink, card.ref),) for line in lines)

    # ------------------------------------------------------------ several cards
    def render_card_boxes(self, cards: Sequence[TableCard], columns: int, notes: Sequence[str] = ()) -> TextBlock:
        """Return cards as boxes side by side, in as many rows as needed."""
        piled, (width, rows) = any(map(is_actionable, cards)), self.measure_box(cards)
        inside = max([width + 2, *map(cell_len, notes)])
        note_texts = [*notes, *[""] * len(cards)]
        drawn = (
            self.render_card_box(card, inside, rows, note, piled) for card, note in zip(cards, note_texts, strict=False)
        )
        return flow_blocks(drawn, columns)

    def render_fan(self, cards: Sequence[TableCard], columns: int) -> TextBlock:
        """Return cards as overlapping boxes: only the left side of each is visible, except the last."""
        piled, (inside, rows) = any(map(is_actionable, cards)), self.measure_box(cards)
        drawn = [self.render_card_box(card, inside, rows, piled=piled) for card in cards]
        a_row = max(1, (columns - 1) // (inside + 1))
        return tuple(
            line for first in range(0, len(drawn), a_row) for line in overlap_boxes(drawn[first : first + a_row])
        )

    def render_card_tokens(self, cards: Sequence[TableCard], columns: int) -> TextBlock:
        """Return cards as text lines. Adjacent face-down cards without marks are counted."""
        return flow_parts(self.render_card_runs(cards), columns, 0 if self.card_styles.symbols else 1)

    def render_row(self, cards: Sequence[TableCard]) -> TextLine:
        """Return all cards as tokens on one line."""
        return join_lines(map(self.render_card_token, cards), 0 if self.card_styles.symbols else 1)

    def render_shortened(self, cards: Sequence[TableCard]) -> list[TextLine]:
        """Return cards as tokens.

        Long runs of idle cards are shortened: each distinct card with its count, or only the first and last."""
        parts: list[TextLine] = []
        for idle, together in groupby(cards, key=is_idle_card):
            run = list(together)
            sorts = {card.face: card for card in run}
            if not idle or len(run) <= MAX_FULL_RUN or len(sorts) == len(run) <= MAX_DISTINCT_CARDS:
                parts += self.render_card_runs(run, piled=any(map(is_actionable, cards)))
                continue
            if len(sorts) <= MAX_DISTINCT_CARDS:
                parts += self.render_counted(run)
                continue
            between = make_line(f" … {len(run) - 2} more … ", "dim")
            parts += [self.render_card_token(run[0]), between, self.render_card_token(run[-1])]
        return parts

    def render_counted(self, cards: Sequence[TableCard]) -> list[TextLine]:
        """Return each distinct card once with its count, in the game's order."""
        sorts = {card.face or 0: card for card in cards}
        counts = Counter(card.face or 0 for card in cards)
        return [
            (*self.render_card_token(sorts[face]), *make_line(f"×{counts[face]} " if counts[face] > 1 else "", "dim"))
            for face in sorted(sorts)
        ]

    def is_countable_row(self, pile: TablePile) -> bool:
        """Return whether a pile is an idle row of cards with several copies each.

        Viewers of such a pile need counts of the cards that are gone."""
        faces = self.card_styles.game.faces
        lie = pile.form in ("row", "fan") and all(map(is_idle_card, pile.cards))
        return lie and all(faces[card.face or 0].copies > 1 for card in pile.cards)

    def render_by_suit(self, cards: Sequence[TableCard], columns: int) -> TextBlock:
        """Return each distinct card once with its count, grouped by suit."""
        counts = Counter(card.face or 0 for card in cards)
        cards_by_face = {card.face or 0: card for card in cards}
        suits = self.card_styles.marks.suits.suits_by_face
        order = sorted(counts, key=self.card_styles.marks.suits.build_hand_sort_key)
        parts: list[TextLine] = []
        for last, face in zip([None, *order], order, strict=False):
            apart = make_line(" ") if last is not None and suits[last] != suits[face] else ()
            times = make_line(f"×{counts[face]} ", "dim") if counts[face] > 1 else ()
            parts.append((*apart, *self.render_card_token(cards_by_face[face]), *times))
        return flow_parts(parts, columns, 0)

    def render_card_runs(self, cards: Sequence[TableCard], piled: bool = False) -> Iterator[TextLine]:
        piled = piled or any(map(is_actionable, cards))
        for blank, together in groupby(cards, key=is_blank_card):
            if not blank:
                yield from (self.render_card_token(card, piled) for card in together)
                continue
            backs = list(together)
            back = self.card_styles.get_style(backs[0])
            yield (
                TextSpan(back.label, "back", back.ink),
                *(make_line(f"×{len(backs)} ") if len(backs) > 1 else make_line(" ")),
            )

    def measure_inner_width(self, cards: Iterable[TableCard]) -> int:
        """Return the width of the widest label or mark."""
        sizes = [
            cell_len(text)
            for card in cards
            for text in (self.card_styles.get_style(card).label, *format_card_values(card))
        ]
        return max([3, *sizes])

    def measure_box(self, cards: Sequence[TableCard]) -> tuple[int, int]:
        """Return the inner width and the lines of marks of the boxes of a pile. With marks, they never shrink."""
        width, rows = self.measure_inner_width(cards), count_most_marks(cards)
        pile = cards[0].ref.partition("#")[0] if cards else ""
        if pile and (rows or pile in self.box_sizes):
            earlier_width, earlier_rows = self.box_sizes.get(pile, (0, 0))
            self.box_sizes[pile] = width, rows = max(width, earlier_width), max(rows, earlier_rows)
        return width, rows

    def can_fit_boxes(self, cards: Sequence[TableCard], columns: int) -> bool:
        """Return whether all cards fit as boxes side by side."""
        return len(cards) * (self.measure_box(cards)[0] + 5) <= columns + 1

    def can_fit_fan(self, cards: Sequence[TableCard], columns: int) -> bool:
        """Return whether all cards fit in one fan."""
        return len(cards) * (self.measure_box(cards)[0] + 1) < columns

    def render_largest_form(self, cards: Sequence[TableCard], columns: int, size: int, label: str = "") -> TextBlock:
        """Return cards side by side, as large as fits one row, up to `size`: 3 boxes, 2 fan, 1 text.

        The label goes above boxes and fans."""
        above: TextBlock = (cut_line(make_line(f"  {label}", "dim"), columns),) if label else ()
        if size > 2 and self.can_fit_boxes(cards, columns):
            return (*above, *self.render_card_boxes(cards, columns))
        if size > 1 and (self.can_fit_fan(cards, columns) or size > 2):
            return (*above, *self.render_fan(cards, columns))
        if not label:
            return self.render_card_tokens(cards, columns)
        return flow_parts(
            [make_line(f"{label} ", "dim"), *self.render_card_runs(cards)],
            columns,
            0 if self.card_styles.symbols else 1,
            indent=2,
        )

    # ------------------------------------------------------------ a pile
    def render_pile(self, pile: TablePile, columns: int, size: int) -> TextBlock:
        """Return a pile with its label: before it in a text line, above it if it is drawn large."""
        label = remove_invisible_characters(pile.label)
        if not pile.cards and (size < 2 or pile.form != "trick"):
            return (make_line(f"  {label} –" if size > 1 and pile.form in ("row", "fan") else f"{label} –", "dim"),)
        is_small = size < 2 or (  # a partly known hand is text, so that it keeps its height
            size == 2
            and pile.form == "hand"
            and (any(map(is_blank_card, pile.cards)) or not self.can_fit_fan(pile.cards, columns))
        )
        if is_small or (all(map(is_blank_card, pile.cards)) and pile.form not in ("grid", "trick")):
            cards = self.render_small_pile(pile)
            lines = flow_parts([make_line(label, "dim"), *cards], columns, 1 if len(cards) < 2 else 0, indent=2)
            if len(lines) < 2 or any(map(is_actionable, pile.cards)):
                return lines
            narrow = flow_parts([make_line(label, "dim"), *map(strip_spans, cards)], columns, 1, indent=2)
            return min(lines, narrow, key=len)
        if self.is_countable_row(pile):
            return (cut_line(make_line(f"  {label}", "dim"), columns), *self.render_by_suit(pile.cards, columns))
        body = self.render_large_pile(pile, columns, size)
        if pile.form in ("row", "fan"):  # the pile grows to the right, its label doesn't move
            return (cut_line(make_line(f"  {label}", "dim"), columns), *body)
        return (
            center_line(make_line(label, "dim"), min(columns, max(measure_block_width(body), cell_len(label)))),
            *body,
        )

    def render_small_pile(self, pile: TablePile) -> list[TextLine]:
        """Return a pile as text. A stack shows its top card and its size."""
        if pile.form == "trick":
            return [self.render_played_card(card) for card in pile.cards]
        if pile.form == "grid":
            rows = [[self.render_card_token(card) for card in row if card] for row in split_grid_rows(pile)]
            return [
                line for row in rows for line in ((*make_line(" /" if row is not rows[0] else " "), *row[0]), *row[1:])
            ]
        if is_counted_pile(pile):
            return [make_line(str(pile.count))]
        if pile.form != "stack" or any(map(is_actionable, pile.cards[:-1])):
            lines = self.render_shortened(pile.cards)
            return [(*make_line(" "), *lines[0]), *lines[1:]] if len(lines) > 1 else lines
        if is_blank_card(pile.cards[-1]):
            return list(self.render_card_runs(pile.cards[-1:] * len(pile.cards)))
        under = f" ×{len(pile.cards)}" if len(pile.cards) > 1 else ""
        return [(*self.render_card_token(pile.cards[-1]), *make_line(under, "dim"))]

    def render_played_card(self, card: TableCard) -> TextLine:
        """Return a played card such as `Bob 5♣ led`."""
        note = make_line(f"{remove_invisible_characters(card.note)} ", "dim") if card.note else ()
        return (*make_line(f" {self.format_player(card)}"), *self.render_card_token(card), *note)

    def format_player(self, card: TableCard) -> str:
        """Return the name of the player who played a card."""
        return "you" if card.by is not None and card.by == self.viewer else remove_invisible_characters(card.by or "")

    def render_large_pile(self, pile: TablePile, columns: int, size: int) -> TextBlock:
        match pile.form:
            case "stack" if not any(map(is_actionable, pile.cards[:-1])):
                top = pile.cards[-1]
                note = f"×{len(pile.cards)}" if len(pile.cards) > 1 else ""
                return self.render_card_box(
                    top, max(self.measure_inner_width([top]) + 2, len(note) + 2), count_most_marks([top]), note
                )
            case "grid":
                return self.render_grid(pile, columns, size)
            case "trick":
                return self.render_trick(pile, columns)
        return self.render_largest_form(pile.cards, columns, size)

    def render_trick(self, pile: TablePile, columns: int) -> TextBlock:
        """Return a trick with the player's name above each card.

        Its size is fixed from the first card to the last."""
        inside = self.measure_inner_width(pile.cards) + 2
        word = 0 if len(pile.cards) == 1 else -1  # the first card of a trick is only led
        notes = [card.note if cell_len(card.note) <= inside else card.note.split(", ")[word] for card in pile.cards]
        names = [center_line(make_line(self.format_player(card)), inside + 2) for card in pile.cards]
        lines = (
            join_lines(names),
            *self.render_card_boxes(pile.cards, columns, [*map(remove_invisible_characters, notes)]),
        )
        wide = min(columns, self.seats * (inside + 3) - 1)
        rows = 1 + 3 * -(-self.seats * (inside + 3) // (columns + 1))
        return tuple(pad_line(line, max(wide, measure_width(line))) for line in (*lines, *[()] * (rows - len(lines))))

    def render_grid(self, pile: TablePile, columns: int, size: int) -> TextBlock:
        """Return a grid in its rows."""
        piled, marks = any(map(is_actionable, pile.cards)), count_most_marks(pile.cards)
        inside = self.measure_inner_width(pile.cards) + 2 * (size > 2)
        gap = (pad_line((), inside + 2),) * (3 + marks if size > 2 else 1)
        lines: list[TextLine] = []
        for row in split_grid_rows(pile):
            drawn = [
                gap
                if card is None
                else self.render_card_box(card, inside, marks, piled=piled)
                if size > 2
                else (pad_line(self.render_card_token(card), inside + 2),)
                for card in row
            ]
            lines += flow_blocks(drawn, columns)
        return tuple(lines)

    def render_uniform_places(self, places: Sequence[TableArea], columns: int) -> TextBlock:
        """Return the places in short form if each has one pile with a common label, else nothing.

        The label appears once."""
        labels = [pile.label for area in places for pile in area.piles]
        if (
            len(places) < 2
            or len(labels) != len(places)
            or len({*labels}) > 1
            or any(area.seat >= 0 for area in places)
        ):
            return ()
        lines = [make_line(f"{remove_invisible_characters(labels[0])}:", "dim")]
        for area in places:
            drawn = self.render_small_pile(area.piles[0]) if area.piles[0].cards else [make_line("–", "dim")]
            lines.append(
                join_lines([make_line(remove_invisible_characters(area.name), "dim"), *map(strip_spans, drawn)])
            )
        for fact in dict.fromkeys(fact for area in places for fact in area.facts):  # a common fact appears once
            names = [remove_invisible_characters(area.name) for area in places if fact in area.facts]
            lines.append((*self.render_fact(fact), TextSpan(f": {', '.join(names)}", "dim")))
        return flow_parts(lines, columns, 2, indent=2)

    def replace_card_codes(self, text: str) -> str:
        """Return a string with its cards as drawn."""
        return self.card_styles.replace_codes(remove_invisible_characters(text))

    # ------------------------------------------------------------ facts
    def render_fact(self, fact: DisplayFact) -> TextLine:
        """Return a fact such as `Pot 182`, with its cards as drawn."""
        return (
            TextSpan(f"{remove_invisible_characters(fact.label)} ", "dim"),
            TextSpan(self.card_styles.replace_codes(remove_invisible_characters(fact.text))),
        )

    def render_facts(self, place: TableArea, columns: int) -> list[TextLine]:
        """Return the facts of a place. Wrap facts that are wider than the place."""
        lines: list[TextLine] = []
        for fact in place.facts:
            line = self.render_fact(fact)
            lines += wrap_text(get_line_text(line), columns, "", 2) if measure_width(line) > columns else (line,)
        return lines


def strip_spans(line: TextLine) -> TextLine:
    """Return a line without leading and trailing spaces in its spans."""
    spans = [evolve(span, text=span.text.strip()) for span in line]
    return tuple(span for span in spans if span.text)


def get_line_text(line: TextLine) -> str:
    return "".join(span.text for span in line)


def overlap_boxes(boxes: Sequence[TextBlock]) -> TextBlock:
    """Return boxes side by side, each covering the right edge of the previous one."""
    open_ended = [tuple((TextSpan(one.text[:-1], one.role, one.ink, one.ref),) for (one,) in box) for box in boxes[:-1]]
    return join_blocks([*open_ended, boxes[-1]], 0)
