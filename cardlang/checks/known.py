"""Constant folding: values that depend only on the player count and on printed cards."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

from attrs import frozen

from cardlang import game as g
from cardlang.game.walking import eliminates


@frozen
class Unknown:
    """Value that depends on play."""


UNKNOWN = Unknown()
Value = Fraction | str | None | Unknown
"""Known value: a number, a flag (0 or 1), the place of a member, the number of a face, a string, or None for nothing.
"""
Given = Mapping[int, Value]
"""Known values of variables by ID: for a card the number of its face, for a member its place."""

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
COMPARISON: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
DEEPEST = 60
NO, YES = Fraction(0), Fraction(1)


class Known:
    """Constant folder for a game with `players` players left (None: any number).

    `settings` treats global definitions as known. Other games and variants may override these."""

    def __init__(self, game: g.Game, players: int | None, settings: bool = True) -> None:
        self.game = game
        self.players = players
        self.settings = settings
        self.defined: dict[tuple[str, int], Value] = {}

    def value(self, expr: g.Expr, given: Given, depth: int = DEEPEST) -> Value:
        """Return the value of an expression. Return UNKNOWN if it depends on play or is nested deeper than `depth`."""
        if depth == 0:
            return UNKNOWN
        match expr:
            case g.Const(value=str() | None as known):
                return UNKNOWN if known == g.UNLIMITED and expr.type.tag == "number" else known
            case g.Const(value=int() | Fraction() as known):
                return Fraction(known)
            case g.Var(id=number):
                return given.get(number, UNKNOWN)
            case g.Agg(function="count", list=g.Builtin(name="players")) if self.players is not None:
                return Fraction(self.players)
            case g.Call(define=name, of=of):
                return self.called(name, of, given, depth - 1)
            case g.Cases(cases=cases):
                return self.first_case(cases, given, depth - 1)
            case g.Attribute(card=card, attribute=name):
                face = self.value(card, given, depth - 1)
                return self.column(name, face) if isinstance(face, Fraction) else face
            case g.Worth(value=inner):
                place = self.value(inner, given, depth - 1)
                return self.worth(str(inner.type.of), place) if isinstance(place, Fraction) else place
            case g.Whole(value=inner):
                found = self.value(inner, given, depth - 1)
                return Fraction(found.__floor__()) if isinstance(found, Fraction) else found
            case g.Arith(operator=sign, left=left, right=right):
                return self.sum(sign, self.value(left, given, depth - 1), self.value(right, given, depth - 1))
        return self.condition(expr, given, depth - 1)

    def condition(self, expr: g.Expr, given: Given, depth: int) -> Value:
        match expr:
            case g.IsSet(card=card, set=name):
                face = self.value(card, given, depth)
                return flag(self.game.faces[int(face)].set == name) if isinstance(face, Fraction) else UNKNOWN
            case g.IsAbsent(value=inner):
                found = self.value(inner, given, depth)
                return UNKNOWN if found is UNKNOWN else flag(found is None)
            case g.Not(value=inner):
                found = self.value(inner, given, depth)
                return flag(not found) if isinstance(found, Fraction) else UNKNOWN
            case g.And(left=left, right=right):
                return self.joined((left, right), NO, given, depth)
            case g.Or(left=left, right=right):
                return self.joined((left, right), YES, given, depth)
            case g.IsIn(value=inner, list=g.Joined(items=items)) if all(item.type.tag != "list" for item in items):
                return self.among(inner, items, given, depth)
            case g.Compare(operator=sign, left=left, right=right) if left.type.tag in COMPARED:
                return compared(sign, self.value(left, given, depth), self.value(right, given, depth))
        return UNKNOWN

    # ------------------------------------------------------------ definitions and cases
    def called(self, name: str, of: g.Expr | None, given: Given, depth: int) -> Value:
        define = self.game.defines[name]
        if of is None:
            if not self.settings:
                return UNKNOWN
            if (name, depth) not in self.defined:
                self.defined[name, depth] = self.value(define.value, {}, depth)
            return self.defined[name, depth]
        if define.subject != "card" and define.subject not in self.game.kinds:
            return UNKNOWN
        about = self.value(of, given, depth)
        if not isinstance(about, Fraction) or define.var is None:
            return about
        return self.value(define.value, {define.var.id: about}, depth)

    def first_case(self, cases: tuple[tuple[g.Expr, g.Expr | None], ...], given: Given, depth: int) -> Value:
        for value, condition in cases:
            holds = YES if condition is None else self.value(condition, given, depth)
            if not isinstance(holds, Fraction):
                return UNKNOWN
            if holds:
                return self.value(value, given, depth)
        return None

    # ------------------------------------------------------------ cards and members
    def column(self, name: str, face: Fraction) -> Value:
        value = self.game.columns[name].values[int(face)]
        return value if isinstance(value, str) or value is None else Fraction(value)

    def worth(self, kind: str, place: Fraction) -> Value:
        worth = self.game.kinds[kind].members[int(place)].worth
        return None if worth is None else Fraction(worth)

    # ------------------------------------------------------------ conditions and numbers
    def joined(self, sides: tuple[g.Expr, g.Expr], deciding: Fraction, given: Given, depth: int) -> Value:
        """Fold `and` or `or`. The value `deciding` on one side is enough."""
        found = [self.value(side, given, depth) for side in sides]
        if deciding in found:
            return deciding
        return YES - deciding if all(isinstance(side, Fraction) for side in found) else UNKNOWN

    def among(self, value: g.Expr, items: tuple[g.Expr, ...], given: Given, depth: int) -> Value:
        found = self.value(value, given, depth)
        others = [self.value(item, given, depth) for item in items]
        if found is UNKNOWN or UNKNOWN in others or value.type.tag == "card":
            return UNKNOWN
        return flag(found is not None and found in others)

    def sum(self, sign: str, left: Value, right: Value) -> Value:
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return UNKNOWN if sign == "/" and not right else Fraction(ARITHMETIC[sign](left, right))
        return None if None in (left, right) and UNKNOWN not in (left, right) else UNKNOWN


COMPARED = ("number", "flag", "member", "text")
"""Types of comparable values. Cards and lists are left out: a face stands for all its copies, and lists have other
rules."""


def compared(sign: str, left: Value, right: Value) -> Value:
    if UNKNOWN in (left, right):
        return UNKNOWN
    if left is None or right is None:
        return flag(sign == "!=")
    return flag(COMPARISON[sign](left, right))


def flag(holds: bool) -> Fraction:
    return YES if holds else NO


def constant(game: g.Game, value: g.Expr, players: int) -> Fraction | None:
    """Return the constant value of a number or flag (0 or 1) in matches with `players` players. Return None if it
    depends on play.

    If players may be eliminated, their number is unknown."""
    known = _known.setdefault(game, {})
    if players not in known:
        known[players] = Known(game, None if eliminates(game) else players)
    found = known[players].value(value, {})
    return found if isinstance(found, Fraction) else None


_known: WeakKeyDictionary[g.Game, dict[int, Known]] = WeakKeyDictionary()
