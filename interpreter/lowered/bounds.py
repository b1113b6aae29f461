"""Compute bounds of numeric expressions: interval analysis."""

from __future__ import annotations

from interpreter.lowered.expressions import (
    Arith,
    Compare,
    Const,
    Count,
    Either,
    Expr,
    Local,
    Logic,
    Not,
    Op,
    Pile,
    Track,
)
from interpreter.lowered.walking import parts

Bounds = tuple[int | None, int | None]
"""Least and largest value; None if unknown."""
UNKNOWN: Bounds = (None, None)


def bounds(expr: Expr) -> Bounds:
    match expr:
        case Const(value=int(value)):
            return value, value
        case Compare() | Not():
            return 0, 1
        case Count():
            return 0, None
        case Either():
            (low, high), (other_low, other_high) = bounds(expr.then), bounds(expr.otherwise)
            least = None if low is None or other_low is None else min(low, other_low)
            return least, None if high is None or other_high is None else max(high, other_high)
        case Op(operation="most_of"):
            lows, highs = zip(*map(bounds, expr.args), strict=True)
            return largest(lows), None if None in highs else largest(highs)
        case Op(operation="least_of"):
            lows, highs = zip(*map(bounds, expr.args), strict=True)
            return None if None in lows else least_of(lows), least_of(highs)
    return UNKNOWN


def largest(values: tuple[int | None, ...]) -> int | None:
    return max((value for value in values if value is not None), default=None)


def least_of(values: tuple[int | None, ...]) -> int | None:
    return min((value for value in values if value is not None), default=None)


HARMLESS = (Const, Local, Track, Pile, Compare, Logic, Not, Count, Either)


def is_harmless(expr: Expr) -> bool:
    """Check whether an expression can be removed: it always has a value and no side effects."""
    match expr:
        case Op(operation="most_of" | "least_of", args=args):
            return all(map(is_harmless, args))
        case Arith(operator="+" | "-" | "*"):
            return is_harmless(expr.left) and is_harmless(expr.right)
        case Compare() | Logic() | Not() | Count() | Either() | Track() | Pile():
            return all(isinstance(part, Expr) and is_harmless(part) for part in parts(expr))
    return isinstance(expr, HARMLESS)


def extreme(op: Op) -> Expr:
    """Simplify a maximum or minimum: drop the operands that cannot be the result."""
    low, high = bounds(op)
    if low is not None and low == high and all(map(is_harmless, op.args)):
        return Const(op.kind, low)
    largest_wanted = op.operation == "most_of"
    kept = [arg for number, arg in enumerate(op.args) if not is_beaten(number, op.args, largest_wanted)]
    if len(kept) == len(op.args):
        return op
    return kept[0] if len(kept) == 1 else Op(op.kind, op.operation, tuple(kept))


def is_beaten(number: int, args: tuple[Expr, ...], largest_wanted: bool) -> bool:
    """Check whether one operand is never larger (or never smaller) than another one."""
    arg = args[number]
    if not is_harmless(arg):
        return False
    low, high = bounds(arg)
    for other, rival in enumerate(args):
        rival_low, rival_high = bounds(rival)
        beaten = beats(rival_low, high) if largest_wanted else beats(low, rival_high)
        tied = (low, high) == (rival_low, rival_high) and other > number
        if other != number and beaten and not tied:
            return True
    return False


def beats(low: int | None, high: int | None) -> bool:
    return low is not None and high is not None and low >= high
