"""Write moves of options in words: the author's wording, filled in with values that the reader may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardlang import game as g
from cardlang.game.walking import walk
from interpreter.errors import RuleError
from interpreter.knowing import Looked, known_value, variables_of
from interpreter.layout import about_cards
from interpreter.matches.names import Names
from interpreter.matches.partial_evaluation import Known, PartialEvaluator, Residual
from interpreter.state import State


class Sayer:
    """Writer of moves at one decision, for one seat or for the referee (None), who knows everything.

    `scope`: values of the variables known there.
    """

    def __init__(self, names: Names, state: State, seat: int | None, scope: Mapping[int, object]) -> None:
        self.names, self.state, self.seat, self.scope = names, state, seat, scope
        self.looked = Looked.of(state)
        self.used: dict[int, tuple[set[int], tuple[g.Var, ...]]] = {}
        self.residuals: dict[tuple[int, int], Residual | None] = {}

    def move(self, option: g.Option, bound: Mapping[int, object]) -> str:
        """Return the wording of a move with these values bound.

        It is empty if the author gives no wording, or if the seat may not know all values in it.
        """
        texts = []
        for expr in option.called_with:
            text = self.text(expr, bound)
            if text is None:
                return ""
            texts.append(text)
        pairs = zip(option.called, [*texts, ""], strict=True) if option.called else ()
        return "".join(part for pair in pairs for part in pair)

    def text(self, expr: g.Expr, bound: Mapping[int, object]) -> str | None:
        """Return a value in words; None if it has none, or if the seat may not know it."""
        if not self.may_hear(expr, bound):
            return None
        found = self.known(expr, bound)
        if found is None:
            return None
        value, knowing = found
        if self.seat is not None and not (knowing >> self.seat & 1 and self.can_tell(expr.type, value)):
            return None
        return "nothing" if value == [] else self.names.value(expr.type, value)

    def known(self, expr: g.Expr, bound: Mapping[int, object]) -> Known | None:
        """Return the value of an expression with the seats that may know it; None if it has no value."""
        residual = self.residual(expr, *bound) if len(bound) == 1 else None
        if residual is not None:
            (number,) = bound.values()
            found = residual.known(number) if isinstance(number, int) else None
            if found is not None:
                return found
        needed, _ = self.variables(expr)
        known = {**self.scope, **bound}
        return self.work(expr, {var: known[var] for var in sorted(needed)}) if needed <= known.keys() else None

    def work(self, expr: g.Expr, env: Mapping[int, object]) -> Known | None:
        try:
            return known_value(self.names.program, expr, self.looked, env)
        except RuleError:
            return None

    def residual(self, expr: g.Expr, var: int) -> Residual | None:
        """Return the residual of a numeric expression in a bound variable. It is cached for all moves."""
        key = id(expr), var
        if key not in self.residuals:
            found = None
            if expr.type.tag == "number":
                everybody = (1 << self.names.program.players + 1) - 1
                found = PartialEvaluator(self.without_chance, self.scope, everybody).residual(expr, var)
            self.residuals[key] = found
        return self.residuals[key]

    def without_chance(self, expr: g.Expr, env: Mapping[int, object]) -> Known | None:
        found = self.work(expr, env)
        return found if self.looked.rng == self.looked.real.rng else None

    def variables(self, expr: g.Expr) -> tuple[set[int], tuple[g.Var, ...]]:
        """Return the variables of an expression. They are cached, because a raise is worded once for each amount."""
        if id(expr) not in self.used:
            needed = variables_of(expr)
            found = (part for part in walk((expr,)) if isinstance(part, g.Var) and part.id in needed)
            self.used[id(expr)] = needed, tuple(found)
        return self.used[id(expr)]

    def may_hear(self, expr: g.Expr, bound: Mapping[int, object]) -> bool:
        """Return whether the seat may know the variables of an expression.

        It must be able to identify their cards, and no variable may be derived from hidden information. A counter on a
        card is visible without identifying the card.
        """
        if self.seat is None or (isinstance(expr, g.TrackValue) and isinstance(expr.of, g.Var)):
            return True
        hidden = self.names.facts.common.hidden_vars()
        for var in self.variables(expr)[1]:
            if about_cards(var.type):
                if not self.can_tell(var.type, bound[var.id] if var.id in bound else self.scope[var.id]):
                    return False
            elif var.id in hidden and var.id not in bound:
                return False
        return True

    def can_tell(self, type_: g.Type, value: Any) -> bool:
        """Return whether the seat can identify all cards in a value."""
        if self.seat is None or not about_cards(type_) or value is None:
            return True
        cards = value if isinstance(value, list | tuple) else [value]
        return all(card < 0 or self.names.program.visible(self.state, card, self.seat) for card in cards)
