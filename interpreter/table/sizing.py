"""Name the usual bet sizes: half the pot, the pot, and all-in."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

from attrs import evolve

from interpreter.matches.view import View
from interpreter.stakes import FOLDING, POT, PRICE
from interpreter.table.model import Amount, Ask

ALL = "all-in"
"""Name of the highest amount, if it takes everything the player has."""
PARTS = (("half pot", Fraction(1, 2)), ("pot", Fraction(1)))


def sized(ask: Ask, view: View, score: str | None) -> tuple[Amount, ...]:
    """Return the amounts of a decision, with names for bet sizes if the decision is about a bet.

    The names cover sizes between the lowest and the highest amount. The highest is all-in if it takes the player's
    whole `score`. The cost to call counts in the pot, because it is there once the raise is made.
    """
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
