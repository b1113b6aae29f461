"""Confidence intervals, sample sizes and corrections for multiple tests."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist

from cardlang.lab.figures import Share

SURE = 0.05
"""Family-wise error rate: the probability that any interval of a kind misses its true value."""


def share(count: int, of: int, looked: float = 1) -> Share:
    """Return `count` of `of` with Wilson's score interval, corrected for `looked` simultaneous intervals (Bonferroni).

    Sources: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927; O. J.
    Dunn, Multiple comparisons among means, JASA 56, 1961, after C. E. Bonferroni."""
    if not of:
        return Share(0, 0, 0.0, 0.0, 1.0)
    z, p = score(looked), count / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return Share(count, of, p, max(0.0, middle - half), min(1.0, middle + half))


def mean_interval(total: int, squares: int, of: int, looked: int = 1) -> tuple[float, float, float]:
    """Return the mean of `of` numbers and the ends of its normal confidence interval.

    `total` is their sum, `squares` the sum of their squares."""
    mean = total / of
    error = score(looked) * sqrt(max(0.0, squares / of - mean * mean) / max(1, of - 1))
    return mean, mean - error, mean + error


def score(looked: float) -> float:
    """Return the half-width of an interval in standard errors, for `looked` simultaneous intervals."""
    return NormalDist().inv_cdf(1 - SURE / (2 * max(1, looked)))


def needed(share: float, half: float, looked: float) -> int:
    """Return the sample size for an interval of half-width `half` about a share, rounded up to 1, 2 or 5 times a power
    of 10.

    It is n = p (1 - p) (z / half)², from the simple (Wald) interval."""
    return rounded_up(ceil(max(share * (1 - share), 0.01) * (score(looked) / half) ** 2))


def rounded_up(number: int) -> int:
    unit = 1
    while True:
        for digit in (1, 2, 5):
            if digit * unit >= number:
                return digit * unit
        unit *= 10


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values of several tests, adjusted to bound the family-wise error rate.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6,
    1979."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found, least = [0.0] * len(chances), 0.0
    for place, index in enumerate(order):
        least = max(least, min(1.0, (len(chances) - place) * chances[index]))
        found[index] = least
    return found
