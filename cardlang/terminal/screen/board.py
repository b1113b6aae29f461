"""A whole table in characters, fitted to a width and a height: who sits where, what lies where, what happened, what
one holds, what is asked. Made of a `Table` alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field, frozen
from rich.cells import cell_len

from cardlang.plain_text import harmless
from cardlang.terminal.screen.asking import Asking
from cardlang.terminal.screen.blocks import (
    Block,
    Line,
    Span,
    beside,
    broad,
    cut,
    flowed,
    pad,
    rule,
    shelved,
    text,
    wrapped,
)  # fmt: skip
from cardlang.terminal.screen.cards import Cards, Mood, touchable
from cardlang.terminal.screen.looks import Looks
from interpreter.table.model import Fact, Moment, Pile, Place, Table, Told

NARROW = 20
"""So many columns a player needs at least to be drawn as one."""


@frozen
class Sizes:
    """How large things are drawn: `hand`, `middle`: 3 boxes, 2 fans, 1 lines; `seats`: 2 columns, 1 lines; `told`: so
    many lines of what happened at least; `spaced`: with empty lines between the parts."""

    hand: int
    middle: int
    seats: int
    told: int
    spaced: bool = False


SIZES = (
    Sizes(3, 3, 3, 8, True),
    Sizes(3, 3, 3, 6),
    Sizes(3, 3, 2, 5),
    Sizes(3, 2, 2, 5),
    Sizes(2, 2, 2, 4),
    Sizes(2, 1, 2, 4),
    Sizes(2, 1, 1, 3),
    Sizes(1, 1, 1, 2),
    Sizes(1, 1, 1, 1),
)
"""From the largest: the first that fits is taken."""


@frozen
class Drawing:
    """`top`: may be longer than the screen and is then scrolled; `bottom`: one's own cards and what is asked, always
    to be seen."""

    top: Block
    bottom: Block


@define
class Board:
    """Draws one table. `columns`: the width of the screen; `cursor`, `held`, `amounts`: of
    `cardlang.terminal.screen.touching.Hand`; `message`: what was just answered, in place of the rule's words."""

    table: Table
    looks: Looks
    columns: int
    cursor: str = ""
    held: tuple[str, ...] = ()
    amounts: dict[str, int] = field(factory=dict)
    message: str = ""
    cards: Cards = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.cards = Cards(self.looks, Mood(self.cursor, self.table.ask is not None))

    def fitted(self, height: int) -> Drawing:
        """The largest drawing that fits; the smallest, if none does."""
        for sizes in SIZES:
            bottom = self.bottom(sizes)
            top = self.top(sizes)
            if len(top) + len(bottom) + self.wanted(sizes) <= height:
                break
        room = max(height - len(top) - len(bottom), sizes.told)
        return Drawing((*top, *self.news(room)), bottom)

    def wanted(self, sizes: Sizes) -> int:
        """So many lines of what happened are to be seen: the last result as a whole."""
        result = len(self.moment(self.table.moments[-1])) if self.table.moments else 0
        return min(len(self.news()), max(sizes.told, result))

    # ------------------------------------------------------------ above
    def top(self, sizes: Sizes) -> Block:
        """What was just played lies above what only lies there; where there is little room, above everything."""
        players, members, middle = self.players(), self.members(), self.middle(sizes)
        below = (self.seats(players, sizes), middle) if sizes.seats > 1 else (middle, self.seats(players, sizes))
        parts = [self.heading(), *(self.in_a_row(sizes) or (*below, self.seats(members, sizes)))]
        gap: Block = ((),) if sizes.spaced else ()
        lines: list[Line] = []
        for number, part in enumerate(parts):
            if number and part:
                lines += gap
            lines += part
        return tuple(lines)

    def in_a_row(self, sizes: Sizes) -> tuple[Block, ...]:
        """The others and the middle side by side, where there is room for all of them; else nothing."""
        if sizes.seats < 2 or sizes.middle < 2:
            return ()
        others = [*self.players(), *self.members()]
        middle = self.centre(sizes)
        blocks = [self.column(place, NARROW, sizes.seats) for place in others] + middle
        room = self.columns - sum(map(broad, blocks))
        if not others or not middle or room < 3 * len(blocks):
            return ()
        return (beside(blocks, min(8, room // max(1, len(blocks) - 1))),)

    def heading(self) -> Block:
        """What is on, and the keys that help at any time."""
        table = self.table
        on = " · ".join(harmless(each) for each in table.heading)
        keys = "F1 rules  F2 aid  F3 log"
        title = (Span(harmless(table.game).upper(), "title"), Span(f"  {on}" if on else "", ""))
        room = self.columns - len(keys) - 2
        line = (*pad(title, room), *text("  "), *text(keys, "dim")) if room >= 20 else cut(title, self.columns)
        return (line, rule(self.columns))

    def seats(self, places: Sequence[Place], sizes: Sizes) -> Block:
        """Places side by side; in lines where there is little room."""
        across = min(len(places), max(1, (self.columns + 2) // (NARROW + 2)))
        if sizes.seats < 2 or (across < 2 and len(places) > 1):
            return tuple(line for place in places for line in self.in_line(place))
        if not places:
            return ()
        size = (self.columns + 2) // across - 2
        blocks = [self.column(place, size, sizes.seats) for place in places]
        even = [tuple(pad(line, size) for line in block) for block in blocks]
        return min(shelved(even, self.columns, 2), shelved(blocks, self.columns, 3), key=len)

    def players(self) -> list[Place]:
        """Who plays besides the viewer, in the order of play."""
        return [place for place in self.table.places if place.name != self.table.viewer]

    def members(self) -> list[Place]:
        """Teams and other members that have something."""
        return [kind for kind in self.table.kinds if piles(kind) or kind.facts or kind.marks]

    def column(self, place: Place, columns: int, size: int) -> Block:
        """A player below whose name lies what is theirs."""
        lines: list[Line] = [cut(self.name(place), columns)]
        lines += flowed([fact(each) for each in place.facts], columns, 2)
        for pile in piles(place):
            lines += self.cards.pile(pile, columns, 2 if pile.form == "grid" and size == 2 else size - 1)
        return tuple(lines)

    def in_line(self, place: Place) -> Block:
        """A player in as few lines as can be."""
        parts: list[Line] = [self.name(place), *map(fact, place.facts)]
        for pile in piles(place):
            parts += self.cards.pile(pile, self.columns - 2, 1)
        return flowed(parts, self.columns, 2, indent=2)

    def name(self, place: Place) -> Line:
        """`▸Wash (dealer)`."""
        asked = "▸" if place.asked and place.name != self.table.viewer else ""
        marks = [*place.marks, *(["partner"] if place.partner else [])]
        role = "out" if place.out else "name"
        told = f" ({', '.join(map(harmless, marks))})" if marks else ""
        at = ".cursor" if place.ref == self.cursor else ""
        return (Span(f"{asked}{harmless(place.name)}", role + at, "", place.ref), Span(told, "dim"))

    def middle(self, sizes: Sizes) -> Block:
        """What is nobody's: piles side by side, then what is kept."""
        middle = self.table.middle
        if sizes.middle < 2:
            lines = [line for pile in piles(middle) for line in self.cards.pile(pile, self.columns, 1)]
            return (*flowed(lines, self.columns, 3), *flowed(map(fact, middle.facts), self.columns, 3))
        return shelved(self.centre(sizes), self.columns, 4)

    def centre(self, sizes: Sizes) -> list[Block]:
        """What is nobody's, in blocks."""
        middle = self.table.middle
        blocks: list[Block] = [self.cards.pile(pile, self.columns, sizes.middle) for pile in piles(middle)]
        if middle.facts or middle.marks:
            blocks.append((*map(fact, middle.facts), *(text(harmless(mark)) for mark in middle.marks)))
        return blocks

    # ------------------------------------------------------------ what happened
    def news(self, room: int | None = None) -> Block:
        """Since the viewer's last move, and the last results; with a room, no longer than that. The newest stays, and
        what is cut off is cut at its end, so that nothing stands without its heading."""
        since = [self.told(told) for told in self.table.since]
        results = [self.moment(moment) for moment in self.table.moments[-2:]]
        head = (rule(self.columns, "since your move"),) if since else ()
        if room is None:
            return (*head, *(line for block in (*since, *results) for line in block))
        kept = 0 if self.table.over else sum(map(len, (head, *since)))
        shown = newest(results, room - min(kept, max(3, room // 3)))
        left = room - len(shown) - 1
        return (*(head if left > 0 else ()), *newest(since, left), *shown)

    def told(self, told: Told) -> Block:
        lines = [*wrapped(harmless(told.text), self.columns - 1, indent=2)]
        lines += [line for more in told.more for line in wrapped("  " + harmless(more), self.columns - 1, "dim", 4)]
        return tuple((Span(" "), *line) for line in lines)

    def moment(self, moment: Moment) -> Block:
        """A result that stays: its headline, why, and its table."""
        lines: list[Line] = [rule(self.columns, moment.kind if moment.kind != "trick" else "last trick")]
        lines += [(Span(" "), *line) for line in wrapped(harmless(moment.headline), self.columns - 1, "name")]
        lines += [(Span("  "), *line) for said in moment.lines for line in wrapped(harmless(said), self.columns - 2)]
        lines += grid(moment.columns, moment.rows, self.columns)
        for pile in moment.hands if moment.kind != "trick" else ():
            lines += flowed(
                [text(f"  {harmless(pile.owner or pile.label)}"), *self.cards.told(pile.cards)], self.columns, 0
            )
        return tuple(lines)

    # ------------------------------------------------------------ below
    def bottom(self, sizes: Sizes) -> Block:
        """One's own cards and what is asked."""
        return (
            *self.own(sizes),
            *Asking(self.table, self.looks, self.columns, self.cursor, self.held, self.amounts, self.message).drawn(),
        )

    def own(self, sizes: Sizes) -> Block:
        place = next((each for each in self.table.places if each.name == self.table.viewer), None)
        if place is None:
            return ()
        facts = [f"{harmless(each.label).lower()} {harmless(each.text)}" for each in place.facts]
        named = [f"{'▸' if place.asked else ''}you ({harmless(place.name)})", *map(harmless, place.marks)]
        title = " · ".join([*named, *facts])
        long = cell_len(title) > self.columns - 6
        lines: list[Line] = [rule(self.columns, " · ".join(named) if long else title)]
        if long:
            lines += flowed([text(each, "dim") for each in facts], self.columns, 3)
        own = piles(place)
        for pile in own:
            lines += self.hand(pile, sizes, labelled=len(own) > 1 or pile.form != "hand")
        for reading in self.table.readings:
            said = f"{reading.label}: {reading.text}" + (f"; {reading.detail}" if reading.detail else "")
            lines += wrapped(harmless(said), self.columns, "name")
        return tuple(lines)

    def hand(self, pile: Pile, sizes: Sizes, labelled: bool) -> Block:
        """One's own pile: as large as can be if one can touch it or holds it. One's only hand needs no label."""
        large = pile.form in ("hand", "grid") or any(map(touchable, pile.cards))
        if not large or not pile.cards or pile.form == "grid":
            return self.cards.pile(pile, self.columns, sizes.hand if large else 1)
        return self.cards.spread(pile.cards, self.columns, sizes.hand, harmless(pile.label) if labelled else "")


def newest(blocks: Sequence[Block], room: int) -> Block:
    """The last of the blocks that fit, each as a whole; of the very last its beginning, if it is too long."""
    if not blocks or room < 1:
        return ()
    found = blocks[-1] if len(blocks[-1]) <= room else (*blocks[-1][: room - 1], text("  …", "dim"))
    for block in reversed(blocks[:-1]):
        if len(block) + len(found) > room:
            break
        found = (*block, *found)
    return found if room > 1 or len(blocks[-1]) == 1 else ()


def piles(place: Place) -> list[Pile]:
    return [pile for pile in place.piles if pile.cards or pile.empty_stays]


def fact(fact: Fact) -> Line:
    """`Pot 182`."""
    return (Span(f"{harmless(fact.label)} ", "dim"), Span(harmless(fact.text)))


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> Iterator[Line]:
    """A table of texts, its columns as wide as they need to be."""
    if not rows:
        return
    cells = [tuple(map(harmless, row)) for row in ((head, *rows) if head else rows)]
    sizes = [max(len(row[place]) if place < len(row) else 0 for row in cells) for place in range(max(map(len, cells)))]
    for number, row in enumerate(cells):
        line = "  ".join(f"{cell:{size}}" for cell, size in zip(row, sizes, strict=False))
        yield cut(text(f"  {line}".rstrip(), "dim" if head and not number else ""), columns)
