"""Sizes of a bet by which players reckon: half of what lies in the middle, and all of it."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from interpreter.matches.view import View
from interpreter.stakes import FOLDING, POT, PRICE
from interpreter.table.model import Amount, Ask

PARTS = (("half pot", Fraction(1, 2)), ("pot", Fraction(1)))


def sized(ask: Ask, view: View) -> tuple[Amount, ...]:
    """The amounts of what is asked; where it is decided about a bet, with sizes that are neither the least nor the
    most. What it costs to stay in counts with the pot that is raised, as it lies there then."""
    shown = {(each.name, each.owner): each.value for each in view.shown}
    pot, price = shown.get((POT, None)), shown.get((PRICE, view.player))
    if view.asking is None or FOLDING not in view.asking.options or not isinstance(pot, int):
        return ask.amounts
    full = pot + (price if isinstance(price, int) else 0)
    return tuple(with_sizes(amount, full) for amount in ask.amounts)


def with_sizes(amount: Amount, pot: int) -> Amount:
    sizes: dict[int, str] = {}
    for name, part in PARTS:
        nearest = min(amount.amounts, key=lambda each: abs(each - part * pot))
        if amount.low < nearest < amount.high:
            sizes.setdefault(nearest, name)
    return evolve(amount, sizes=tuple((name, number) for number, name in sizes.items()))
