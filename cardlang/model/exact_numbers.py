"""Exact numbers, such as scores: integers and fractions."""

from __future__ import annotations

from fractions import Fraction

ExactNumber = int | Fraction


def read_exact_number(digits: str) -> ExactNumber:
    """Return the number written in digits: `-4`, `37.5`."""
    value = Fraction(digits)
    return value.numerator if value.denominator == 1 else value


def encode_exact_number(value: ExactNumber) -> int | str:
    """Return an exact number for JSON: `12` or `"75/2"`."""
    return value if isinstance(value, int) else str(value)
