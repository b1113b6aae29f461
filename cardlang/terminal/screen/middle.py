"""What is nobody's, in blocks side by side that keep their columns while a deal lasts, whatever comes and goes."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from cardlang.plain_text import harmless
from cardlang.terminal.screen.blocks import Block, Span, broad, flowed, pad, shelved, text
from cardlang.terminal.screen.calm import Calm
from cardlang.terminal.screen.cards import Cards
from cardlang.terminal.screen.lying import is_blank, is_put_down, piles
from interpreter.table.model import Pile, Place

GAP = 4
STEP = 4
"""The widths of lines with numbers are multiples of this: so they may grow by a figure and nothing moves."""
LEAST = 16
"""So many columns beside others are enough for a pile, if only for its cards in lines."""
GROWING = ("row", "fan")
"""The forms of piles that grow broader with each card."""


@define
class Middle:
    """Draws the middle of a table; the rest as of `Board`."""

    place: Place
    cards: Cards
    columns: int
    calm: Calm

    def drawn(self, size: int) -> Block:
        """Piles side by side with what is kept of them, or both in lines."""
        if size < 2:
            lines = [line for pile in piles(self.place) for line in self.cards.pile(pile, self.columns, 1)]
            told = (*map(self.cards.fact, self.place.facts), *(text(harmless(mark)) for mark in self.place.marks))
            return flowed([*lines, *told], self.columns, 3)
        return shelved(self.blocks(size), self.columns, GAP)

    def grows(self) -> bool:
        """Whether something will lie here side by side that does not yet, as it did in deals before."""
        return not self.calm.grew <= {pile.ref for pile in piles(self.place)}

    def blocks(self, size: int) -> list[Block]:
        """What keeps its width stands first, then what is counted, then what came later, last what grows."""
        lying = self.in_turn()
        large = [pile for pile in lying if not self.is_small(pile)]
        found = [self.block(pile, size) for pile in large if pile.form == "trick"]
        found += [self.kept(f"{size} {at}", block, STEP) for at, block in enumerate(self.counts(lying))]
        found += [self.block(pile, size) for pile in large if pile.form not in ("trick", *GROWING)]
        for pile in (each for each in large if each.form in GROWING):
            found.append(self.row(pile, size, self.left_beside(found)))
        return [block for block in found if broad(block)]

    def counts(self, lying: Sequence[Pile]) -> tuple[Block, ...]:
        """What is told in a line: of piles, and what is kept of the table; a single fact stands above the piles."""
        small = tuple(line for pile in lying if self.is_small(pile) for line in self.cards.pile(pile, self.columns, 1))
        told = (*map(self.cards.fact, self.place.facts), *(text(harmless(mark)) for mark in self.place.marks))
        return (small, told) if len(told) > 1 else ((*((Span("  "), *line) for line in told if small), *small),)

    def in_turn(self) -> Sequence[Pile]:
        """The piles in the order in which they came to lie here."""
        found = {pile.ref: pile for pile in piles(self.place)}
        self.calm.came += [ref for ref in found if ref not in self.calm.came]
        there = {pile.ref: pile for pile in self.place.piles}
        return [there[ref] for ref in self.calm.came if ref in there]

    def is_small(self, pile: Pile) -> bool:
        """Whether of a stack only its number is told; then it is for the whole deal."""
        if is_put_down(pile) or (pile.form == "stack" and not pile.empty_stays and all(map(is_blank, pile.cards))):
            self.calm.counted.add(pile.ref)
        return pile.ref in self.calm.counted

    def left_beside(self, blocks: Sequence[Block]) -> int:
        """So many columns are left beside these; all, where that is too little for a pile."""
        left = self.columns - sum(broad(block) + GAP for block in blocks if broad(block))
        return left if left >= LEAST else self.columns

    def row(self, pile: Pile, size: int, columns: int) -> Block:
        """A pile whose cards lie side by side: boxes where they fit, as they are no higher than a fan; what lay as a
        fan stays one."""
        self.calm.grew.add(pile.ref)
        if not self.cards.boxed(pile.cards, columns) and not self.cards.is_by_sorts(pile):
            self.calm.fanned.add(pile.ref)
        fanned = pile.ref in self.calm.fanned and (size == 2 or self.cards.fanned(pile.cards, columns))
        return self.cards.pile(pile, columns, 2 if fanned else 3) if is_seen(pile) else ()

    def block(self, pile: Pile, size: int) -> Block:
        """A pile drawn; one that is empty now leaves its place free."""
        return self.kept(f"{size} {pile.ref}", self.cards.pile(pile, self.columns, size) if is_seen(pile) else ())

    def kept(self, name: str, block: Block, step: int = 1) -> Block:
        """A block as wide as it has been; a number in it may grow by some figures."""
        widths = self.calm.widths
        widths[name] = max(widths.get(name, 0), -(-broad(block) // step) * step)
        lines = block or (((),) if widths[name] else ())
        return tuple(pad(line, min(widths[name], self.columns)) for line in lines)


def is_seen(pile: Pile) -> bool:
    """Whether there are cards, or the place is to be seen without."""
    return bool(pile.cards) or pile.empty_stays
