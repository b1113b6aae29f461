"""Common subexpression elimination: code reads a variable that already holds a value in place of computing it again."""

from __future__ import annotations

from typing import TypeVar

from interpreter import ir
from interpreter.ir.simplifier import renumber_variables, rewrite_top_down
from interpreter.ir.traversal import (
    Part,
    count_nodes,
    find_assigned_variables,
    find_free_ir_variables,
    walk,
    walk_statements,
)
from interpreter.optimize.list_optimization import SIMPLE_KEY_TAGS
from interpreter.optimize.loop_optimization import has_side_effects, is_never_hoisted
from interpreter.optimize.purity import PurityAnalysis

HeldValues = dict[ir.Expr, ir.Local]
"""Variable that holds the value of each expression, by its form with numbered variables of loops."""
MIN_REUSED_SIZE = 4
"""Minimum size, in nodes, of an expression that is not computed again."""


class ValueReuser:
    """Reuse of values within functions that change only their own variables."""

    def __init__(self, purity: PurityAnalysis) -> None:
        self.purity = purity

    def reuse_in_pure_code(self, body: ir.Body) -> ir.Body:
        return body if has_side_effects(body) else self.reuse_in_statements(body, {})

    def reuse_in_statements(self, body: ir.Body, held: HeldValues) -> ir.Body:
        """Return statements that read the held values, and update `held`."""
        rewritten: list[ir.Stmt] = []
        for stmt in body:
            inside = keep_unassigned(held, stmt)
            match stmt:
                case ir.If():
                    then, otherwise = (self.reuse_in_statements(part, {**held}) for part in (stmt.then, stmt.otherwise))
                    rewritten.append(ir.If(read_held_values(stmt.condition, held), then, otherwise))
                case ir.ForEach():
                    inner = self.reuse_in_statements(stmt.body, {**inside})
                    rewritten.append(stmt.replace(list=read_held_values(stmt.list, held), body=inner))
                case ir.Assign():
                    rewritten.append(stmt.replace(value=read_held_values(stmt.value, held)))
                    if self.is_worth_holding(stmt):
                        inside.setdefault(number_bound_variables(stmt.value), stmt.local)
                case ir.Collect() | ir.Return():
                    rewritten.append(read_held_values(stmt, held))
                case _:
                    rewritten.append(stmt)
            held.clear()
            held.update(inside)
        return tuple(rewritten)

    def is_worth_holding(self, stmt: ir.Assign) -> bool:
        value = stmt.value
        return (
            value.kind.tag in SIMPLE_KEY_TAGS
            and value.kind == stmt.local.kind
            and not is_never_hoisted(value)
            and count_nodes(value) >= MIN_REUSED_SIZE
            and stmt.local.number not in find_free_ir_variables([value])
            and self.purity.is_pure([value])
        )


def keep_unassigned(held: HeldValues, stmt: ir.Stmt) -> HeldValues:
    """Return the values that stay the same after a statement."""
    collected = {each.local.number for each in walk_statements([stmt]) if isinstance(each, ir.Collect)}
    assigned = find_assigned_variables([stmt]) | collected
    return {
        value: local
        for value, local in held.items()
        if local.number not in assigned and not find_free_ir_variables([value]) & assigned
    }


P = TypeVar("P", bound=Part)


def read_held_values(part: P, held: HeldValues) -> P:
    if not held:
        return part
    return rewrite_top_down(
        part, lambda inner: held.get(number_bound_variables(inner)) if isinstance(inner, ir.Expr) else None
    )


def number_bound_variables(expr: ir.Expr) -> ir.Expr:
    """Return an expression that is equal for all expressions that differ only in the variables of their loops."""
    bound = find_assigned_variables([expr])
    found = dict.fromkeys(part.number for part in walk([expr]) if isinstance(part, ir.Local) and part.number in bound)
    return renumber_variables(expr, {number: -place for place, number in enumerate(found, 1)}) if bound else expr
