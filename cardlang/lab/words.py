"""Wording of figures."""

from __future__ import annotations

from cardlang.lab.figures import Share


def percent(share: float) -> str:
    """Return a share as `54.2%`."""
    return f"{100 * share:.1f}%"


def points(share: float) -> str:
    """Return a share as `1.3 percentage points`."""
    return f"{100 * share:.1f} percentage points"


def signed(share: float) -> str:
    """Return a share in percentage points, such as `−1.3`, with a typographic minus sign."""
    return f"{100 * share:.1f}".replace("-", "−")


def between(share: Share) -> str:
    """Return a confidence interval as `(53.1% to 55.2%)`."""
    return f"({percent(share.low)} to {percent(share.high)})"


def many(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: `1 match`, `2 matches`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def matches(count: int) -> str:
    return many(count, "match", "matches")
