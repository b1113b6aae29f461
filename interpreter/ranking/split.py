"""Optimal split of cards into groups, by dynamic programming over sets of cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from interpreter.ranking.hand import Effort


class Meld(NamedTuple):
    """Possible group of cards.

    mask: a bit set of the cards and other resources that the group takes; each can be taken once.
    cards: the group's cards that are being split.
    rank: the rank that the group makes.
    wilds: the number of wild cards among them.
    """

    mask: int
    cards: tuple[int, ...]
    rank: int
    wilds: int


class Split(NamedTuple):
    """Choice of melds.

    `least`: the cost of the `left` cards that remain. Compared lexicographically; lower is better.
    """

    least: int
    left: int
    melds: tuple[Meld, ...]


def best_split(costs: Sequence[int], melds: Iterable[Meld], effort: Effort) -> Split:
    """Return the best choice of disjoint melds.

    costs: for each card (the lowest bits of a mask), its cost if it remains. Each meld takes at least one card.
    """
    by_lowest: dict[int, list[Meld]] = {}
    useful = 0
    for meld in melds:
        by_lowest.setdefault(meld.mask & -meld.mask, []).append(meld)
        useful |= meld.mask
    cards = (1 << len(costs)) - 1
    alone = [cost for number, cost in enumerate(costs) if not useful >> number & 1]
    known: dict[int, Split] = {}

    def best(free: int) -> Split:
        """Return the best split of the cards in `free`."""
        if not free & cards:
            return Split(0, 0, ())
        if free not in known:
            effort.spend()
            lowest = free & -free
            without = best(free ^ lowest)
            found = Split(without.least + costs[lowest.bit_length() - 1], without.left + 1, without.melds)
            for meld in by_lowest.get(lowest, ()):
                if meld.mask & free == meld.mask:
                    behind = best(free ^ meld.mask)
                    if behind[:2] < found[:2]:
                        found = behind._replace(melds=(meld, *behind.melds))
            known[free] = found
        return known[free]

    split = best(useful)
    return split._replace(least=split.least + sum(alone), left=split.left + len(alone))
