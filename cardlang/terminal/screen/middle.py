"""Centre area of the table: shared piles in blocks side by side, with columns that are stable during a deal."""

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
"""Granularity of the width of lines with numbers, so that a longer number moves nothing."""
LEAST = 16
"""Minimum number of columns for a pile next to others, at least for its cards as text."""
GROWING = ("row", "fan")
"""Forms of piles that grow wider with each card."""


@define
class Middle:
    """Renderer of the centre area. See `Board` for the fields."""

    place: Place
    cards: Cards
    columns: int
    calm: Calm

    def drawn(self, size: int) -> Block:
        """Return piles side by side with the table's facts, or both as text lines."""
        if size < 2:
            lines = [line for pile in piles(self.place) for line in self.cards.pile(pile, self.columns, 1)]
            told = (*map(self.cards.fact, self.place.facts), *(text(harmless(mark)) for mark in self.place.marks))
            return flowed([*lines, *told], self.columns, 3)
        return shelved(self.blocks(size), self.columns, GAP)

    def grows(self) -> bool:
        """Return whether a growing pile seen earlier is missing now. It will probably come back."""
        return not self.calm.grew <= {pile.ref for pile in piles(self.place)}

    def blocks(self, size: int) -> list[Block]:
        """Return the blocks: tricks first, then counted piles and facts, later piles, and growing piles last."""
        lying = self.in_turn()
        large = [pile for pile in lying if not self.is_small(pile)]
        found = [self.block(pile, size) for pile in large if pile.form == "trick"]
        found += [self.kept(f"{size} {at}", block, STEP) for at, block in enumerate(self.counts(lying))]
        found += [self.block(pile, size) for pile in large if pile.form not in ("trick", *GROWING)]
        for pile in (each for each in large if each.form in GROWING):
            found.append(self.row(pile, size, self.left_beside(found)))
        return [block for block in found if broad(block)]

    def counts(self, lying: Sequence[Pile]) -> tuple[Block, ...]:
        """Return the piles and facts that are shown as text. A single fact goes above the piles."""
        small = tuple(line for pile in lying if self.is_small(pile) for line in self.cards.pile(pile, self.columns, 1))
        told = (*map(self.cards.fact, self.place.facts), *(text(harmless(mark)) for mark in self.place.marks))
        return (small, told) if len(told) > 1 else ((*((Span("  "), *line) for line in told if small), *small),)

    def in_turn(self) -> Sequence[Pile]:
        """Return the piles in order of first appearance."""
        found = {pile.ref: pile for pile in piles(self.place)}
        self.calm.came += [ref for ref in found if ref not in self.calm.came]
        there = {pile.ref: pile for pile in self.place.piles}
        return [there[ref] for ref in self.calm.came if ref in there]

    def is_small(self, pile: Pile) -> bool:
        """Return whether only the size of a stack is shown. That holds for the whole deal."""
        if is_put_down(pile) or (pile.form == "stack" and not pile.empty_stays and all(map(is_blank, pile.cards))):
            self.calm.counted.add(pile.ref)
        return pile.ref in self.calm.counted

    def left_beside(self, blocks: Sequence[Block]) -> int:
        """Return the number of columns left next to these blocks, or the full width if it is too small for a pile."""
        left = self.columns - sum(broad(block) + GAP for block in blocks if broad(block))
        return left if left >= LEAST else self.columns

    def row(self, pile: Pile, size: int, columns: int) -> Block:
        """Return a pile of cards side by side: boxes if they fit, because boxes are no higher than a fan.

        A pile once drawn as a fan stays a fan."""
        self.calm.grew.add(pile.ref)
        if not self.cards.boxed(pile.cards, columns) and not self.cards.is_by_sorts(pile):
            self.calm.fanned.add(pile.ref)
        fanned = pile.ref in self.calm.fanned and (size == 2 or self.cards.fanned(pile.cards, columns))
        return self.cards.pile(pile, columns, 2 if fanned else 3) if is_seen(pile) else ()

    def block(self, pile: Pile, size: int) -> Block:
        """Return a drawn pile. An empty pile keeps its space."""
        return self.kept(f"{size} {pile.ref}", self.cards.pile(pile, self.columns, size) if is_seen(pile) else ())

    def kept(self, name: str, block: Block, step: int = 1) -> Block:
        """Return a block at least as wide as before. The width grows in steps."""
        widths = self.calm.widths
        widths[name] = max(widths.get(name, 0), -(-broad(block) // step) * step)
        lines = block or (((),) if widths[name] else ())
        return tuple(pad(line, min(widths[name], self.columns)) for line in lines)


def is_seen(pile: Pile) -> bool:
    """Return whether a pile has cards or is shown even when empty."""
    return bool(pile.cards) or pile.empty_stays
