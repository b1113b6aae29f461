"""Eliminate common subexpressions: compute repeated ones once, before their first use.

Only cheap expressions without side effects that cannot fail are computed early, because their value may not be
needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.rewriting import rewritten
from interpreter.lowered.walking import Part, parts, size, statements, walk

TOTAL = (lo.Const, lo.Local, lo.Track, lo.Arith, lo.Compare, lo.Either, lo.Not, lo.Logic, lo.Count, lo.Pile)
KNOWN = (lo.Const, lo.Local, lo.Pile)
EASY = {"most_of", "least_of", "is_out"}
WORTH = 3
"""Minimum size, in nodes, of a shared expression."""
P = TypeVar("P", bound=Part)
Fresh = Callable[[lo.Kind], lo.Local]


def shared_in_function(body: tuple[lo.Stmt, ...], fresh: Fresh) -> tuple[lo.Stmt, ...]:
    """Share subexpressions in a function body. If it changes only its own variables, they are computed at its
    beginning."""
    if changes(body):
        return shared(body, fresh)
    return (*hoisted(list(body), fresh),)


CHANGING = (lo.Store, lo.Bump, lo.SetLink, lo.Effect, lo.Do, lo.DoBorne, lo.Run, lo.RunBorne, lo.Wait)


def changes(body: tuple[lo.Stmt, ...]) -> bool:
    """Check whether statements change more than their own variables."""
    return any(isinstance(stmt, CHANGING) and not is_check(stmt) for stmt in statements(body))


def is_check(stmt: lo.Stmt) -> bool:
    return isinstance(stmt, lo.Effect) and stmt.operation in ("few_moves", "few_asked", "one_card")


def shared(body: tuple[lo.Stmt, ...], fresh: Fresh) -> tuple[lo.Stmt, ...]:
    """Share common subexpressions within each statement."""
    found: list[lo.Stmt] = []
    for stmt in body:
        match stmt:
            case lo.If():
                inner = evolve(stmt, then=shared(stmt.then, fresh), otherwise=shared(stmt.otherwise, fresh))
                found += before(inner, inner.condition, fresh, partial(with_condition, inner))
            case lo.ForEach() | lo.Answers() | lo.While() | lo.Scope() | lo.Again():
                found.append(evolve(stmt, body=shared(stmt.body, fresh)))
            case lo.Assign() | lo.Store() | lo.Bump():
                found += before(stmt, stmt.value, fresh, partial(with_value, stmt))
            case _:
                found.append(stmt)
    return tuple(found)


def before(stmt: lo.Stmt, value: lo.Expr, fresh: Fresh, made: Callable[[lo.Expr], lo.Stmt]) -> list[lo.Stmt]:
    """Compute the shared subexpressions of a statement's value before it. `made` rebuilds the statement with another
    value."""
    held, (value,) = worked_out([value], fresh)
    return [*held, made(value) if held else stmt]


def with_condition(stmt: lo.If, condition: lo.Expr) -> lo.Stmt:
    return evolve(stmt, condition=condition)


def with_value(stmt: lo.Assign | lo.Store | lo.Bump, value: lo.Expr) -> lo.Stmt:
    return evolve(stmt, value=value)


def hoisted(body: list[lo.Stmt], fresh: Fresh) -> list[lo.Stmt]:
    outer = {part.local.number for part in walk(body) if isinstance(part, lo.Assign | lo.ForEach)}
    held, made = worked_out(body, fresh, outer)
    return [*held, *made]


def worked_out(nodes: list[P], fresh: Fresh, bound: set[int] | None = None) -> tuple[list[lo.Stmt], list[P]]:
    """Extract repeated subexpressions. Return their assignments, and the nodes rewritten to use them."""
    held: list[lo.Assign] = []
    if sum(map(size, nodes)) < 2 * WORTH:
        return list(held), nodes
    while True:
        found = repeated([*(each.value for each in held), *nodes], bound or set())
        if found is None:
            return list(held), nodes
        local = fresh(found.kind)
        change = partial(replaced, found, local)
        first = next((at for at, each in enumerate(held) if found in walk([each.value])), len(held))
        held = [evolve(each, value=rewritten(each.value, change)) for each in held]
        held.insert(first, lo.Assign(local, found))
        nodes = [rewritten(node, change) for node in nodes]


def replaced(old: lo.Expr, new: lo.Expr, part: Part) -> Part:
    return new if type(part) is type(old) and hash(part) == hash(old) and part == old else part


def repeated(nodes: Sequence[Part], bound: set[int]) -> lo.Expr | None:
    """Return the largest repeated subexpression that can be computed early; None if there is none."""
    counts: Counter[lo.Expr] = Counter()
    inside = set(bound)
    stack: list[Part] = list(nodes)
    while stack:
        part = stack.pop()
        if isinstance(part, lo.Loop):
            inside |= {clause.local.number for clause in part.clauses if not isinstance(clause, lo.Test)}
        elif isinstance(part, lo.TestOf):
            inside.add(part.local.number)
        if isinstance(part, lo.Expr) and is_total(part):
            counts[part] += 1
        stack += parts(part)
    best = [
        (size(expr), expr) for expr, count in counts.items()
        if count > 1 and size(expr) >= WORTH and not names(expr) & inside
    ]  # fmt: skip
    return max(best, key=lambda each: each[0])[1] if best else None


def is_total(expr: lo.Expr) -> bool:
    """Check whether an expression always has a value, at little cost."""
    if not (isinstance(expr, TOTAL) or (isinstance(expr, lo.Op) and expr.operation in EASY)):
        return False
    below = [part for part in parts(expr) if isinstance(part, lo.Expr) and not isinstance(part, KNOWN)]
    return not isinstance(expr, KNOWN) and all(map(is_total, below))


def names(expr: lo.Expr) -> set[int]:
    return {part.number for part in walk([expr]) if isinstance(part, lo.Local)}
