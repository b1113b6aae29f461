"""Convert internal values to displayed ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cardlang import game as g
from interpreter.state import ABSENT, NO_NUMBER, UNLIMITED


def first_value(type_: g.Type) -> int:
    return 0 if type_.tag in ("number", "flag") else ABSENT


def shown(value: Any, type_: g.Type, scale: int) -> Any:
    """Convert an internal value to its displayed form."""
    if type_.tag == "list":
        return [shown(item, type_.item or g.NOTHING, scale) for item in value]
    if type_.tag == "number":
        if value == NO_NUMBER:
            return None
        if value >= UNLIMITED:
            return g.UNLIMITED
        exact = Fraction(value, scale)
        return int(exact) if exact.denominator == 1 else exact
    if type_.tag == "flag":
        return bool(value)
    if type_.tag == "text":
        return value or None
    return None if type_.tag in ("player", "card", "member") and value == -1 else value
