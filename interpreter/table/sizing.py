"""Sizes of a bet by which players reckon: half of what lies in the middle, all of it, and all that one has."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

from attrs import evolve

from interpreter.matches.view import View
from interpreter.stakes import FOLDING, POT, PRICE
from interpreter.table.model import Amount, Ask

ALL = "all-in"
"""What the most is called, where no more is left then."""
PARTS = (("half pot", Fraction(1, 2)), ("pot", Fraction(1)))


def sized(ask: Ask, view: View, score: str | None) -> tuple[Amount, ...]:
    """The amounts of what is asked; where it is decided about a bet, with sizes that are neither the least nor the
    most, and with the most, where that is all that the player has of the `score`. What it costs to stay in counts with
    the pot that is raised, as it lies there then."""
    shown = {(each.name, each.owner): each.value for each in view.shown}
    pot, price = shown.get((POT, None)), shown.get((PRICE, view.player))
    if view.asking is None or FOLDING not in view.asking.options or not isinstance(pot, int):
        return ask.amounts
    price = price if isinstance(price, int) else 0
    own = next((each.value for each in view.tracks if (each.name, each.owner) == (score, view.player)), None)
    return tuple(with_sizes(amount, pot + price, own == amount.high + price) for amount in ask.amounts)


def with_sizes(amount: Amount, pot: int, whole: bool) -> Amount:
    sizes: dict[int, str] = {}
    for name, part in PARTS:
        above = bisect_left(amount.amounts, part * pot)
        beside = amount.amounts[max(above - 1, 0) : above + 1]
        nearest = min(beside, key=lambda each: abs(each - part * pot))
        if amount.low < nearest < amount.high:
            sizes.setdefault(nearest, name)
    if whole:
        sizes[amount.high] = ALL
    return evolve(amount, sizes=tuple((name, number) for number, name in sizes.items()))
