"""Turn conditional lists in returns into statements that try one list after another."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.walking import assigned

Fresh = Callable[[lo.Kind], lo.Local]
Body = tuple[lo.Stmt, ...]


def stepwise(body: Body, fresh: Fresh) -> Body:
    """Rewrite the body of a function so that lists tried in turn become statements."""
    found: list[lo.Stmt] = []
    for stmt in body:
        match stmt:
            case lo.Return(value=lo.Expr() as value) if value.kind.tag == "list":
                found += given(value, fresh)
            case lo.If():
                found.append(evolve(stmt, then=stepwise(stmt.then, fresh), otherwise=stepwise(stmt.otherwise, fresh)))
            case lo.ForEach():
                found.append(evolve(stmt, body=stepwise(stmt.body, fresh)))
            case lo.Assign(value=lo.Loop() as loop) | lo.Collect(value=lo.Loop() as loop):
                held, rest = unwrapped(loop)
                found += [*held, evolve(stmt, value=rest)] if held else [stmt]
            case _:
                found.append(stmt)
    return tuple(found)


def unwrapped(e: lo.Loop) -> tuple[list[lo.Stmt], lo.Loop]:
    """Split a loop into assignments for its leading `Let` clauses and the rest."""
    held: list[lo.Stmt] = []
    clauses = e.clauses
    while isinstance(clauses[0], lo.Let) and len(clauses) > 1:
        held.append(lo.Assign(clauses[0].local, clauses[0].value))
        clauses = clauses[1:]
    return held, evolve(e, clauses=clauses) if held else e


def given(value: lo.Expr, fresh: Fresh) -> list[lo.Stmt]:
    """Return statements that return a list."""
    match value:
        case lo.Op(operation="first_list", args=(*others, last)):
            return [*(stmt for items in others for stmt in tried(items, fresh)), *given(last, fresh)]
        case lo.Either():
            return [lo.If(value.condition, tuple(given(value.then, fresh))), *given(value.otherwise, fresh)]
        case lo.Loop():
            held, rest = unwrapped(value)
            first = rest.clauses[0]
            if isinstance(first, lo.Test) and rest.function == "list" and len(rest.clauses) > 1:
                inner = tuple(given(evolve(rest, clauses=rest.clauses[1:]), fresh))
                return [*held, lo.If(first.condition, inner), lo.Return(lo.Const(value.kind, ()))]
            if rest.function == "list" and (either := by_what_is_known(rest)) is not None:
                return [*held, *given(either, fresh)]
            return [*held, lo.Return(rest)]
    return [lo.Return(value)]


def tried(items: lo.Expr, fresh: Fresh) -> list[lo.Stmt]:
    """Return statements that return a list if it has items, and continue otherwise."""
    match items:
        case lo.Op(operation="first_list"):
            return [stmt for each in items.args for stmt in tried(each, fresh)]
        case lo.Either():
            then, otherwise = tuple(tried(items.then, fresh)), tuple(tried(items.otherwise, fresh))
            return [lo.If(items.condition, then, otherwise)]
        case lo.Const(value=()):
            return []
        case lo.Items(items=(item,)) if not isinstance(item, lo.Spread):
            return [lo.Return(items)]
        case lo.Loop(function="list"):
            held, rest = unwrapped(items)
            first = rest.clauses[0]
            if isinstance(first, lo.Test) and len(rest.clauses) > 1:
                inner = tuple(tried(evolve(rest, clauses=rest.clauses[1:]), fresh))
                return [*held, lo.If(first.condition, inner)]
            if held:
                return [*held, *tried(rest, fresh)]
            if (either := by_what_is_known(rest)) is not None:
                return tried(either, fresh)
    local = fresh(items.kind)
    return [lo.Assign(local, items), lo.If(local, (lo.Return(local),))]


def by_what_is_known(e: lo.Loop) -> lo.Expr | None:
    """Move an item-independent alternative of a loop's last condition in front of the loop: loop unswitching."""
    last = e.clauses[-1]
    if not (len(e.clauses) > 1 and isinstance(last, lo.Test) and isinstance(last.condition, lo.Logic)):
        return None
    condition, within = last.condition, assigned(e.clauses)
    known = [part for part in condition.parts if isinstance(part, lo.Local) and part.number not in within]
    rest = tuple(part for part in condition.parts if part not in known)
    if condition.operator != "or" or not known or not rest:
        return None
    test = lo.Test(rest[0] if len(rest) == 1 else evolve(condition, parts=rest))
    anyway = known[0] if len(known) == 1 else evolve(condition, parts=tuple(known))
    return lo.Either(e.kind, anyway, evolve(e, clauses=e.clauses[:-1]), evolve(e, clauses=(*e.clauses[:-1], test)))
