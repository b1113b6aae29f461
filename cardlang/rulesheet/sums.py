"""Sums, differences, products and quotients in English, and what things are worth in them."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import NUMBER
from cardlang.rulesheet import words
from cardlang.rulesheet.english import Noun, Scope, phrase, says
from cardlang.rulesheet.nouns import owned


@says(n.Number)
def number(expr: n.Number, scope: Scope) -> Noun:
    return Noun(words.digits(expr.digits), NUMBER)


@says(n.Negative)
def negative(expr: n.Negative, scope: Scope) -> Noun:
    return Noun(f"minus {phrase(expr.value, scope).text}", NUMBER)


@says(n.Arith)
def arith(expr: n.Arith, scope: Scope) -> Noun:
    known = constant(expr)
    if known is not None:
        return Noun(f"minus {words.digits(str(-known))}" if known < 0 else words.digits(str(known)), NUMBER)
    left, right = operand(expr.left, expr, scope), operand(expr.right, expr, scope)
    if right == "one" and expr.operator in "+-" and not isinstance(expr.left, n.Arith | n.Number):
        return Noun(f"one {'more' if expr.operator == '+' else 'less'} than {left}", NUMBER)
    return Noun(calculation(expr, scope), NUMBER)


def constant(expr: n.Expr) -> Fraction | None:
    """The value of a sum or a difference in which only numbers are written."""
    match expr:
        case n.Number(digits=digits):
            return Fraction(digits)
        case n.Negative(value=value):
            known = constant(value)
            return None if known is None else -known
        case n.Arith(operator="+" | "-"):
            left, right = constant(expr.left), constant(expr.right)
            if left is None or right is None:
                return None
            return left + right if expr.operator == "+" else left - right
    return None


def calculation(expr: n.Arith, scope: Scope) -> str:
    """A sum, difference, product or quotient of what stands on both sides."""
    left, right = operand(expr.left, expr, scope), operand(expr.right, expr, scope)
    if expr.operator == "/":
        return f"half of {left}" if right == "two" else f"{left} divided by {right}"
    return f"{left} {dict(zip('+-*', ('plus', 'minus', 'times'), strict=True))[expr.operator]} {right}"


def operand(expr: n.Expr, parent: n.Arith, scope: Scope) -> str:
    loose = isinstance(expr, n.Arith) and expr.operator in "+-"
    if isinstance(expr, n.Arith) and loose and (parent.operator in "*/" or expr is parent.right):
        return f"({calculation(expr, scope)})"
    said = valued(phrase(expr, scope), scope).text
    if said.endswith(" (rounded down)"):
        return f"({said.removesuffix(' (rounded down)')}, rounded down)"
    return said


def valued(noun: Noun, scope: Scope) -> Noun:
    """What is counted of a rank that has a worth: `its worth`, not `its rank`."""
    if noun.owner is None or noun.entry is None or not scope.lexicon.has_worth(noun.entry):
        return noun
    return owned(noun.owner, evolve(noun.entry, type=NUMBER, singular="worth", plural="worths"))
