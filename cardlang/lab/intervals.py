"""How far what was counted can be trusted."""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist

from attrs import frozen

SURE = 0.05
"""All intervals of one table are right together but for this chance."""


@frozen
class Share:
    """`count` of `of`, and between which shares the true one lies: Wilson's score interval (E. B. Wilson, Probable
    inference, the law of succession, and statistical inference, JASA 22, 1927), each of `looked` intervals wide enough
    that all hold together (C. E. Bonferroni 1936; O. J. Dunn, Multiple comparisons among means, JASA 56, 1961)."""

    count: int
    of: int
    looked: int = 1

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def low(self) -> float:
        return self.bounds()[0]

    @property
    def high(self) -> float:
        return self.bounds()[1]

    def bounds(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        z, n, p = score(self.looked), self.of, self.share
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - half), min(1.0, middle + half)


def score(looked: int) -> float:
    """How many standard errors an interval reaches to each side, where so many are looked at."""
    return NormalDist().inv_cdf(1 - SURE / (2 * max(1, looked)))


def needed(share: float, half: float, looked: int) -> int:
    """So many matches make an interval about a share that reaches `half` to each side, rounded up to 1, 2 or 5 and
    noughts: n = p (1 - p) (z / half)², the width of the simple interval."""
    return rounded_up(ceil(max(share * (1 - share), 0.01) * (score(looked) / half) ** 2))


def rounded_up(number: int) -> int:
    unit = 1
    while True:
        for digit in (1, 2, 5):
            if digit * unit >= number:
                return digit * unit
        unit *= 10


def holm(chances: list[float]) -> list[float]:
    """Chances of several tests, each made so much larger that together they deceive no more often than one (S. Holm, A
    simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979)."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found, least = [0.0] * len(chances), 0.0
    for place, index in enumerate(order):
        least = max(least, min(1.0, (len(chances) - place) * chances[index]))
        found[index] = least
    return found
