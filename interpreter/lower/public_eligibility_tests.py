"""Lowering of eligibility: public tests of whether a player might have a legal choice.

Conditions on hidden information count as true, so neither a decision nor its absence reveals anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import model as g
from cardlang.model.traversal import find_free_variables
from interpreter import ir
from interpreter.knowledge.common_knowledge import CommonKnowledge
from interpreter.lower.expression_base import build_conjunction, build_disjunction
from interpreter.lower.operators import ExpressionLowerer

EMPTINESS_PRESERVING = ("first", "last", "top", "bottom", "random", "reverse", "distinct")
"""Functions whose result is empty only if their list is."""


class EligibilityLowerer:
    def __init__(self, expression_lowerer: ExpressionLowerer) -> None:
        self.expression_lowerer = expression_lowerer
        self.game = expression_lowerer.game
        self.common_knowledge = CommonKnowledge(expression_lowerer.game)

    # ------------------------------------------------------------ offers
    def build_choice_test(self, stmt: g.Pick | g.Choose) -> ir.Expr:
        """Return a public test that a player might find something to choose.

        If it holds, the player decides even without a legal choice, so the decision reveals nothing. FALSE if
        everything is public."""
        domain = g.Domain(stmt.source) if isinstance(stmt, g.Pick) else stmt.domain
        items, high = domain.list, stmt.high
        provided = None if isinstance(stmt, g.Pick) else stmt.provided
        parts = (items, domain.low, domain.high, provided, stmt.low, high)
        if all(part is None or self.common_knowledge.is_public(part) for part in parts):
            return ir.FALSE
        tests = [self.build_nonempty_test(items)] if items is not None else []
        if high is not None and not isinstance(high, g.Const) and self.common_knowledge.is_public(high):
            tests.append(build_positive_test(self.expression_lowerer.lower_expression(high)))
        return build_conjunction(tests)

    # ------------------------------------------------------------ reactions
    def build_reaction_test(self, reactions: list[g.Reaction]) -> ir.Expr:
        """Return the test that a player might take one of these reactions."""
        return build_disjunction([self.build_option_test(reaction.option, reaction.you) for reaction in reactions])

    def build_option_test(self, option: g.Option, you: g.Var) -> ir.Expr:
        bound = {var.id for var, _ in option.binders}
        tests = [
            self.lower_public_part(condition)
            for condition, _ in option.when
            if not bound & find_free_variables(condition)
        ]
        lists = [domain.list for _, domain in option.binders if domain.list is not None]
        tests += [self.build_nonempty_test(items) for items in lists if not bound & find_free_variables(items)]
        prices = [self.build_price_test(cost, you) for cost in option.costs if not bound & find_free_variables(cost[0])]
        tests += [self.lower_public_part(price) for price in prices if not self.game.legacy]
        return build_conjunction(tests)

    def build_price_test(self, cost: tuple[g.Expr, str, str], you: g.Var) -> g.Expr:
        amount, track, _ = cost
        there = g.TrackValue(self.game.tracks[track].type, amount.span, track, you)
        return g.Compare(g.FLAG, amount.span, ">=", there, amount)

    def lower_public_part(self, condition: g.Expr) -> ir.Expr:
        """Return a condition if it is public, otherwise its public parts."""
        if self.common_knowledge.is_public(condition):
            return self.expression_lowerer.lower_expression(condition)
        if isinstance(condition, g.And):
            return build_conjunction([self.lower_public_part(condition.left), self.lower_public_part(condition.right)])
        if isinstance(condition, g.Or):
            return build_disjunction([self.lower_public_part(condition.left), self.lower_public_part(condition.right)])
        return ir.TRUE

    # ------------------------------------------------------------ lists
    def build_nonempty_test(self, items: g.Expr) -> ir.Expr:
        """Return the test that a list might have items. The number of cards in a zone is public."""
        if self.common_knowledge.is_public(items) or self.common_knowledge.has_public_size(items):
            return build_positive_test(ir.Count(ir.NUMBER, self.expression_lowerer.lower_list(items)))
        if isinstance(items, g.Filter | g.Sorted) or (
            isinstance(items, g.Agg) and items.function in EMPTINESS_PRESERVING
        ):
            return self.build_nonempty_test(items.list)
        if isinstance(items, g.Call):
            return self.build_definition_nonempty_test(items)
        if isinstance(items, g.Joined):
            return self.build_any_nonempty_test(items.items)
        if isinstance(items, g.FirstPossible):
            return self.build_any_nonempty_test([line for line, _ in items.lists])
        return ir.TRUE

    def build_definition_nonempty_test(self, call: g.Call) -> ir.Expr:
        define = self.game.defines[call.define]
        if call.of is None:
            return self.build_nonempty_test(define.value)
        if (
            define.subject != "player"
            or not self.common_knowledge.is_public(call.of)
            or self.expression_lowerer.can_be_absent(call.of)
        ):
            return ir.TRUE
        with self.expression_lowerer.bind_temporarily(define.var, self.expression_lowerer.lower_expression(call.of)):
            return self.build_nonempty_test(define.value)

    def build_any_nonempty_test(self, lists: Sequence[g.Expr]) -> ir.Expr:
        return build_disjunction(list(dict.fromkeys(self.build_nonempty_test(items) for items in lists)))


def build_positive_test(number: ir.Expr) -> ir.Expr:
    return ir.Compare(ir.FLAG, ">", number, ir.Const(ir.NUMBER, 0))
