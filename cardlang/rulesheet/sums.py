"""Describe arithmetic: sums, differences, products and quotients, and the worth of members in them."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from cardlang import game as g
from cardlang.game import NUMBER
from cardlang.rulesheet.english import Noun, Scope, phrase, says
from cardlang.rulesheet.nouns import owned, written
from cardlang.rulesheet.parts import bare, figure, is_number


@says(g.Arith)
def arith(expr: g.Arith, scope: Scope) -> Noun:
    known = constant(expr)
    if known is not None:
        return Noun(written(NUMBER, known, scope), NUMBER)
    if constant(expr.left) == 0 and expr.operator == "-":
        return Noun(f"minus {phrase(expr.right, scope).text}", NUMBER)
    left, right = operand(expr.left, expr, scope), operand(expr.right, expr, scope)
    plain = not (is_number(expr.left) or isinstance(bare(expr.left), g.Arith))
    if right == "one" and expr.operator in "+-" and plain:
        return Noun(f"one {'more' if expr.operator == '+' else 'less'} than {left}", NUMBER)
    return Noun(calculation(expr, scope), NUMBER)


def constant(expr: g.Expr) -> Fraction | None:
    """Return the value of a sum or difference of literal numbers; None for other expressions."""
    match bare(expr):
        case g.Arith(operator="+" | "-") as expr:
            left, right = constant(expr.left), constant(expr.right)
            if left is None or right is None:
                return None
            return left + right if expr.operator == "+" else left - right
    known = figure(expr)
    return None if known is None else Fraction(known)


def calculation(expr: g.Arith, scope: Scope) -> str:
    """Describe an arithmetic operation with both operands."""
    left, right = operand(expr.left, expr, scope), operand(expr.right, expr, scope)
    if expr.operator == "/":
        return f"half of {left}" if right == "two" else f"{left} divided by {right}"
    return f"{left} {dict(zip('+-*', ('plus', 'minus', 'times'), strict=True))[expr.operator]} {right}"


def operand(expr: g.Expr, parent: g.Arith, scope: Scope) -> str:
    second, expr = expr is parent.right, bare(expr)
    loose = isinstance(expr, g.Arith) and expr.operator in "+-"
    if isinstance(expr, g.Arith) and loose and (parent.operator in "*/" or second):
        return f"({calculation(expr, scope)})"
    said = valued(phrase(expr, scope), scope).text
    if said.endswith(" (rounded down)"):
        return f"({said.removesuffix(' (rounded down)')}, rounded down)"
    return said


def valued(noun: Noun, scope: Scope) -> Noun:
    """Replace a rank that has a worth by its worth: `its worth`, not `its rank`."""
    if noun.owner is None or noun.entry is None or not scope.lexicon.has_worth(noun.entry):
        return noun
    return owned(noun.owner, evolve(noun.entry, type=NUMBER, singular="worth", plural="worths"))
