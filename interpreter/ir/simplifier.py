"""Rewriters of the IR, and its algebraic simplifier: constant folding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, sub
from typing import TypeVar

from interpreter.ir.ir_expressions import (
    FLAG,
    Arith,
    Compare,
    Const,
    Count,
    Either,
    Expr,
    Local,
    Logic,
    Not,
    Op,
    Pile,
    Track,
)
from interpreter.ir.ir_statements import Bump, Store
from interpreter.ir.traversal import NODES, Part


def simplify_extreme(op: Op) -> Expr:
    """Combine the constant operands of a maximum or minimum."""
    constants = [arg.value for arg in op.args if isinstance(arg, Const) and isinstance(arg.value, int)]
    if len(constants) < 2:
        return op
    best = Const(op.kind, max(constants) if op.operation == "most_of" else min(constants))
    rest = tuple(arg for arg in op.args if not isinstance(arg, Const))
    return Op(op.kind, op.operation, (*rest, best)) if rest else best


AT_LEAST_OFFSETS = {">": 1, ">=": 0}
BELOW_OFFSETS = {"<": 0, "<=": 1}


def simplify_count_comparison(compare: Compare) -> Expr:
    """Replace a comparison with a count by `and`, `or` or `!=`.

    This works for at least one, all, none, or exactly one of two negated conditions. Other comparisons are returned
    unchanged."""
    conditions = find_counted_conditions(compare.left)
    if len(conditions) < 2 or not isinstance(compare.right, Const) or not isinstance(compare.right.value, int):
        return compare
    number, operator = compare.right.value, compare.operator
    if operator in AT_LEAST_OFFSETS:
        return build_at_least(number + AT_LEAST_OFFSETS[operator], conditions) or compare
    if operator in BELOW_OFFSETS:
        return build_negation(build_at_least(number + BELOW_OFFSETS[operator], conditions)) or compare
    if number == 0:
        some = build_at_least(1, conditions)
        return (some if operator == "!=" else build_negation(some)) or compare
    if number == len(conditions):
        every = build_at_least(number, conditions)
        return (every if operator == "=" else build_negation(every)) or compare
    if number == 1 and len(conditions) == 2 and all(isinstance(each, Not) for each in conditions):
        return Compare(FLAG, "!=" if operator == "=" else "=", *conditions)
    return compare


def find_counted_conditions(expr: Expr) -> tuple[Expr, ...]:
    """Return the conditions that a sum counts; empty if the expression is no such sum."""
    match expr:
        case Arith(operator="+"):
            left, right = find_counted_conditions(expr.left), find_counted_conditions(expr.right)
            return (*left, *right) if left and right else ()
        case Either(then=Const(value=1), otherwise=Const(value=0)) if expr.kind.tag == "number":
            return (expr.condition,)
    return ()


def build_at_least(minimum: int, conditions: tuple[Expr, ...]) -> Expr | None:
    if minimum == 1:
        return Logic(FLAG, "or", conditions)
    return Logic(FLAG, "and", conditions) if minimum == len(conditions) else None


def build_negation(expr: Expr | None) -> Expr | None:
    return None if expr is None else Not(FLAG, expr)


P = TypeVar("P")
PartRewrite = Callable[[Part], Part]
INTEGER_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "//": floordiv, "%": mod, "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


def rewrite_bottom_up(node: P, rewrite: PartRewrite) -> P:
    """Rewrite a part, or a tuple of parts, bottom-up by `rewrite`. A `Const` is never changed."""

    def rewrite_part(part: Part) -> Part:
        return part if isinstance(part, Const) else rewrite(NODES.rewrite_children(part, rewrite_part))

    done: P = NODES.rewrite(node, rewrite_part)
    return done


def rewrite_top_down(node: P, rewrite: Callable[[Part], Part | None]) -> P:
    """Rewrite a part, or a tuple of parts, top-down by `rewrite`.

    If `rewrite` returns None for a part, its children are rewritten. Constants and variables are never changed."""

    def rewrite_part(part: Part) -> Part:
        if isinstance(part, Const | Local):
            return part
        other = rewrite(part)
        return NODES.rewrite_children(part, rewrite_part) if other is None else other

    done: P = NODES.rewrite(node, rewrite_part)
    return done


def substitute_variables(node: P, values: Mapping[int, Expr]) -> P:
    """Substitute values for variables in a part, and simplify the result."""

    def substitute_part(part: Part) -> Part:
        if isinstance(part, Local):
            return values.get(part.number, part)
        return simplify_part(part)

    return rewrite_bottom_up(node, substitute_part)


def renumber_variables(node: P, numbers: Mapping[int, int]) -> P:
    """Give variables other numbers, where they are read and where they are bound."""

    def renumber_part(part: Part) -> Part:
        return part.replace(number=numbers.get(part.number, part.number)) if isinstance(part, Local) else part

    return rewrite_bottom_up(node, renumber_part)


def simplify_part(part: Part) -> Part:
    """Simplify a part with constant operands: constant folding."""
    match part:
        case Track() | Pile() if isinstance(part.of, Const) and isinstance(part.of.value, int) and part.of.value >= 0:
            return part.replace(base=part.base + part.of.value, of=None, may_lack=False)
        case Not(value=Const(value=int(value))):
            return Const(FLAG, int(not value))
        case Not(value=Not(value=inner)) if inner.kind == FLAG:
            return inner
        case Either(condition=Const(value=int(value))):
            return part.then if value else part.otherwise
        case Compare(left=Const(value=int(left)), right=Const(value=int(right)), left_lacks=False, right_lacks=False):
            return Const(FLAG, int(INTEGER_OPERATORS[part.operator](left, right)))
        case Compare(left=Arith(), right=Const()):
            return simplify_count_comparison(part)
        case Arith(operator="+" | "-" | "*", left=Const(value=int(left)), right=Const(value=int(right))):
            return Const(part.kind, INTEGER_OPERATORS[part.operator](left, right))
        case Op(operation="most_of" | "least_of"):
            return simplify_extreme(part)
        case Count(list=Const(value=tuple(items))):
            return Const(part.kind, len(items))
        case Store() | Bump() if isinstance(part.of, Const) and isinstance(part.of.value, int) and part.of.value >= 0:
            return part.replace(base=part.base + part.of.value, of=None)
        case Logic():
            return simplify_logic(part)
    return part


def simplify_logic(part: Logic) -> Expr:
    """Drop constants from `and` and `or`."""
    decides = int(part.operator == "or")
    left: list[Expr] = []
    for each in part.parts:
        if isinstance(each, Const) and isinstance(each.value, int):
            if bool(each.value) == bool(decides):
                left.append(Const(FLAG, decides))
                break
            continue
        left.append(each)
    if not left:
        return Const(FLAG, 1 - decides)
    if isinstance(left[0], Const):
        return left[0]
    return left[0] if len(left) == 1 and left[0].kind == FLAG else part.replace(parts=tuple(left))
