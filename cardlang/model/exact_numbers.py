"""Exact numbers, such as scores: integers and fractions."""

from __future__ import annotations

from fractions import Fraction

ExactNumber = int | Fraction


def encode_exact_number(value: ExactNumber) -> int | str:
    """Return an exact number for JSON: `12` or `"75/2"`."""
    return value if isinstance(value, int) else str(value)
