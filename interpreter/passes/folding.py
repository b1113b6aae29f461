"""Variables of a function that only stand for a known value, or for another variable, are replaced by it; lists that do
not change while they are gone through are not copied."""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.bounds import UNKNOWN, bounds
from interpreter.lowered.rewriting import rewritten, substituted
from interpreter.lowered.walking import Part, assigned, walk

Body = tuple[lo.Stmt, ...]


def folded(body: Body) -> Body:
    """The body of a function without variables that are only other names."""
    while known := names(body):
        rest = tuple(stmt for stmt in body if not (isinstance(stmt, lo.Assign) and stmt.local.number in known))
        body = substituted(rest, known)
    return body


def names(body: Body) -> dict[int, lo.Expr]:
    """Variables that are set once, at the top, to a constant or to a variable that never changes."""
    times: Counter[int] = Counter()
    for part in walk(body):
        if isinstance(part, lo.Assign | lo.Collect):
            times[part.local.number] += 1 if isinstance(part, lo.Assign) else 2
        elif isinstance(part, lo.ForEach | lo.Answers):
            times.update(dict.fromkeys(assigned([part]), 2))
    found: dict[int, lo.Expr] = {}
    for stmt in body:
        if isinstance(stmt, lo.Assign) and times[stmt.local.number] == 1 and not stmt.copied:
            value = stmt.value
            if isinstance(value, lo.Local) and times[value.number] <= 1:
                found[stmt.local.number] = found.get(value.number, value)
            elif isinstance(value, lo.Const):
                found[stmt.local.number] = value
    return found


def uncopied(body: Body) -> Body:
    """Statements in which a list is copied only where it may change while it is gone through."""
    return rewritten(body, gone_through)


def gone_through(part: Part) -> Part:
    match part:
        case lo.ForEach(list=lo.Op(operation="copied", args=(lo.Local() as items,))):
            return part if items.number in changed(part.body) else evolve(part, list=items)
    return part


def changed(body: Body) -> set[int]:
    return {part.local.number for part in walk(body) if isinstance(part, lo.Assign | lo.Collect)}


def bounded(body: Body) -> Body:
    """The body of a function without limits that its variables cannot leave."""
    times = Counter(part.local.number for part in walk(body) if isinstance(part, lo.Assign))
    known = {
        stmt.local.number: bounds(stmt.value)
        for stmt in body
        if isinstance(stmt, lo.Assign) and times[stmt.local.number] == 1 and bounds(stmt.value) != UNKNOWN
    }

    def change(part: Part) -> Part:
        match part:
            case lo.Op(operation="most_of" | "least_of", args=(lo.Local() as local, lo.Const(value=int(limit)))):
                low, high = known.get(local.number, UNKNOWN)
                inside = low is not None and low >= limit if part.operation == "most_of" else at_most(high, limit)
                return local if inside else part
        return part

    return rewritten(body, change) if known else body


def at_most(value: int | None, limit: int) -> bool:
    return value is not None and value <= limit
