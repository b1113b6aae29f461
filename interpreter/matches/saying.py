"""How a move of an option is said: the author's words with what their values are for whoever hears it."""

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
    """At one decision, for one seat (None: the referee, who knows everything). `scope`: the values of the variables
    that are known there."""

    def __init__(self, names: Names, state: State, seat: int | None, scope: Mapping[int, object]) -> None:
        self.names, self.state, self.seat, self.scope = names, state, seat, scope
        self.looked = Looked.of(state)
        self.used: dict[int, tuple[set[int], tuple[g.Var, ...]]] = {}
        self.residuals: dict[tuple[int, int], Residual | None] = {}

    def move(self, option: g.Option, bound: Mapping[int, object]) -> str:
        """A move with these values bound; empty if the author has no words for it, or not all that they tell may be
        known to the seat."""
        texts = []
        for expr in option.called_with:
            text = self.text(expr, bound)
            if text is None:
                return ""
            texts.append(text)
        pairs = zip(option.called, [*texts, ""], strict=True) if option.called else ()
        return "".join(part for pair in pairs for part in pair)

    def text(self, expr: g.Expr, bound: Mapping[int, object]) -> str | None:
        """A value in words; None if it has none, or the seat may not know it."""
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
        """The value of an expression with who may know it; None if it has none."""
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
        """What remains of an expression of numbers in a variable that is bound to one; made once for all moves."""
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
        """Those that the expression needs. Kept by its place: a raise is said once for each number that it may be."""
        if id(expr) not in self.used:
            needed = variables_of(expr)
            found = (part for part in walk((expr,)) if isinstance(part, g.Var) and part.id in needed)
            self.used[id(expr)] = needed, tuple(found)
        return self.used[id(expr)]

    def may_hear(self, expr: g.Expr, bound: Mapping[int, object]) -> bool:
        """Whether the seat may know the variables: cards that it can tell, and nothing that was made of what is hidden.
        What is noted about a card is seen without telling the card."""
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
        """Whether the seat can tell the cards that a value is."""
        if self.seat is None or not about_cards(type_) or value is None:
            return True
        cards = value if isinstance(value, list | tuple) else [value]
        return all(card < 0 or self.names.program.visible(self.state, card, self.seat) for card in cards)
