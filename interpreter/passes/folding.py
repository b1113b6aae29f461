"""Propagate constants and copies, and drop limits that a variable cannot exceed."""

from __future__ import annotations

from collections import Counter

from interpreter import lowered as lo
from interpreter.lowered.bounds import UNKNOWN, bounds
from interpreter.lowered.rewriting import rewritten, substituted
from interpreter.lowered.walking import Part, statements

Body = tuple[lo.Stmt, ...]


def folded(body: Body) -> Body:
    """Remove variables that only rename a constant or another variable: copy propagation."""
    while known := names(body):
        rest = tuple(stmt for stmt in body if not (isinstance(stmt, lo.Assign) and stmt.local.number in known))
        body = substituted(rest, known)
    return body


def names(body: Body) -> dict[int, lo.Expr]:
    """Return the variables that are set once, at the top, to a constant or to a variable that never changes."""
    times: Counter[int] = Counter()
    for stmt in statements(body):
        match stmt:
            case lo.Assign():
                times[stmt.local.number] += 1
            case lo.Collect() | lo.ForEach():
                times[stmt.local.number] += 2
            case lo.Answers():
                times.update({stmt.who.number: 2, stmt.answer.number: 2})
    found: dict[int, lo.Expr] = {}
    for stmt in body:
        if isinstance(stmt, lo.Assign) and times[stmt.local.number] == 1 and not stmt.copied:
            value = stmt.value
            if isinstance(value, lo.Local) and times[value.number] <= 1:
                found[stmt.local.number] = found.get(value.number, value)
            elif isinstance(value, lo.Const):
                found[stmt.local.number] = value
    return found


def bounded(body: Body) -> Body:
    """Drop limits that variables cannot exceed."""
    times = Counter(part.local.number for part in statements(body) if isinstance(part, lo.Assign))
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
