"""Layout of a full table, fitted to a width and a height.

It shows players, piles, events, the viewer's hand and the prompt. The only input is a `Table`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from attrs import define, evolve, field, frozen
from rich.cells import cell_len

from cardlang.plain_text import harmless
from cardlang.terminal.screen.asking import Asking, pointed
from cardlang.terminal.screen.blocks import (
    Block,
    Line,
    Span,
    beside,
    broad,
    centred,
    cut,
    flowed,
    gaps,
    joined,
    packed,
    pad,
    rule,
    shelved,
    stacked,
    text,
    width,
    without_gaps,
    wrapped,
)  # fmt: skip
from cardlang.terminal.screen.calm import Calm, raised
from cardlang.terminal.screen.cards import Cards, Mood
from cardlang.terminal.screen.happened import Happened
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.lying import cards_at, in_place, is_put_down, offered, piles, touchable
from cardlang.terminal.screen.middle import Middle
from cardlang.terminal.screen.sizes import SIZES, Sizes
from interpreter.table.model import Moment, Pile, Place, Reading, Table, Told

NARROW = 20
"""Minimum number of columns for a player's block."""
BELOW = ("own", "asked")
"""Parts whose position is fixed for as long as possible: the viewer's hand and the prompt."""
RESERVED = 3
"""Number of lines reserved for events."""
IN_WORDS = SIZES[-1]
"""Size for the viewer's other piles if space is short: they become text lines, only the hand is drawn."""
LAST_DRAWN = (True, False, False)
"""Last forms in which the viewer's hand is drawn as cards."""
LEGEND_GAP = 3
"""Columns between the viewer's hand and its legend."""


@frozen
class Drawing:
    """Finished layout of a screen.

    `top` can be longer than the screen and then scrolls. `bottom` holds the viewer's cards and the prompt, always
    visible."""

    top: Block
    bottom: Block


@define
class Board:
    """Renderer of one table.

    `columns`: screen width. `cursor`, `held`, `amounts`: see `cardlang.terminal.screen.touching.Hand`. `message`: last
    response, instead of the rule's wording. `keys`: line of available keys. `calm`: layout state of earlier frames.

    `read`: kinds of results with their own page. During a match, such a result takes no room from the table: it appears
    in full or not at all."""

    table: Table
    looks: Looks
    columns: int
    cursor: str = ""
    held: tuple[str, ...] = ()
    amounts: dict[str, int] = field(factory=dict)
    message: str = ""
    keys: str = ""
    read: tuple[str, ...] = ()
    calm: Calm = field(factory=Calm)
    looked: tuple[Moment, ...] = ()
    """Results that the viewer has read. They stay visible if there is room."""
    before: tuple[Told, ...] = ()
    """Earlier events that the viewer has read, shown dimmed if there is room."""
    passing: bool = False
    """True if the message disappears with the next key. Then the layout is not changed for it."""
    least: dict[str, int] = field(factory=dict, init=False)
    heights: dict[str, int] = field(factory=dict, init=False)
    """Current height of each part. `least` holds the minimum heights."""
    whole: bool = False
    """True if all events must be visible. The table makes room for them."""
    pointed: set[str] = field(init=False)
    cards: Cards = field(init=False)
    happened: Happened = field(init=False)
    middle: Middle = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.pointed = pointed(self.table.ask, self.cursor, self.held)
        mood = Mood(self.pointed, self.table.ask is not None, offered(self.table))
        self.cards = Cards(self.looks, mood, len(self.table.places), self.table.viewer)
        self.middle = Middle(self.table.middle, self.cards, self.columns, self.calm)
        self.happened = Happened(self.table, self.cards, self.columns, self.read, self.looked, self.before)

    def fitted(self, height: int) -> Drawing:
        """Return the largest layout that fits and is no larger than the previous one, else the smallest.

        Parts that were higher before leave their lines empty if there is room."""
        calm = self.calm
        calm.fit(self.columns, height, len(self.table.scores))
        below = {name: calm.heights[name] for name in BELOW if name in calm.heights}
        tries = [(calm.size, calm.heights, RESERVED)]
        for forms, alike in groupby(range(calm.size, len(SIZES)), lambda size: SIZES[size].forms):
            near = list(alike)
            tries += [(size, heights, RESERVED) for heights in (below, {}) for size in near]
            if forms == LAST_DRAWN:  # events give way before the hand becomes text
                tries.append((near[-1], {}, RESERVED - 1))
        if self.passing and calm.heights:
            tries = tries[:1]
        for size, self.least, reserved in tries:
            sizes, self.heights = SIZES[size], {}
            bottom = self.bottom(sizes)
            top = self.top(sizes)
            room = height - len(top) - len(bottom)
            if room >= self.wanted(reserved):
                break
        if not self.passing and not self.happened.unread():  # a result on the screen is temporary, too
            calm.size, calm.heights = size, self.heights
        room = max(room, self.wanted(1))  # the smallest table can leave less than reserved
        told = self.happened.news(room)
        if self.happened.lost or self.happened.short:
            told = self.happened.news(room + gaps(bottom))
        bottom = without_gaps(bottom, len(top) + len(told) + len(bottom) - height)
        self.happened.lost |= bool(told) and len(top) + len(told) + len(bottom) > height
        return Drawing((*top, *told), bottom)

    def wanted(self, reserved: int = RESERVED) -> int:
        """Return the number of lines to reserve for events: at least the last result in full.

        The number is otherwise constant, so the table keeps its size. If the room is too small for important events,
        play waits."""
        result = next((len(self.happened.moment(moment)) for moment in reversed(self.happened.unread())), 0)
        if self.passing or self.whole:
            return len(self.happened.all_news()) if self.whole else 0
        return max(reserved, result)

    # ------------------------------------------------------------ above
    def top(self, sizes: Sizes) -> Block:
        """Return the opponents above the shared piles. If space is short, a trick goes above everything."""
        players, members, middle = self.players(), self.members(), self.middle.drawn(sizes.middle)
        first = sizes.seats > 1 or not any(pile.form == "trick" for pile in self.table.middle.piles)
        below = (self.seats(players, sizes), middle) if first else (middle, self.seats(players, sizes))
        parts = [self.heading(), *(self.in_a_row(sizes) or (*below, self.seats(members, sizes)))]
        parts = [self.part(f"top {len(parts)} {number}", part) for number, part in enumerate(parts)]
        gap: Block = ((),) if sizes.spaced else ()
        lines: list[Line] = []
        for number, part in enumerate(parts):
            if number and part:
                lines += gap
            lines += part
        return tuple(lines)

    def part(self, name: str, block: Block) -> Block:
        """Return a part, at least as high as in earlier frames."""
        self.heights[name] = max(len(block), self.least.get(name, 0))
        return raised(block, self.heights[name])

    def in_a_row(self, sizes: Sizes) -> tuple[Block, ...]:
        """Return the opponents and the middle side by side, or nothing if they don't fit."""
        if sizes.seats < 2 or sizes.middle < 2 or self.middle.grows():
            return ()
        if any(name.startswith("top") and not name.startswith("top 2 ") for name in self.least):
            return ()  # keep the earlier layout
        others = [*self.players(), *self.members()]
        middle = self.middle.blocks(sizes.middle)
        blocks = [self.column(place, self.in_row(place), sizes) for place in others] + middle
        room = self.columns - sum(map(broad, blocks))
        if not others or not middle or room < 3 * len(blocks):
            return ()
        return (beside(blocks, min(8, room // max(1, len(blocks) - 1))),)

    def in_row(self, place: Place) -> int:
        """Return the width of a player next to the middle. It never shrinks within a deal."""
        widths = self.calm.widths
        named = min(width(joined(self.name(place), 0)), 2 * NARROW)
        widths[place.ref] = max(NARROW, named, widths.get(place.ref, 0))
        return widths[place.ref]

    def heading(self, steps: Sequence[str] | None = None) -> Block:
        """Return the current steps and the keys of the pages.

        `steps`: replacement for the steps of the table."""
        table = self.table
        on = " · ".join(harmless(each) for each in (table.heading if steps is None else steps))
        keys = "F1 rules  F2 aid  F3 log" + ("  F4 cards" if self.looks.captions else "")
        title = (Span(harmless(table.game).upper(), "title"), Span(f"  {on}" if on else "", ""))
        room = self.columns - len(keys) - 2
        line = (*pad(title, room), *text("  "), *text(keys, "dim")) if room >= 20 else cut(title, self.columns)
        return (line, rule(self.columns))

    def seats(self, places: Sequence[Place], sizes: Sizes) -> Block:
        """Return places side by side, or as text lines if space is short and columns take more lines."""
        across = min(len(places), max(1, (self.columns + 2) // (NARROW + 2)))
        if sizes.seats > 1 and (across > 1 or len(places) == 1):
            return self.in_columns(places, sizes, across)
        alike = self.cards.alike(places, self.columns)
        columns = self.in_columns(places, sizes, across) if alike else ()
        if alike and len(columns) <= len(alike):
            return columns
        return alike or tuple(line for place in places for line in self.in_line(place, sizes))

    def in_columns(self, places: Sequence[Place], sizes: Sizes, across: int) -> Block:
        """Return places side by side, `across` in a row."""
        shares = self.shares(places, (self.columns + 2) // across - 2, across)
        blocks = [self.column(place, share, sizes) for place, share in zip(places, shares, strict=True)]
        even = [tuple(pad(line, share) for line in block) for block, share in zip(blocks, shares, strict=True)]
        return min(shelved(even, self.columns, 2), shelved(blocks, self.columns, 3), key=len)

    def shares(self, places: Sequence[Place], size: int, across: int) -> list[int]:
        """Return the width of each place.

        Widths are equal, unless a place needs more for its facts on one line and others have room to spare."""
        needs = [width(joined(self.cards.facts(place, self.columns))) for place in places]
        found = [max(size, need) for need in needs]
        if across < len(places) or sum(max(need, NARROW) for need in needs) > size * len(places):
            return [size] * len(places)
        while sum(found) > size * len(places):
            roomy = max(range(len(places)), key=lambda at: found[at] - max(needs[at], NARROW))
            found[roomy] -= 1
        return found

    def players(self) -> list[Place]:
        """Return all players but the viewer, in order of play."""
        return [place for place in self.table.places if place.name != self.table.viewer]

    def members(self) -> list[Place]:
        """Return the teams and other values of kinds that have piles, facts or marks."""
        return [kind for kind in self.table.kinds if piles(kind) or kind.facts or kind.marks]

    def column(self, place: Place, columns: int, sizes: Sizes) -> Block:
        """Return a player's block: name, facts, then piles."""
        facts = self.cards.facts(place, columns)
        named = joined([joined(self.name(place), 0), *facts], 2)
        if place.seat < 0 and width(named) <= columns:  # name and facts of a kind's value share a line
            lines = [named]
        else:
            wide, dense = flowed(facts, columns, 2), flowed(facts, columns, 1)
            lines = [*flowed(self.name(place), columns, 0), *(dense if len(dense) < len(wide) else wide)]
        found = in_place(piles(place, sizes.bare))
        for pile in found:
            grid = pile.form == "grid" and sizes.seats == 2
            lines += () if is_put_down(pile) else self.cards.pile(pile, columns, 2 if grid else sizes.seats - 1)
        down = [line for pile in found if is_put_down(pile) for line in self.cards.pile(pile, columns, 1)]
        beside = joined([*lines[-1:], *down], 2)
        return (*lines[:-1], beside) if width(beside) <= columns else (*lines, *down)

    def in_line(self, place: Place, sizes: Sizes) -> Block:
        """Return a player in as few lines as possible."""
        parts: list[Line] = [joined(self.name(place), 0), *map(self.cards.fact, place.facts)]
        for pile in piles(place, sizes.bare):
            parts += self.cards.pile(pile, self.columns - 2, 1)
        return flowed(parts, self.columns, 2, indent=2)

    def name(self, place: Place) -> list[Line]:
        """Return the pieces of a name such as `▸Wash (dealer)`."""
        asked = "▸" if place.asked and place.name != self.table.viewer else ""
        marks = [*place.marks, *(["partner"] if place.partner else [])]
        role = "out" if place.out else "name"
        told = [f" {mark}" for mark in f"({', '.join(map(harmless, marks))})".split(" ")] if marks else []
        at = ".cursor" if place.ref in self.pointed else ""
        return [text(f"{asked}{harmless(place.name)}", role + at, place.ref), *(text(each, "dim") for each in told)]

    # ------------------------------------------------------------ below
    def bottom(self, sizes: Sizes) -> Block:
        """Return the viewer's cards and the prompt."""
        asking = Asking(
            self.table, self.looks, self.columns, self.cursor, self.held, self.amounts, self.message, self.keys
        )
        said, options = asking.said(), asking.options()
        pointing = 2 if self.table.ask is not None else 1  # leave a line above the keys for the highlighted card
        height = max(len(said) + max(len(options), pointing), self.least.get("asked", 0))
        self.heights["asked"] = height
        return (*self.part("own", self.own(sizes)), *raised(said, height - len(options)), *options)

    def own(self, sizes: Sizes) -> Block:
        place = next((each for each in self.table.places if each.name == self.table.viewer), None)
        if place is None:
            return ()
        facts = [f"{harmless(each.label).lower()} {self.cards.worded(each.text)}" for each in place.facts]
        facts += [f"{harmless(each.label)} {each.count}" for each in piles(place) if is_put_down(each) and each.cards]
        named = [f"{'▸' if place.asked else ''}you ({harmless(place.name)})", *map(harmless, place.marks)]
        title = " · ".join([*named, *facts])
        long = cell_len(title) > self.columns - 6
        lines: list[Line] = [rule(self.columns, " · ".join(named) if long else title)]
        if long:
            lines += flowed([text(each, "dim") for each in facts], self.columns, 3)
        own = in_place([pile for pile in piles(place, sizes.bare) if not is_put_down(pile)])
        held = next((pile.ref for pile in place.piles if pile.form == "hand"), "")
        blocks = []
        for pile in own:
            size = sizes if pile.ref == held or pile.form == "grid" or sizes.hand > 2 else IN_WORDS
            blocks.append(self.hand(pile, size, is_labelled(pile, own, pile.ref == held, size)))
        if any(pile.form == "grid" for pile in own):
            lines += shelved(blocks, self.columns, 4)
        else:
            legend = next((number for number, pile in enumerate(own) if pile.form == "hand"), -1)
            blocks = [self.with_legend(each, own) if at == legend else each for at, each in enumerate(blocks)]
            lines += stacked(blocks, self.columns)
        for reading in self.table.readings:
            lines += self.reading(reading)
        return tuple(lines)

    def with_legend(self, hand: Block, own: Sequence[Pile]) -> Block:
        """Return the viewer's hand with a legend of the symbols on cards next to it.

        The legend covers the hand, other own piles and the middle. If space is short, it covers the hand alone."""
        room = self.columns - broad(hand) - LEGEND_GAP
        held = [pile for pile in own if pile.form == "hand"]
        for lying in ((*own, *piles(self.table.middle)), held):
            faces = [card.face for each in lying for card in each.cards if card.face is not None]
            told = [text(harmless(each), "dim") for each in self.looks.legend(faces, all_suits=lying is not held)]
            if not told or max(map(width, told)) > room:
                continue
            legend = min(flowed(told, room, 2), packed(told, room, 2), key=len)
            if len(legend) <= len(hand):
                return beside([hand, legend], LEGEND_GAP)
        return hand

    def reading(self, reading: Reading) -> Block:
        """Return the rank or value of the viewer's cards, and the cards that form it."""
        said = f"{reading.label}: {reading.text}" + (f"; {reading.detail}" if reading.detail else "")
        lines = wrapped(self.cards.worded(said), self.columns, "name")
        cards = self.cards.row([evolve(card, ref="") for card in cards_at(self.table, reading.cards)])
        if "[" in reading.text or not cards or broad(lines[-1:]) + width(cards) + 2 > self.columns:
            return lines
        return (*lines[:-1], (*lines[-1], *text("  "), *cards))

    def hand(self, pile: Pile, sizes: Sizes, labelled: bool) -> Block:
        """Return one of the viewer's piles. Hands and piles with playable cards are drawn as large as possible."""
        if pile.form == "grid" and sizes.hand > 1:
            drawn = self.cards.grid(pile, self.columns, 3)
            return drawn if not labelled else (centred(text(harmless(pile.label), "dim"), broad(drawn)), *drawn)
        large = pile.form in ("hand", "grid") or any(map(touchable, pile.cards))
        if not large or not pile.cards or pile.form == "grid":
            return self.cards.pile(pile, self.columns, sizes.hand if large else 1)
        size = sizes.hand + (sizes.hand == 2)  # boxes in one row are as high as a fan
        if size > 2 and not self.cards.boxed(pile.cards, self.columns):
            self.calm.fanned.add(pile.ref)
        if pile.ref in self.calm.fanned:
            size = min(size, 2)
        return self.cards.spread(pile.cards, self.columns, size, harmless(pile.label) if labelled else "")


def is_labelled(pile: Pile, own: Sequence[Pile], held: bool, sizes: Sizes) -> bool:
    """Return whether one of the viewer's piles needs a label.

    A single grid, and a hand drawn as cards, are recognizable without one."""
    forms = [each.form for each in own]
    if pile.form == "grid":
        return forms.count("grid") > 1
    return not held or (len(own) > 1 and (sizes.hand < 2 or "grid" in forms))
