"""Unroll loops over a few fixed items."""

from __future__ import annotations

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.kinds import absent
from interpreter.lowered.rewriting import simpler, substituted
from interpreter.lowered.walking import Part, size, walk
from interpreter.passes.fusing import fused, shared_conditions

FEW = 3
"""Maximum number of items of an unrolled loop."""
SHORT = 40
"""Maximum size, in nodes, of an unrolled body."""
ONCE = (lo.Wait, lo.Run, lo.RunBorne, lo.Mark, lo.Scope, lo.Leave)


def change(part: Part) -> Part:
    if isinstance(part, lo.Loop):
        made = fused(part)
        return loop(made) if isinstance(made, lo.Loop) else change(made)
    if isinstance(part, lo.Op) and part.operation == "first_list":
        return shared_conditions(part)
    if isinstance(part, lo.If):
        return evolve(part, then=spread(part.then), otherwise=spread(part.otherwise))
    if isinstance(part, lo.ForEach | lo.While | lo.Scope):
        return evolve(part, body=spread(part.body))
    return simpler(part)


def spread(body: tuple[lo.Stmt, ...]) -> tuple[lo.Stmt, ...]:
    """Unroll the short loops of a body, and resolve constant conditions."""
    found: list[lo.Stmt] = []
    for stmt in body:
        if isinstance(stmt, lo.ForEach) and (items := known_items(stmt.list)) and may_stand_twice(stmt):
            for item in items:
                found += spread(substituted(stmt.body, {stmt.local.number: item}))
        elif isinstance(stmt, lo.If) and isinstance(stmt.condition, lo.Const) and isinstance(stmt.condition.value, int):
            found += stmt.then if stmt.condition.value else stmt.otherwise
        else:
            found.append(stmt)
    return tuple(found)


def may_stand_twice(stmt: lo.ForEach) -> bool:
    """Check whether a loop can be unrolled: it is short and contains no decision, which must have a single site."""
    return size(stmt) <= SHORT and not any(isinstance(part, ONCE) for part in walk([stmt]))


def known_items(items: lo.Expr) -> list[lo.Const]:
    """Return the items of a short constant list; empty for any other list."""
    if isinstance(items, lo.Const) and isinstance(items.value, tuple) and 0 < len(items.value) <= FEW:
        kind = items.kind.item or lo.NUMBER
        return [lo.Const(kind, value) for value in items.value]
    return []


# ---------------------------------------------------------------- loops with a value
Term = tuple[tuple[lo.Expr, ...], lo.Expr]
"""Conditions, and the value if they hold."""


def loop(e: lo.Loop) -> lo.Expr:
    """Unroll a loop expression over a few fixed items."""
    terms = terms_of(e.clauses, e.body) if e.function != "pairs" else None
    if terms is None or not terms or len(terms) > 2 * FEW or sum(size(value) for _, value in terms) > SHORT:
        return e
    match e.function:
        case "any" | "every":
            return quantified(e, terms)
        case "count" | "total":
            return added(e, terms)
        case "highest" | "lowest":
            return best(e, terms)
    if all(not conditions for conditions, _ in terms):
        return lo.Items(e.kind, tuple(value for _, value in terms))
    return e


def terms_of(clauses: tuple[lo.For | lo.Let | lo.Test, ...], body: lo.Expr) -> list[Term] | None:
    """Return one term for each iteration of a loop; None unless they are few and fixed."""
    if not clauses:
        return [((), body)]
    first, rest = clauses[0], clauses[1:]
    if isinstance(first, lo.Test):
        inner = terms_of(rest, body)
        return None if inner is None else [((first.condition, *conditions), value) for conditions, value in inner]
    if isinstance(first, lo.Let):
        return None
    found: list[Term] = []
    for item in items_of(first.list):
        if item is None:
            return None
        conditions, value = item
        turn = substituted((rest, body), {first.local.number: value})
        inner = terms_of(*turn)
        if inner is None:
            return None
        found += [((*conditions, *more), value) for more, value in inner]
    return found


def items_of(items: lo.Expr) -> list[Term | None]:
    """Return the items of a list with their conditions; None for an item that is not fixed."""
    if isinstance(items, lo.Const):
        return [((), item) for item in known_items(items)] or [None]
    if isinstance(items, lo.Items):
        found: list[Term | None] = []
        for item in items.items:
            if not isinstance(item, lo.Spread):
                found.append(((), item) if is_cheap(item) else None)
            elif isinstance(item.list, lo.Loop) and item.list.function == "list":
                found += terms_of(item.list.clauses, item.list.body) or [None]
            else:
                found += items_of(item.list)
        return found
    return [None]


def is_cheap(expr: lo.Expr) -> bool:
    return isinstance(expr, lo.Const | lo.Local) or (isinstance(expr, lo.Track) and size(expr) < 4)


def all_of(conditions: tuple[lo.Expr, ...]) -> lo.Expr:
    made = simpler(lo.Logic(lo.FLAG, "and", conditions)) if conditions else lo.Const(lo.FLAG, 1)
    return made if isinstance(made, lo.Expr) else lo.Const(lo.FLAG, 1)


def quantified(e: lo.Loop, terms: list[Term]) -> lo.Expr:
    parts = []
    for conditions, value in terms:
        if e.function == "any":
            parts.append(all_of((*conditions, value)))
        else:
            parts.append(any_of((*(lo.Not(lo.FLAG, each) for each in conditions), value)))
    return all_of(tuple(parts)) if e.function == "every" else any_of(tuple(parts))


def any_of(parts: tuple[lo.Expr, ...]) -> lo.Expr:
    made = simpler(lo.Logic(lo.FLAG, "or", parts))
    return made if isinstance(made, lo.Expr) else lo.Const(lo.FLAG, 0)


def added(e: lo.Loop, terms: list[Term]) -> lo.Expr:
    total: lo.Expr | None = None
    for conditions, value in terms:
        one = lo.Const(lo.NUMBER, 1) if e.function == "count" else value
        term = chosen(e.kind, all_of(conditions), one, lo.Const(e.kind, 0))
        total = term if total is None else lo.Arith(e.kind, "+", total, term)
    return total or lo.Const(e.kind, 0)


def best(e: lo.Loop, terms: list[Term]) -> lo.Expr:
    nothing = lo.Const(e.kind, absent(e.kind))
    if any(conditions for conditions, _ in terms):
        sure = any(not conditions for conditions, _ in terms)
        if e.function == "lowest" or not (sure or e.kind.tag == "number"):
            return e
    values = tuple(chosen(e.kind, all_of(conditions), value, nothing) for conditions, value in terms)
    if len(values) == 1:
        return values[0]
    return lo.Op(e.kind, "most_of" if e.function == "highest" else "least_of", values)


def chosen(kind: lo.Kind, condition: lo.Expr, then: lo.Expr, otherwise: lo.Expr) -> lo.Expr:
    made = simpler(lo.Either(kind, condition, then, otherwise))
    return made if isinstance(made, lo.Expr) else then
