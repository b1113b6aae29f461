"""How far what was counted can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist

from cardlang.lab.figures import Share

SURE = 0.05
"""All intervals of one kind are right together but for this chance."""


def share(count: int, of: int, looked: float = 1) -> Share:
    """`count` of `of` with Wilson's score interval (E. B. Wilson, Probable inference, the law of succession, and
    statistical inference, JASA 22, 1927), as wide as it takes for `looked` of them to hold together (O. J. Dunn,
    Multiple comparisons among means, JASA 56, 1961, after C. E. Bonferroni)."""
    if not of:
        return Share(0, 0, 0.0, 0.0, 1.0)
    z, p = score(looked), count / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return Share(count, of, p, max(0.0, middle - half), min(1.0, middle + half))


def mean_interval(total: int, squares: int, of: int, looked: int = 1) -> tuple[float, float, float]:
    """The mean of `of` numbers with these sums, and the ends of its normal interval."""
    mean = total / of
    error = score(looked) * sqrt(max(0.0, squares / of - mean * mean) / max(1, of - 1))
    return mean, mean - error, mean + error


def score(looked: float) -> float:
    """How many standard errors an interval reaches to each side, where so many are looked at."""
    return NormalDist().inv_cdf(1 - SURE / (2 * max(1, looked)))


def needed(share: float, half: float, looked: float) -> int:
    """So many matches make an interval about a share that reaches `half` to each side, rounded up to 1, 2 or 5 and
    noughts: n = p (1 - p) (z / half)², by the width of the simple interval."""
    return rounded_up(ceil(max(share * (1 - share), 0.01) * (score(looked) / half) ** 2))


def rounded_up(number: int) -> int:
    unit = 1
    while True:
        for digit in (1, 2, 5):
            if digit * unit >= number:
                return digit * unit
        unit *= 10


def holm(chances: Sequence[float]) -> list[float]:
    """Chances of several tests, each made so much larger that together they deceive no more often than one (S. Holm, A
    simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979)."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found, least = [0.0] * len(chances), 0.0
    for place, index in enumerate(order):
        least = max(least, min(1.0, (len(chances) - place) * chances[index]))
        found[index] = least
    return found
