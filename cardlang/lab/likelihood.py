"""Significance of counts: exact binomial tests."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log

SURE = 0.001
"""Significance level for seat bias, after the correction for multiple tests."""
LEAST = 1e-18
"""Precision of sums: smaller relative terms are dropped once the terms decrease."""
ENOUGH = 20_000
"""Number of matches after which an effect that isn't significant is considered absent."""


def binomial(matches: int, wins: int, share: float) -> float:
    """Return the p-value of an exact binomial test, two-sided: twice the smaller tail."""
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
    """Return the seats (from 0) whose wins differ significantly from the mean, with their p-values.

    `looked` is the number of figures tested in all. The p-values are multiplied by it (Bonferroni)."""
    share = sum(wins) / (len(wins) * matches) if matches else 0.0
    chances = [(seat, min(1.0, looked * binomial(matches, won, share))) for seat, won in enumerate(wins)]
    return [(seat, chance) for seat, chance in chances if chance < SURE]


def once_in(chance: float) -> str:
    """Return a probability in words, such as `once in 5,000`."""
    return f"once in {1 / chance:,.0f}" if chance > 1e-9 else "never"
