"""Hoist loop invariants: compute them once before the loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.rewriting import outermost
from interpreter.lowered.walking import Part, assigned, free_in, parts, walk

SIMPLE = (lo.Const, lo.Local, lo.Pile, lo.Table, lo.SlotOf, lo.Spread, lo.Key, lo.At, lo.TestOf, lo.Link)
"""Expressions that cost nothing, have no value of their own, or may fail."""
P = TypeVar("P")
Fresh = Callable[[lo.Kind], lo.Local]
Quiet = Callable[[Sequence[Part]], bool]


class Hoister:
    """Hoisting of loop invariants. `fresh` makes a variable; `quiet` checks that evaluating nodes more or less often
    has no visible effect."""

    def __init__(self, fresh: Fresh, quiet: Quiet) -> None:
        self.fresh, self.quiet = fresh, quiet

    def before_loop(self, e: lo.Loop) -> lo.Loop:
        first = next((at for at, clause in enumerate(e.clauses) if isinstance(clause, lo.For)), len(e.clauses))
        if first == len(e.clauses):
            return e
        source = e.clauses[first]
        inside, found = self.taken_out((e.clauses[first + 1 :], e.body), assigned([e]))
        if not found:
            return e
        held = tuple(lo.Let(local, value) for value, local in found.items())
        clauses, body = inside
        return evolve(e, clauses=(*e.clauses[:first], *held, source, *clauses), body=body)

    def before_each(self, body: tuple[lo.Stmt, ...]) -> tuple[lo.Stmt, ...]:
        """Hoist invariants in statements that change only their own variables."""
        made: list[lo.Stmt] = []
        for stmt in body:
            if isinstance(stmt, lo.If):
                then, otherwise = self.before_each(stmt.then), self.before_each(stmt.otherwise)
                made.append(evolve(stmt, then=then, otherwise=otherwise))
            elif isinstance(stmt, lo.ForEach):
                inner, found = self.taken_out(self.before_each(stmt.body), assigned([stmt]))
                made += [lo.Assign(local, value) for value, local in found.items()]
                made.append(evolve(stmt, body=inner) if found else stmt)
            else:
                made.append(stmt)
        return tuple(made)

    def taken_out(self, nodes: P, bound: set[int]) -> tuple[P, dict[lo.Expr, lo.Local]]:
        """Replace the subexpressions that are independent of the bound variables. Return the new nodes, and a
        variable for each of these subexpressions."""
        found: dict[lo.Expr, lo.Local] = {}

        def change(part: Part) -> Part | None:
            if not isinstance(part, lo.Expr) or is_simple(part) or free_in([part]) & bound:
                return None
            if not self.quiet([part]) or not is_there(part):
                return None
            if part not in found:
                found[part] = self.fresh(part.kind)
            return found[part]

        return outermost(nodes, change), found


def is_simple(expr: lo.Expr) -> bool:
    if isinstance(expr, lo.Not) and isinstance(expr.value, lo.Local):
        return True
    return isinstance(expr, SIMPLE) or (isinstance(expr, lo.Loop) and expr.function == "pairs")


def is_there(part: Part) -> bool:
    """Check whether an expression takes items only from lists that it has found to be non-empty."""
    if isinstance(part, lo.At):
        return False
    if isinstance(part, lo.Either):
        ends = [each for each in walk([part.then]) if isinstance(each, lo.At)]
        if ends and all(each.list == part.condition for each in ends):
            return is_there(part.otherwise)
    return all(map(is_there, parts(part)))
