"""Whether what was counted says something, or chance says it as easily."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log

SURE = 0.001
"""A difference is told if chance alone would show one so large somewhere less often than this."""
LEAST = 1e-18
"""What is a smaller part of a sum than this, and grows smaller, is left out."""
ENOUGH = 20_000
"""With so many matches, what is not to be seen is not there."""


def binomial(matches: int, wins: int, share: float) -> float:
    """How likely it is that so many wins of so many matches, or numbers farther from the expected one on the same
    side, come by chance, counted for both sides: the exact binomial test, twice the smaller tail."""
    if not 0 < share < 1:
        return 1.0
    expected = matches * share
    below, above = 0.0, 0.0
    for each in range(wins, -1, -1):
        below += (one := mass(matches, each, share))
        if each < expected and one <= below * LEAST:
            break
    for each in range(wins, matches + 1):
        above += (one := mass(matches, each, share))
        if each > expected and one <= above * LEAST:
            break
    return min(1.0, 2 * min(below, above))


def mass(matches: int, wins: int, share: float) -> float:
    ways = lgamma(matches + 1) - lgamma(wins + 1) - lgamma(matches - wins + 1)
    return exp(ways + wins * log(share) + (matches - wins) * log(1 - share))


def unlike(matches: int, wins: Sequence[int], looked: int) -> list[tuple[int, float]]:
    """The seats (from 0) whose wins differ from the mean of all seats more than chance explains, each with how often
    chance would show such a difference in any of the figures. `looked`: how many figures were looked at in all; the
    chances are multiplied by it (Bonferroni)."""
    share = sum(wins) / (len(wins) * matches) if matches else 0.0
    chances = [(seat, min(1.0, looked * binomial(matches, won, share))) for seat, won in enumerate(wins)]
    return [(seat, chance) for seat, chance in chances if chance < SURE]


def once_in(chance: float) -> str:
    """`once in 5,000`."""
    return f"once in {1 / chance:,.0f}" if chance > 1e-9 else "never"
