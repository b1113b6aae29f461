"""Constant folding of expressions, for each player count."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import can_eliminate_players


@frozen
class UnknownValue:
    """Value that depends on play."""


UNKNOWN = UnknownValue()
FoldedValue = Fraction | str | None | UnknownValue
"""Known value: a number, a flag (0 or 1), the place of a member, the number of a face, a string, or None for nothing.
"""
VariableBindings = Mapping[int, FoldedValue]
"""Known values of variables by ID: for a card the number of its face, for a member its place."""
ARITHMETIC_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
COMPARISON_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
MAX_FOLDING_DEPTH = 60
NO, YES = Fraction(0), Fraction(1)


class ConstantEvaluator:
    """Constant folder for a game with `players` players left (None: any number).

    `knows_settings` treats global definitions as known. Other games and variants may override these."""

    def __init__(self, game: g.Game, players: int | None, knows_settings: bool = True) -> None:
        self.game = game
        self.players = players
        self.knows_settings = knows_settings
        self.definition_values: dict[tuple[str, int], FoldedValue] = {}

    def evaluate(self, expr: g.Expr, bindings: VariableBindings, depth: int = MAX_FOLDING_DEPTH) -> FoldedValue:
        """Return the value of an expression. Return UNKNOWN if it depends on play or is nested deeper than `depth`."""
        if depth == 0:
            return UNKNOWN
        match expr:
            case g.Const(value=str() | None as known):
                return UNKNOWN if known == g.UNLIMITED and expr.type.tag == "number" else known
            case g.Const(value=int() | Fraction() as known):
                return Fraction(known)
            case g.Var(id=number):
                return bindings.get(number, UNKNOWN)
            case g.Agg(function="count", list=g.Builtin(name="players")) if self.players is not None:
                return Fraction(self.players)
            case g.Call(second=g.Expr()):
                return UNKNOWN
            case g.Call(define=name, of=of):
                return self.evaluate_call(name, of, bindings, depth - 1)
            case g.Cases(cases=cases):
                return self.evaluate_cases(cases, bindings, depth - 1)
            case g.Attribute(card=card, attribute=name):
                face = self.evaluate(card, bindings, depth - 1)
                return self.get_column_value(name, face) if isinstance(face, Fraction) else face
            case g.Worth(value=inner):
                place = self.evaluate(inner, bindings, depth - 1)
                return self.get_member_worth(str(inner.type.of), place) if isinstance(place, Fraction) else place
            case g.Whole(value=inner):
                found = self.evaluate(inner, bindings, depth - 1)
                return Fraction(found.__floor__()) if isinstance(found, Fraction) else found
            case g.Arith(operator=sign, left=left, right=right):
                return self.evaluate_arithmetic(
                    sign, self.evaluate(left, bindings, depth - 1), self.evaluate(right, bindings, depth - 1)
                )
        return self.evaluate_condition(expr, bindings, depth - 1)

    def evaluate_condition(self, expr: g.Expr, bindings: VariableBindings, depth: int) -> FoldedValue:
        match expr:
            case g.IsSet(card=card, set=name):
                face = self.evaluate(card, bindings, depth)
                return build_flag(self.game.faces[int(face)].set == name) if isinstance(face, Fraction) else UNKNOWN
            case g.IsAbsent(value=inner):
                found = self.evaluate(inner, bindings, depth)
                return UNKNOWN if found is UNKNOWN else build_flag(found is None)
            case g.Not(value=inner):
                found = self.evaluate(inner, bindings, depth)
                return build_flag(not found) if isinstance(found, Fraction) else UNKNOWN
            case g.And(left=left, right=right):
                return self.evaluate_connective((left, right), NO, bindings, depth)
            case g.Or(left=left, right=right):
                return self.evaluate_connective((left, right), YES, bindings, depth)
            case g.IsIn(value=inner, list=g.Joined(items=items)) if all(item.type.tag != "list" for item in items):
                return self.evaluate_membership(inner, items, bindings, depth)
            case g.Compare(operator=sign, left=left, right=right) if left.type.tag in COMPARABLE_TAGS:
                return compare_values(sign, self.evaluate(left, bindings, depth), self.evaluate(right, bindings, depth))
        return UNKNOWN

    # ------------------------------------------------------------ definitions and cases
    def evaluate_call(self, name: str, subject: g.Expr | None, bindings: VariableBindings, depth: int) -> FoldedValue:
        define = self.game.defines[name]
        if subject is None:
            if not self.knows_settings:
                return UNKNOWN
            if (name, depth) not in self.definition_values:
                self.definition_values[name, depth] = self.evaluate(define.value, {}, depth)
            return self.definition_values[name, depth]
        if define.subject != "card" and define.subject not in self.game.kinds:
            return UNKNOWN
        about = self.evaluate(subject, bindings, depth)
        if not isinstance(about, Fraction) or define.var is None:
            return about
        return self.evaluate(define.value, {define.var.id: about}, depth)

    def evaluate_cases(
        self, cases: tuple[tuple[g.Expr, g.Expr | None], ...], bindings: VariableBindings, depth: int
    ) -> FoldedValue:
        for value, condition in cases:
            holds = YES if condition is None else self.evaluate(condition, bindings, depth)
            if not isinstance(holds, Fraction):
                return UNKNOWN
            if holds:
                return self.evaluate(value, bindings, depth)
        return None

    # ------------------------------------------------------------ cards and members
    def get_column_value(self, name: str, face: Fraction) -> FoldedValue:
        value = self.game.columns[name].values[int(face)]
        return value if isinstance(value, str) or value is None else Fraction(value)

    def get_member_worth(self, kind: str, member_index: Fraction) -> FoldedValue:
        worth = self.game.kinds[kind].members[int(member_index)].worth
        return None if worth is None else Fraction(worth)

    # ------------------------------------------------------------ conditions and numbers
    def evaluate_connective(
        self, operands: tuple[g.Expr, g.Expr], deciding_value: Fraction, bindings: VariableBindings, depth: int
    ) -> FoldedValue:
        """Fold `and` or `or`. The value `deciding_value` on one side is enough."""
        found = [self.evaluate(side, bindings, depth) for side in operands]
        if deciding_value in found:
            return deciding_value
        return YES - deciding_value if all(isinstance(side, Fraction) for side in found) else UNKNOWN

    def evaluate_membership(
        self, value: g.Expr, items: tuple[g.Expr, ...], bindings: VariableBindings, depth: int
    ) -> FoldedValue:
        found = self.evaluate(value, bindings, depth)
        others = [self.evaluate(item, bindings, depth) for item in items]
        if found is UNKNOWN or UNKNOWN in others or value.type.tag == "card":
            return UNKNOWN
        return build_flag(found is not None and found in others)

    def evaluate_arithmetic(self, sign: str, left: FoldedValue, right: FoldedValue) -> FoldedValue:
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return UNKNOWN if sign == "/" and not right else Fraction(ARITHMETIC_OPERATORS[sign](left, right))
        return None if None in (left, right) and UNKNOWN not in (left, right) else UNKNOWN


COMPARABLE_TAGS = ("number", "flag", "member", "text")
"""Types of comparable values. Cards and lists are left out: a face means all its copies, and lists have other
rules."""


def compare_values(sign: str, left: FoldedValue, right: FoldedValue) -> FoldedValue:
    if UNKNOWN in (left, right):
        return UNKNOWN
    if left is None or right is None:
        return build_flag(sign == "!=")
    return build_flag(COMPARISON_OPERATORS[sign](left, right))


def build_flag(holds: bool) -> Fraction:
    return YES if holds else NO


def evaluate_constant(game: g.Game, value: g.Expr, players: int) -> Fraction | None:
    """Return the constant value of a number or flag (0 or 1) in matches with `players` players. Return None if it
    depends on play.

    If players may be eliminated, their number is unknown."""
    known = _evaluators.setdefault(game, {})
    if players not in known:
        known[players] = ConstantEvaluator(game, None if can_eliminate_players(game) else players)
    found = known[players].evaluate(value, {})
    return found if isinstance(found, Fraction) else None


_evaluators: WeakKeyDictionary[g.Game, dict[int, ConstantEvaluator]] = WeakKeyDictionary()
