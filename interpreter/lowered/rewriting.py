"""Rewrite trees of the IR bottom-up or top-down. Unchanged parts are shared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, is_, mul, sub
from typing import TypeVar, cast

from attrs import evolve

from interpreter.lowered.bounds import extreme
from interpreter.lowered.counts import condition_of
from interpreter.lowered.expressions import (
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
from interpreter.lowered.kinds import FLAG
from interpreter.lowered.statements import Bump, Store
from interpreter.lowered.walking import PARTS, Part, fields_of

P = TypeVar("P")
Change = Callable[[Part], Part]
CALCULATED: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}


def rewritten(node: P, change: Change) -> P:
    """Rewrite a part, or a tuple of parts, bottom-up by `change`. A `Const` is never changed."""
    if isinstance(node, tuple):
        made = tuple([rewritten(item, change) for item in node])
        return node if all(map(is_, made, node)) else cast(P, made)
    if isinstance(node, Const) or not isinstance(node, PARTS):
        return node
    changed = {}
    for name in fields_of(type(node)):
        old = getattr(node, name)
        new = rewritten(old, change)
        if new is not old:
            changed[name] = new
    return cast(P, change(evolve(node, **changed) if changed else node))


def outermost(node: P, change: Callable[[Part], Part | None]) -> P:
    """Rewrite a part, or a tuple of parts, top-down by `change`.

    If `change` returns None for a part, its children are rewritten. Constants and variables are never changed."""
    if isinstance(node, tuple):
        made = tuple([outermost(item, change) for item in node])
        return node if all(map(is_, made, node)) else cast(P, made)
    if isinstance(node, Const | Local) or not isinstance(node, PARTS):
        return node
    other = change(node)
    if other is not None:
        return cast(P, other)
    fields = {name: getattr(node, name) for name in fields_of(type(node))}
    changed = {name: new for name, old in fields.items() if (new := outermost(old, change)) is not old}
    return evolve(node, **changed) if changed else node


def substituted(node: P, values: Mapping[int, Expr]) -> P:
    """Substitute values for variables in a part, and simplify the result."""

    def change(part: Part) -> Part:
        if isinstance(part, Local):
            return values.get(part.number, part)
        return simpler(part)

    return rewritten(node, change)


def simpler(part: Part) -> Part:
    """Simplify a part with constant operands: constant folding."""
    match part:
        case Track() | Pile() if isinstance(part.of, Const) and isinstance(part.of.value, int) and part.of.value >= 0:
            return evolve(part, base=part.base + part.of.value, of=None, may_lack=False)
        case Not(value=Const(value=int(value))):
            return Const(FLAG, int(not value))
        case Not(value=Not(value=inner)) if inner.kind == FLAG:
            return inner
        case Either(condition=Const(value=int(value))):
            return part.then if value else part.otherwise
        case Compare(left=Const(value=int(left)), right=Const(value=int(right)), left_lacks=False, right_lacks=False):
            return Const(FLAG, int(compared(part.operator, left, right)))
        case Compare(left=Arith(), right=Const()):
            return condition_of(part)
        case Arith(operator="+" | "-" | "*", left=Const(value=int(left)), right=Const(value=int(right))):
            return Const(part.kind, CALCULATED[part.operator](left, right))
        case Op(operation="most_of" | "least_of"):
            return extreme(part)
        case Count(list=Const(value=tuple(items))):
            return Const(part.kind, len(items))
        case Store() | Bump() if isinstance(part.of, Const) and isinstance(part.of.value, int) and part.of.value >= 0:
            return evolve(part, base=part.base + part.of.value, of=None)
        case Logic():
            return logic(part)
    return part


def logic(part: Logic) -> Expr:
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
    return left[0] if len(left) == 1 and left[0].kind == FLAG else evolve(part, parts=tuple(left))


def compared(operator: str, left: int, right: int) -> bool:
    match operator:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left >= right
