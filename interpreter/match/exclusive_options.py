"""Options that are never legal together, such as check and call. They can share a key."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import model as g

OPPOSITE_OPERATORS = {
    "=": ("!=", "<", ">"),
    "!=": ("=",),
    "<": (">", ">=", "="),
    ">": ("<", "<=", "="),
    "<=": (">",),
    ">=": ("<",),
}


def find_exclusive_pairs(options: Sequence[g.Option]) -> tuple[tuple[str, str], ...]:
    """Return the names of options that are never legal together, in pairs: the later one, then the earlier one."""
    return tuple(
        (second.name, first.name)
        for index, second in enumerate(options)
        for first in options[:index]
        if any(are_opposite(one, other) for one, _ in first.when for other, _ in second.when)
    )


def are_opposite(first: g.Expr, second: g.Expr) -> bool:
    """Return whether two conditions are never both true, judging by their form alone."""
    match first, second:
        case g.Compare(), g.Compare():
            same = (first.left, first.right) == (second.left, second.right)
            return same and second.operator in OPPOSITE_OPERATORS[first.operator]
        case g.Not(value=value), other:
            return value == other
        case other, g.Not(value=value):
            return value == other
    return False
