"""Partial evaluation of move wording, for moves that differ in one number.

Everything that does not depend on that number, such as the size of a raise, is computed once for all these moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import inf
from operator import add, mul, sub
from typing import Any

from attrs import define, frozen

from cardlang import model as g
from cardlang.model.exact_numbers import ExactNumber
from interpreter.knowledge.hidden_information_analysis import find_free_variables

KnownValue = tuple[Any, int]
"""A value, and the set of seats that may know it, as bits."""
MAX_RESIDUAL_NUMBER = 1 << 40
"""Limit up to which no intermediate result exceeds 64 bits. The program computes larger numbers."""
ARITHMETIC_OPERATORS: dict[str, Callable[[ExactNumber, ExactNumber], ExactNumber]] = {"+": add, "-": sub, "*": mul}


class NotEvaluable(Exception):
    """Signal that an expression cannot be evaluated partially."""


@frozen
class Residual:
    """Residual of an expression: its value as a function of a number, and the seats that may know everything else.

    `degree`: degree of the polynomial that it is; infinite if it is none.
    """

    compute: Callable[[int], ExactNumber]
    knowing_seats: int
    degree: float

    def evaluate_known(self, number: int) -> KnownValue | None:
        """Return the value for a number with the seats that may know it; None if it is too large."""
        value = self.compute(number)
        return (value, self.knowing_seats) if -MAX_RESIDUAL_NUMBER < value < MAX_RESIDUAL_NUMBER else None


@define
class PartialEvaluator:
    """Partial evaluator, which builds residuals.

    `evaluate`: returns the value of an expression for these variables; None if it has none or is random.
    """

    evaluate: Callable[[g.Expr, Mapping[int, object]], KnownValue | None]
    scope: Mapping[int, object]
    all_seats: int
    var: int = 0

    def build_residual(self, expr: g.Expr, var: int) -> Residual | None:
        """Return the residual of an expression in this variable; None if there is none."""
        self.var = var
        try:
            return self.reduce_expression(expr)
        except NotEvaluable:
            return None

    def reduce_expression(self, expr: g.Expr) -> Residual:
        needed = find_free_variables(expr)
        if self.var not in needed:
            return self.reduce_constant(expr, needed)
        match expr:
            case g.Var():
                return Residual(lambda number: number, self.all_seats, 1)
            case g.Arith(operator=operator, left=left, right=right) if operator in ARITHMETIC_OPERATORS:
                parts = [self.reduce_expression(left), self.reduce_expression(right)]
                degrees = [part.degree for part in parts]
                return combine_residuals(
                    ARITHMETIC_OPERATORS[operator], parts, sum(degrees) if operator == "*" else max(degrees)
                )
            case g.Agg(function="lowest" | "highest" as function, number=None, list=g.Joined(items=items)):
                return combine_residuals(
                    min if function == "lowest" else max, [self.reduce_expression(item) for item in items], inf
                )
        raise NotEvaluable

    def reduce_constant(self, expr: g.Expr, needed: set[int]) -> Residual:
        if expr.type.tag != "number" or not needed <= self.scope.keys():
            raise NotEvaluable
        known_value = self.evaluate(expr, {var: self.scope[var] for var in sorted(needed)})
        value = known_value[0] if known_value is not None else None
        if (
            known_value is None
            or not isinstance(value, int | Fraction)
            or not -MAX_RESIDUAL_NUMBER < value < MAX_RESIDUAL_NUMBER
        ):
            raise NotEvaluable
        if value.denominator == 1:
            value = value.numerator  # arithmetic on integers is ten times as fast
        return Residual(lambda number: value, known_value[1], 0)


def combine_residuals(
    operator: Callable[[ExactNumber, ExactNumber], ExactNumber], parts: list[Residual], degree: float
) -> Residual:
    values, knowing = [part.compute for part in parts], reduce(int.__and__, (part.knowing_seats for part in parts))
    if len(values) == 2:
        left, right = values
        return Residual(lambda number: operator(left(number), right(number)), knowing, degree)
    return Residual(lambda number: reduce(operator, (value(number) for value in values)), knowing, degree)
