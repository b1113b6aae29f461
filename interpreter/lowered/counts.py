"""Simplify comparisons of a number with a count of true conditions."""

from __future__ import annotations

from interpreter.lowered.expressions import Arith, Compare, Const, Either, Expr, Logic, Not
from interpreter.lowered.kinds import FLAG

AT_LEAST = {">": 1, ">=": 0}
BELOW = {"<": 0, "<=": 1}


def condition_of(compare: Compare) -> Expr:
    """Replace a comparison with a count by `and`, `or` or `!=`.

    This works for at least one, all, none, or exactly one of two negated conditions. Other comparisons are returned
    unchanged."""
    conditions = counted(compare.left)
    if len(conditions) < 2 or not isinstance(compare.right, Const) or not isinstance(compare.right.value, int):
        return compare
    number, operator = compare.right.value, compare.operator
    if operator in AT_LEAST:
        return at_least(number + AT_LEAST[operator], conditions) or compare
    if operator in BELOW:
        return opposite(at_least(number + BELOW[operator], conditions)) or compare
    if number == 0:
        some = at_least(1, conditions)
        return (some if operator == "!=" else opposite(some)) or compare
    if number == len(conditions):
        every = at_least(number, conditions)
        return (every if operator == "=" else opposite(every)) or compare
    if number == 1 and len(conditions) == 2 and all(isinstance(each, Not) for each in conditions):
        return Compare(FLAG, "!=" if operator == "=" else "=", *conditions)
    return compare


def counted(expr: Expr) -> tuple[Expr, ...]:
    """Return the conditions that a sum counts; empty if the expression is no such sum."""
    match expr:
        case Arith(operator="+"):
            left, right = counted(expr.left), counted(expr.right)
            return (*left, *right) if left and right else ()
        case Either(then=Const(value=1), otherwise=Const(value=0)) if expr.kind.tag == "number":
            return (expr.condition,)
    return ()


def at_least(number: int, conditions: tuple[Expr, ...]) -> Expr | None:
    if number == 1:
        return Logic(FLAG, "or", conditions)
    return Logic(FLAG, "and", conditions) if number == len(conditions) else None


def opposite(expr: Expr | None) -> Expr | None:
    return None if expr is None else Not(FLAG, expr)
