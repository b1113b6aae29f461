"""Partial evaluation of the wording of moves.

For moves that differ in one number, such as the sizes of a raise, everything independent of that number is computed
once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from operator import add, mul, sub
from typing import Any

from attrs import define, frozen

from cardlang import game as g
from interpreter.knowing import variables_of

Number = int | Fraction
Known = tuple[Any, int]
"""A value, and the set of seats that may know it, as bits."""
LARGEST = 1 << 40
"""Limit up to which no intermediate result exceeds 64 bits. The program computes larger numbers."""
OPERATORS: dict[str, Callable[[Number, Number], Number]] = {"+": add, "-": sub, "*": mul}


class Unsuited(Exception):
    """Signal that an expression cannot be evaluated partially."""


@frozen
class Residual:
    """Residual of an expression: its value as a function of a number, and the seats that may know everything else."""

    value: Callable[[int], Number]
    knowing: int

    def known(self, number: int) -> Known | None:
        """Return the value for a number with the seats that may know it; None if it is too large."""
        value = self.value(number)
        return (value, self.knowing) if -LARGEST < value < LARGEST else None


@define
class PartialEvaluator:
    """Partial evaluator, which makes residuals.

    `work`: returns the value of an expression for these variables; None if it has none or is random.
    """

    work: Callable[[g.Expr, Mapping[int, object]], Known | None]
    scope: Mapping[int, object]
    everybody: int
    var: int = 0

    def residual(self, expr: g.Expr, var: int) -> Residual | None:
        """Return the residual of an expression in this variable; None if there is none."""
        self.var = var
        try:
            return self.of(expr)
        except Unsuited:
            return None

    def of(self, expr: g.Expr) -> Residual:
        needed = variables_of(expr)
        if self.var not in needed:
            return self.constant(expr, needed)
        match expr:
            case g.Var():
                return Residual(lambda number: number, self.everybody)
            case g.Arith(operator=operator, left=left, right=right) if operator in OPERATORS:
                return joined(OPERATORS[operator], [self.of(left), self.of(right)])
            case g.Agg(function="lowest" | "highest" as function, number=None, list=g.Joined(items=items)):
                return joined(min if function == "lowest" else max, [self.of(item) for item in items])
        raise Unsuited

    def constant(self, expr: g.Expr, needed: set[int]) -> Residual:
        if expr.type.tag != "number" or not needed <= self.scope.keys():
            raise Unsuited
        found = self.work(expr, {var: self.scope[var] for var in sorted(needed)})
        value = found[0] if found is not None else None
        if found is None or not isinstance(value, int | Fraction) or not -LARGEST < value < LARGEST:
            raise Unsuited
        if value.denominator == 1:
            value = value.numerator  # arithmetic on integers is ten times as fast
        return Residual(lambda number: value, found[1])


def joined(operator: Callable[[Number, Number], Number], parts: list[Residual]) -> Residual:
    values, knowing = [part.value for part in parts], reduce(int.__and__, (part.knowing for part in parts))
    if len(values) == 2:
        left, right = values
        return Residual(lambda number: operator(left(number), right(number)), knowing)
    return Residual(lambda number: reduce(operator, (value(number) for value in values)), knowing)
