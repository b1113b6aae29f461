"""Cards and piles in characters, in three sizes: boxes, overlapping fans, and text tokens in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby

from attrs import define, evolve, frozen
from rich.cells import cell_len

from cardlang.plain_text import harmless
from cardlang.terminal.screen.blocks import (
    Block,
    Line,
    Span,
    beside,
    broad,
    centred,
    cut,
    flowed,
    joined,
    pad,
    shelved,
    text,
    width,
    wrapped,
)  # fmt: skip
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.lying import (
    is_blank,
    is_idle,
    is_put_down,
    marked,
    most_marks,
    number_of,
    rows_of,
    touchable,
)
from interpreter.table.model import Card, Fact, Pile, Place

THIN, HEAVY = "╭─╮│╰╯", "┏━┓┃┗┛"
CHOSEN = "✓"
FRESH, FRESH_BEHIND = "new", "*"
"""Mark of a card new in the hand: in its upper edge, or after its token."""
OFFERED = ("‹", "›")
"""Brackets around a card that can be taken, in a line."""
COUNTS = "═"
"""Lower edge of a card that counts in the value of the hand."""
SIGNED = (
    f"{FRESH}, or {FRESH_BEHIND} after a card: new in your hand",
    f"{CHOSEN}: selected",
    f"{' '.join(OFFERED)} around a card: you can use it",
    f"{COUNTS} below a card: it counts in your hand",
)
"""Legend of the symbols around cards."""
FEW = 6
"""Maximum number of adjacent idle cards that are always drawn one by one."""
MOST = 25
"""Maximum number of different idle cards drawn if space is short. Above it, only the first and last are drawn."""


@frozen
class Mood:
    """Interaction state of a drawing.

    `pointed`: highlighted refs. `asked`: the viewer has a decision, so cards that can't be taken are dimmed. `offered`:
    cards outside the viewer's hand that can be taken. They are marked among the face-up cards."""

    pointed: Container[str] = ()
    asked: bool = False
    offered: Container[str] = ()


@define
class Cards:
    """Renderer of cards in their current state.

    `seats`: player count. `viewer`: name of the person who sees the screen."""

    looks: Looks
    mood: Mood
    seats: int
    viewer: str | None = None

    def role(self, card: Card, piled: bool) -> str:
        """Return the style of a card.

        `piled`: other cards of its pile can be taken."""
        if card.chosen:
            return "chosen"
        if card.face is None:
            return "back"
        return "paper" if touchable(card) or not (piled and self.mood.asked) else "shade"

    # ------------------------------------------------------------ a card
    def token(self, card: Card, piled: bool = False) -> Line:
        """Return a card as text.

        Examples: ` 9b● ` plain, `[9b●]` under the cursor, `‹9b●›` offered. Selected cards are ` 9b●✓`, or `[9b●✓` under
        the cursor."""
        at = card.ref in self.mood.pointed
        look = self.looks.of(card)
        is_offered = card.ref in self.mood.offered and not card.chosen
        plain = OFFERED if is_offered else (" ", FRESH_BEHIND if card.fresh else " ")
        ends = ("[", "]") if at else plain
        role = self.role(card, piled) + (".cursor" if at else "")
        number = number_of(card) if piled else ""
        said = f"{ends[0]}{number}{look.label[len(number) :]}{CHOSEN if card.chosen else ends[1]}"
        label = Span(said, role, look.ink, card.ref)
        marks = ",".join(marked(card))
        return (label, Span(f"({marks})", "dim", "", card.ref)) if marks else (label,)

    def box(self, card: Card, inside: int, rows: int, note: str = "", piled: bool = False) -> Block:
        """Return a card as a box, `inside` columns wide, with `rows` lines for its marks.

        `note` appears in the lower edge."""
        at = card.ref in self.mood.pointed
        edge = HEAVY if at else THIN
        role = self.role(card, piled) + (".cursor" if at else "")
        look = self.looks.of(card)
        inner = [centred(text(look.label), inside), *(centred(text(mark), inside) for mark in marked(card)[:rows])]
        inner += [centred((), inside)] * (1 + rows - len(inner))
        note = CHOSEN if card.chosen else note
        lower = note.center(inside, COUNTS if card.counts else edge[1])
        upper = FRESH if card.fresh else number_of(card) if piled else ""
        lines = [edge[0] + upper.center(inside, edge[1]) + edge[2]]
        lines += [f"{edge[3]}{said(line)}{edge[3]}" for line in inner]
        lines += [f"{edge[4]}{lower}{edge[5]}"]
        return tuple((Span(line, role, look.ink, card.ref),) for line in lines)

    # ------------------------------------------------------------ several cards
    def boxes(self, cards: Sequence[Card], columns: int, notes: Sequence[str] = ()) -> Block:
        """Return cards as boxes side by side, in as many rows as needed."""
        piled, rows = any(map(touchable, cards)), most_marks(cards)
        inside = max([self.inside(cards) + 2, *map(cell_len, notes)])
        told = [*notes, *[""] * len(cards)]
        drawn = (self.box(card, inside, rows, note, piled) for card, note in zip(cards, told, strict=False))
        return shelved(drawn, columns)

    def fan(self, cards: Sequence[Card], columns: int) -> Block:
        """Return cards as overlapping boxes: only the left side of each is visible, except the last."""
        piled, inside, rows = any(map(touchable, cards)), self.inside(cards), most_marks(cards)
        drawn = [self.box(card, inside, rows, piled=piled) for card in cards]
        a_row = max(1, (columns - 1) // (inside + 1))
        return tuple(line for first in range(0, len(drawn), a_row) for line in overlapped(drawn[first : first + a_row]))

    def tokens(self, cards: Sequence[Card], columns: int) -> Block:
        """Return cards as text lines. Adjacent face-down cards without marks are counted."""
        return flowed(self.told(cards), columns, 0 if self.looks.symbols else 1)

    def row(self, cards: Sequence[Card]) -> Line:
        """Return all cards as tokens on one line."""
        return joined(map(self.token, cards), 0 if self.looks.symbols else 1)

    def few(self, cards: Sequence[Card]) -> list[Line]:
        """Return cards as tokens.

        Long runs of idle cards are shortened: each distinct card with its count, or only the first and last."""
        found: list[Line] = []
        for idle, together in groupby(cards, key=is_idle):
            run = list(together)
            sorts = {card.face: card for card in run}
            if not idle or len(run) <= FEW or len(sorts) == len(run) <= MOST:
                found += self.told(run, piled=any(map(touchable, cards)))
                continue
            if len(sorts) <= MOST:
                found += self.counted(run)
                continue
            between = text(f" … {len(run) - 2} more … ", "dim")
            found += [self.token(run[0]), between, self.token(run[-1])]
        return found

    def counted(self, cards: Sequence[Card]) -> list[Line]:
        """Return each distinct card once with its count, in the game's order."""
        sorts = {card.face or 0: card for card in cards}
        counts = Counter(card.face or 0 for card in cards)
        return [
            (*self.token(sorts[face]), *text(f"×{counts[face]} " if counts[face] > 1 else "", "dim"))
            for face in sorted(sorts)
        ]

    def is_by_sorts(self, pile: Pile) -> bool:
        """Return whether a pile is an idle row of cards with several copies each.

        Viewers of such a pile need counts of the cards that are gone."""
        faces = self.looks.game.faces
        lie = pile.form in ("row", "fan") and all(map(is_idle, pile.cards))
        return lie and all(faces[card.face or 0].copies > 1 for card in pile.cards)

    def sorts(self, cards: Sequence[Card], columns: int) -> Block:
        """Return each distinct card once with its count, grouped by suit."""
        counts = Counter(card.face or 0 for card in cards)
        own = {card.face or 0: card for card in cards}
        suits = self.looks.marks.suits.by_face
        order = sorted(counts, key=self.looks.marks.suits.place_in_hand)
        parts: list[Line] = []
        for last, face in zip([None, *order], order, strict=False):
            apart = text(" ") if last is not None and suits[last] != suits[face] else ()
            times = text(f"×{counts[face]} ", "dim") if counts[face] > 1 else ()
            parts.append((*apart, *self.token(own[face]), *times))
        return flowed(parts, columns, 0)

    def told(self, cards: Sequence[Card], piled: bool = False) -> Iterator[Line]:
        piled = piled or any(map(touchable, cards))
        for blank, together in groupby(cards, key=is_blank):
            if not blank:
                yield from (self.token(card, piled) for card in together)
                continue
            backs = list(together)
            back = self.looks.of(backs[0])
            yield (Span(back.label, "back", back.ink), *(text(f"×{len(backs)} ") if len(backs) > 1 else text(" ")))

    def inside(self, cards: Iterable[Card]) -> int:
        """Return the width of the widest label or mark."""
        sizes = [cell_len(each) for card in cards for each in (self.looks.of(card).label, *marked(card))]
        return max([3, *sizes])

    def boxed(self, cards: Sequence[Card], columns: int) -> bool:
        """Return whether all cards fit as boxes side by side."""
        return len(cards) * (self.inside(cards) + 5) <= columns + 1

    def fanned(self, cards: Sequence[Card], columns: int) -> bool:
        """Return whether all cards fit in one fan."""
        return len(cards) * (self.inside(cards) + 1) < columns

    def spread(self, cards: Sequence[Card], columns: int, size: int, label: str = "") -> Block:
        """Return cards side by side, as large as fits one row, up to `size`: 3 boxes, 2 fan, 1 text.

        The label goes above boxes and fans."""
        above: Block = (cut(text(f"  {label}", "dim"), columns),) if label else ()
        if size > 2 and self.boxed(cards, columns):
            return (*above, *self.boxes(cards, columns))
        if size > 1 and (self.fanned(cards, columns) or size > 2):
            return (*above, *self.fan(cards, columns))
        if not label:
            return self.tokens(cards, columns)
        return flowed([text(f"{label} ", "dim"), *self.told(cards)], columns, 0 if self.looks.symbols else 1, indent=2)

    # ------------------------------------------------------------ a pile
    def pile(self, pile: Pile, columns: int, size: int) -> Block:
        """Return a pile with its label: before it in a text line, above it if it is drawn large."""
        label = harmless(pile.label)
        if not pile.cards and (size < 2 or pile.form != "trick"):
            return (text(f"  {label} –" if size > 1 and pile.form in ("row", "fan") else f"{label} –", "dim"),)
        broken = size == 2 and pile.form == "hand" and not self.fanned(pile.cards, columns)
        if size < 2 or broken or (all(map(is_blank, pile.cards)) and pile.form not in ("grid", "trick")):
            cards = self.small(pile)
            return flowed([text(label, "dim"), *cards], columns, 1 if len(cards) < 2 else 0, indent=2)
        if self.is_by_sorts(pile):
            return (cut(text(f"  {label}", "dim"), columns), *self.sorts(pile.cards, columns))
        body = self.large(pile, columns, size)
        if pile.form in ("row", "fan"):  # the pile grows to the right, its label doesn't move
            return (cut(text(f"  {label}", "dim"), columns), *body)
        return (centred(text(label, "dim"), min(columns, max(broad(body), cell_len(label)))), *body)

    def small(self, pile: Pile) -> list[Line]:
        """Return a pile as text. A stack shows its top card and its size."""
        if pile.form == "trick":
            return [self.played(card) for card in pile.cards]
        if pile.form == "grid":
            rows = [[self.token(card) for card in row] for row in rows_of(pile)]
            return [line for row in rows for line in ((*text(" /" if row is not rows[0] else " "), *row[0]), *row[1:])]
        if is_put_down(pile):
            return [text(str(pile.count))]
        if pile.form != "stack" or any(map(touchable, pile.cards[:-1])):
            lines = self.few(pile.cards)
            return [(*text(" "), *lines[0]), *lines[1:]] if len(lines) > 1 else lines
        if is_blank(pile.cards[-1]):
            return list(self.told(pile.cards[-1:] * len(pile.cards)))
        under = f" ×{len(pile.cards)}" if len(pile.cards) > 1 else ""
        return [(*self.token(pile.cards[-1]), *text(under, "dim"))]

    def played(self, card: Card) -> Line:
        """Return a played card such as `Bob 5♣ led`."""
        note = text(f"{harmless(card.note)} ", "dim") if card.note else ()
        return (*text(f" {self.player(card)}"), *self.token(card), *note)

    def player(self, card: Card) -> str:
        """Return the name of the player who played a card."""
        return "you" if card.by is not None and card.by == self.viewer else harmless(card.by or "")

    def large(self, pile: Pile, columns: int, size: int) -> Block:
        match pile.form:
            case "stack" if not any(map(touchable, pile.cards[:-1])):
                top = pile.cards[-1]
                note = f"×{len(pile.cards)}" if len(pile.cards) > 1 else ""
                return self.box(top, max(self.inside([top]) + 2, len(note) + 2), most_marks([top]), note)
            case "grid":
                return self.grid(pile, columns, size)
            case "trick":
                return self.trick(pile, columns)
        return self.spread(pile.cards, columns, size)

    def trick(self, pile: Pile, columns: int) -> Block:
        """Return a trick with the player's name above each card.

        Its size is fixed from the first card to the last."""
        inside = self.inside(pile.cards) + 2
        notes = [card.note if cell_len(card.note) <= inside else card.note.rpartition(" ")[2] for card in pile.cards]
        names = [centred(text(self.player(card)), inside + 2) for card in pile.cards]
        lines = (joined(names), *self.boxes(pile.cards, columns, [*map(harmless, notes)]))
        wide = min(columns, self.seats * (inside + 3) - 1)
        rows = 1 + 3 * -(-self.seats * (inside + 3) // (columns + 1))
        return tuple(pad(line, max(wide, width(line))) for line in (*lines, *[()] * (rows - len(lines))))

    def grid(self, pile: Pile, columns: int, size: int) -> Block:
        """Return a grid in its rows."""
        if size > 2:
            return tuple(line for row in rows_of(pile) for line in self.boxes(row, columns))
        inside = self.inside(pile.cards)
        return tuple(joined([pad(self.token(card), inside + 2) for card in row]) for row in rows_of(pile))

    def alike(self, places: Sequence[Place], columns: int) -> Block:
        """Return the places in short form if each has one pile with a common label, else nothing.

        The label appears once."""
        labels = [pile.label for place in places for pile in place.piles]
        if (
            len(places) < 2
            or len(labels) != len(places)
            or len({*labels}) > 1
            or any(each.seat >= 0 for each in places)
        ):
            return ()
        lines = [text(f"{harmless(labels[0])}:", "dim")]
        for place in places:
            drawn = self.small(place.piles[0]) if place.piles[0].cards else [text("–", "dim")]
            told = [(*text("("), *self.fact(each), *text(")")) for each in place.facts]
            lines.append(joined([text(harmless(place.name), "dim"), *map(stripped, drawn), *told]))
        return flowed(lines, columns, 2, indent=2)

    def worded(self, text: str) -> str:
        """Return a string with its cards as drawn."""
        return self.looks.signed(harmless(text))

    # ------------------------------------------------------------ facts
    def fact(self, fact: Fact) -> Line:
        """Return a fact such as `Pot 182`, with its cards as drawn."""
        return (Span(f"{harmless(fact.label)} ", "dim"), Span(self.looks.signed(harmless(fact.text))))

    def facts(self, place: Place, columns: int) -> list[Line]:
        """Return the facts of a place. Wrap facts that are wider than the place."""
        lines: list[Line] = []
        for each in place.facts:
            line = self.fact(each)
            lines += wrapped(said(line), columns, "", 2) if width(line) > columns else (line,)
        return lines


def stripped(line: Line) -> Line:
    """Return a line without leading and trailing spaces in its spans."""
    spans = [evolve(span, text=span.text.strip()) for span in line]
    return tuple(span for span in spans if span.text)


def said(line: Line) -> str:
    return "".join(span.text for span in line)


def overlapped(drawn: Sequence[Block]) -> Block:
    """Return boxes side by side, each covering the right edge of the previous one."""
    open_ended = [tuple((Span(one.text[:-1], one.role, one.ink, one.ref),) for (one,) in box) for box in drawn[:-1]]
    return beside([*open_ended, drawn[-1]], 0)
