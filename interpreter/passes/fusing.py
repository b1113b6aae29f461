"""Fuse a loop with the loop that makes its list. Lists tried in turn share their common conditions."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.rewriting import substituted
from interpreter.lowered.walking import Part, walk

RANDOM = ("one_random", "some_random")
Clauses = tuple[lo.Clause, ...]


def fused(e: lo.Loop) -> lo.Expr:
    """Fuse a loop with the lists that it iterates over, and simplify it."""
    clauses = flat(e.clauses, e.body)
    if clauses is not e.clauses:
        e = without_other_names(evolve(e, clauses=clauses))
    first, clauses = e.clauses[0], e.clauses
    if e.function != "list" or not isinstance(first, lo.For):
        return e
    if len(clauses) == 1 and is_choice(first.list):
        return made_of(e, first.local, first.list)
    return found_there(e, first, clauses[1]) if len(clauses) == 2 and isinstance(clauses[1], lo.Test) else e


def without_other_names(e: lo.Loop) -> lo.Loop:
    """Remove variables of a loop that only rename a variable or constant."""
    found: list[lo.Clause] = []
    names: dict[int, lo.Expr] = {}
    for clause in e.clauses:
        clause = substituted(clause, names)
        if isinstance(clause, lo.Let) and isinstance(clause.value, lo.Local | lo.Const):
            names[clause.local.number] = clause.value
        else:
            found.append(clause)
    return evolve(e, clauses=tuple(found), body=substituted(e.body, names)) if names else e


def is_choice(items: lo.Expr) -> bool:
    """Check whether an expression selects one of several lists."""
    chosen = isinstance(items, lo.Op) and items.operation == "first_list"
    return chosen or (isinstance(items, lo.Either) and items.otherwise == lo.Const(items.kind, ()))


def made_of(e: lo.Loop, local: lo.Local, items: lo.Expr) -> lo.Expr:
    """Move a loop into the alternatives of its list, so that the list is selected first."""
    match items:
        case lo.Op(operation="first_list"):
            return lo.Op(e.kind, "first_list", tuple(made_of(e, local, each) for each in items.args))
        case lo.Either(otherwise=lo.Const(value=())):
            return lo.Either(e.kind, items.condition, made_of(e, local, items.then), lo.Const(e.kind, ()))
    return fused(evolve(e, clauses=(lo.For(local, items),)))


def found_there(e: lo.Loop, first: lo.For, test: lo.Test) -> lo.Expr:
    """Replace the search for one card in a pile by a membership test."""
    match test.condition:
        case lo.Compare(operator="=", left=left, right=lo.Const() as card) if left == first.local:
            if isinstance(first.list, lo.Pile):
                made = lo.Items(e.kind, (substituted(e.body, {first.local.number: card}),))
                return lo.Either(e.kind, lo.IsIn(lo.FLAG, card, first.list), made, lo.Const(e.kind, ()))
    return e


def flat(clauses: Clauses, body: lo.Expr) -> Clauses:
    found: list[lo.Clause] = []
    for number, clause in enumerate(clauses):
        if isinstance(clause, lo.For) and isinstance(clause.list, lo.Loop) and clause.list.function == "list":
            inner = clause.list
            if not (draws([inner]) and draws([*clauses[number + 1 :], body])):
                found += [*inner.clauses, lo.Let(clause.local, inner.body)]
                continue
        found.append(clause)
    return tuple(found) if len(found) != len(clauses) else clauses


def draws(parts: Sequence[Part]) -> bool:
    """Check whether expressions may draw random numbers, so that their order of evaluation matters."""
    for part in walk(parts):
        if isinstance(part, lo.Calling | lo.Dispatch) or (isinstance(part, lo.Op) and part.operation in RANDOM):
            return True
    return False


# ---------------------------------------------------------------- lists that are tried in turn
def shared_conditions(e: lo.Op) -> lo.Op:
    """Group adjacent lists with the same condition under one test."""
    rows: list[tuple[lo.Expr | None, list[lo.Expr]]] = []
    for items in e.args:
        condition, rest = guarded(items)
        if condition is not None and rows and rows[-1][0] == condition:
            rows[-1][1].append(rest)
        else:
            rows.append((condition, [rest]))
    if len(rows) == len(e.args):
        return e
    return lo.Op(e.kind, "first_list", tuple(behind(e.kind, *row) for row in rows))


def behind(kind: lo.Kind, condition: lo.Expr | None, lists: list[lo.Expr]) -> lo.Expr:
    first = lists[0] if len(lists) == 1 else lo.Op(kind, "first_list", tuple(lists))
    return first if condition is None else lo.Either(kind, condition, first, lo.Const(kind, ()))


def guarded(items: lo.Expr) -> tuple[lo.Expr | None, lo.Expr]:
    """Split a list into its condition and the list without it."""
    if isinstance(items, lo.Either) and items.otherwise == lo.Const(items.kind, ()):
        return items.condition, items.then
    if isinstance(items, lo.Loop) and isinstance(items.clauses[0], lo.Test) and len(items.clauses) > 1:
        return items.clauses[0].condition, evolve(items, clauses=items.clauses[1:])
    return None, items
