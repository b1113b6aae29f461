"""Lowering of eligibility: public tests of whether a player might have a legal choice.

Conditions on hidden information count as true, so neither a decision nor its absence reveals anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import model as g
from cardlang.model.expression_queries import pair_owner_variables
from cardlang.model.traversal import find_free_variables
from interpreter import ir
from interpreter.lower.lowering_context import Lowering, lower_expression
from interpreter.lower.values_and_definitions import build_conjunction, build_disjunction, lower_list

EMPTINESS_PRESERVING = ("first", "last", "top", "bottom", "random", "reverse", "distinct")
"""Functions whose result is empty only if their list is."""


# ---------------------------------------------------------------- offers
def build_choice_test(ctx: Lowering, stmt: g.Pick | g.Choose) -> ir.Expr:
    """Return a public test that a player might find something to choose.

    If it holds, the player decides even without a legal choice, so the decision reveals nothing. FALSE if
    everything is public."""
    domain = g.Domain(stmt.source) if isinstance(stmt, g.Pick) else stmt.domain
    items, high = domain.list, stmt.high
    provided = None if isinstance(stmt, g.Pick) else stmt.provided
    parts = (items, domain.low, domain.high, provided, stmt.low, high)
    if all(part is None or ctx.common_knowledge.is_public(part) for part in parts):
        return ir.FALSE
    tests = [build_nonempty_test(ctx, items)] if items is not None else []
    if high is not None and not isinstance(high, g.Const) and ctx.common_knowledge.is_public(high):
        tests.append(build_positive_test(lower_expression(ctx, high)))
    return build_conjunction(tests)


# ---------------------------------------------------------------- reactions
def build_reaction_test(ctx: Lowering, reaction: g.Reaction) -> ir.Expr:
    """Return the test that a player might take a reaction."""
    option = reaction.option
    bound = {var.id for var, _ in option.binders}
    tests = [
        lower_public_part(ctx, condition) for condition, _ in option.when if not bound & find_free_variables(condition)
    ]
    lists = [domain.list for _, domain in option.binders if domain.list is not None]
    tests += [build_nonempty_test(ctx, items) for items in lists if not bound & find_free_variables(items)]
    for amount, track, _ in option.costs if not ctx.game.legacy else ():
        if not bound & find_free_variables(amount):
            there = g.TrackValue(ctx.game.tracks[track].type, amount.span, track, reaction.you)
            tests.append(lower_public_part(ctx, g.Compare(g.FLAG, amount.span, ">=", there, amount)))
    return build_conjunction(tests)


def lower_public_part(ctx: Lowering, condition: g.Expr) -> ir.Expr:
    """Return a condition if it is public, otherwise its public parts."""
    if ctx.common_knowledge.is_public(condition):
        return lower_expression(ctx, condition)
    if isinstance(condition, g.And):
        return build_conjunction([lower_public_part(ctx, condition.left), lower_public_part(ctx, condition.right)])
    if isinstance(condition, g.Or):
        return build_disjunction([lower_public_part(ctx, condition.left), lower_public_part(ctx, condition.right)])
    return ir.TRUE


# ---------------------------------------------------------------- lists
def build_nonempty_test(ctx: Lowering, items: g.Expr) -> ir.Expr:
    """Return the test that a list might have items. The number of cards in a zone is public."""
    if ctx.common_knowledge.is_public(items) or ctx.common_knowledge.has_public_size(items):
        return build_positive_test(ir.Count(ir.NUMBER, lower_list(ctx, items)))
    if isinstance(items, g.Filter | g.Sorted) or (isinstance(items, g.Agg) and items.function in EMPTINESS_PRESERVING):
        return build_nonempty_test(ctx, items.list)
    if isinstance(items, g.Call):
        return build_definition_nonempty_test(ctx, items)
    if isinstance(items, g.Joined):
        return build_any_nonempty_test(ctx, items.items)
    if isinstance(items, g.FirstPossible):
        return build_any_nonempty_test(ctx, [line for line, _ in items.lists])
    return ir.TRUE


def build_definition_nonempty_test(ctx: Lowering, call: g.Call) -> ir.Expr:
    define = ctx.game.defines[call.define]
    owners = pair_owner_variables(define, call)
    for var, value in owners:
        known = ctx.common_knowledge.is_public(value) and not ctx.can_be_absent(value)
        if not known or (var.type.tag != "player" and (var is define.var or var.type.tag != "member")):
            return ir.TRUE
    with ctx.bind_all_temporarily((var, lower_expression(ctx, value)) for var, value in owners):
        return build_nonempty_test(ctx, define.value)


def build_any_nonempty_test(ctx: Lowering, lists: Sequence[g.Expr]) -> ir.Expr:
    return build_disjunction(list(dict.fromkeys(build_nonempty_test(ctx, items) for items in lists)))


def build_positive_test(number: ir.Expr) -> ir.Expr:
    return ir.Compare(ir.FLAG, ">", number, ir.ZERO)
