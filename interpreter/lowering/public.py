"""Lower tests of eligibility by public knowledge: may a player react, or take an offer?

Conditions on hidden information count as true, so a decision, or its absence, reveals nothing."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import game as g
from cardlang.game.walking import free_vars
from interpreter import lowered as lo
from interpreter.lowering.questions import Expressions
from interpreter.lowering.writer import FALSE, TRUE, conjunction, disjunction
from interpreter.public_knowledge import Common

SELECTING = ("first", "last", "top", "bottom", "random", "reverse", "distinct")
"""Functions whose result is empty only if their list is."""


class Public:
    def __init__(self, code: Expressions) -> None:
        self.code = code
        self.game = code.game
        self.common = Common(code.game)

    # ------------------------------------------------------------ offers
    def may_choose(self, stmt: g.Pick | g.Choose) -> lo.Expr:
        """Return a public test that a player might find something to choose.

        If it holds, the player decides even without a legal choice, so the decision reveals nothing. FALSE if
        everything is public."""
        domain = g.Domain(stmt.source) if isinstance(stmt, g.Pick) else stmt.domain
        items, high = domain.list, stmt.high
        provided = None if isinstance(stmt, g.Pick) else stmt.provided
        parts = (items, domain.low, domain.high, provided, stmt.low, high)
        if all(part is None or self.common.is_public(part) for part in parts):
            return FALSE
        tests = [self.may_find(items)] if items is not None else []
        if high is not None and not isinstance(high, g.Const) and self.common.is_public(high):
            tests.append(positive(self.code.expr(high)))
        return conjunction(tests)

    # ------------------------------------------------------------ reactions
    def may_react(self, reactions: list[g.Reaction]) -> lo.Expr:
        """Return the test that a player might take one of these reactions."""
        return disjunction([self.may_take(reaction.option, reaction.you) for reaction in reactions])

    def may_take(self, option: g.Option, you: g.Var) -> lo.Expr:
        bound = {var.id for var, _ in option.binders}
        tests = [self.possible(condition) for condition, _ in option.when if not bound & free_vars(condition)]
        lists = [domain.list for _, domain in option.binders if domain.list is not None]
        tests += [self.may_find(items) for items in lists if not bound & free_vars(items)]
        prices = [self.can_pay(cost, you) for cost in option.costs if not bound & free_vars(cost[0])]
        tests += [self.possible(price) for price in prices if not self.game.legacy]
        return conjunction(tests)

    def can_pay(self, cost: tuple[g.Expr, str, str], you: g.Var) -> g.Expr:
        amount, track, _ = cost
        there = g.TrackValue(self.game.tracks[track].type, amount.span, track, you)
        return g.Compare(g.FLAG, amount.span, ">=", there, amount)

    def possible(self, condition: g.Expr) -> lo.Expr:
        """Return a condition if it is public, otherwise its public parts."""
        if self.common.is_public(condition):
            return self.code.expr(condition)
        if isinstance(condition, g.And):
            return conjunction([self.possible(condition.left), self.possible(condition.right)])
        if isinstance(condition, g.Or):
            return disjunction([self.possible(condition.left), self.possible(condition.right)])
        return TRUE

    # ------------------------------------------------------------ lists
    def may_find(self, items: g.Expr) -> lo.Expr:
        """Return the test that a list might have items. The number of cards in a zone is public."""
        if self.common.is_public(items) or self.common.has_public_size(items):
            return positive(lo.Count(lo.NUMBER, self.code.items(items)))
        if isinstance(items, g.Filter | g.Sorted) or (isinstance(items, g.Agg) and items.function in SELECTING):
            return self.may_find(items.list)
        if isinstance(items, g.Call):
            return self.may_find_called(items)
        if isinstance(items, g.Joined):
            return self.may_find_any(items.items)
        if isinstance(items, g.FirstPossible):
            return self.may_find_any([line for line, _ in items.lists])
        return TRUE

    def may_find_called(self, call: g.Call) -> lo.Expr:
        define = self.game.defines[call.define]
        if call.of is None:
            return self.may_find(define.value)
        if define.subject != "player" or not self.common.is_public(call.of) or self.code.maybe(call.of):
            return TRUE
        with self.code.bound(define.var, self.code.expr(call.of)):
            return self.may_find(define.value)

    def may_find_any(self, lists: Sequence[g.Expr]) -> lo.Expr:
        return disjunction(list(dict.fromkeys(self.may_find(items) for items in lists)))


def positive(number: lo.Expr) -> lo.Expr:
    return lo.Compare(lo.FLAG, ">", number, lo.Const(lo.NUMBER, 0))
