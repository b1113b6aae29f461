"""Distributions of quantities that each match has once."""

from __future__ import annotations

from collections.abc import Mapping

from cardlang.lab.figures import Spread

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


def spread(counts: Mapping[int, int]) -> Spread:
    """Return a distribution. `counts` maps numbers to their counts. Quantiles are numbers that occurred."""
    total = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / total if total else 0.0
    lowest, low, quarter, median, three, high, highest = (quantile(counts, total, part) for part in QUANTILES)
    return Spread(
        total, mean, lowest, low, quarter, median, three, high, highest, tuple(sorted(counts.items()))
    )  # fmt: skip


def quantile(counts: Mapping[int, int], total: int, part: float) -> int:
    """Return the quantile at `part` (0 to 1) by the nearest-rank method."""
    left = round(part * (total - 1))
    for value, count in sorted(counts.items()):
        left -= count
        if left < 0:
            return value
    return 0
