"""Find the best of a few fixed items one by one, without a list of pairs.

Extremes of numbers need no call, and lists that do not change during a loop are not copied."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.walking import size, statements
from interpreter.passes.flowing import unwrapped
from interpreter.passes.sparing import Sparing
from interpreter.passes.unrolling import FEW, all_of, is_cheap, terms_of

Fresh = Callable[[lo.Kind], lo.Local]
TRUE = lo.Const(lo.FLAG, 1)
BETTER = {"all_highest_by": ">", "all_lowest_by": "<"}
EXTREME = {"most_of": ">", "least_of": "<"}
PLAIN = {"number", "flag", "card", "seat", "member"}
"""Types of keys that fit in a variable."""
LONG = 150
"""Maximum total size of the keys of all items, in nodes."""
Body = tuple[lo.Stmt, ...]


def chosen(body: Body, fresh: Fresh, sparing: Sparing) -> Body:
    """Rewrite selections of the best of a few fixed items as successive comparisons."""
    inner = partial(chosen, fresh=fresh, sparing=sparing)
    found: list[lo.Stmt] = []
    for stmt in body:
        match stmt:
            case lo.If():
                found.append(evolve(stmt, then=inner(stmt.then), otherwise=inner(stmt.otherwise)))
            case lo.ForEach():
                found.append(evolve(stmt, list=uncopied(stmt), body=inner(stmt.body)))
            case lo.While() | lo.Scope() | lo.Answers():
                found.append(evolve(stmt, body=inner(stmt.body)))
            case lo.Assign(value=lo.Op() as value) if (made := best_of(stmt.local, value, fresh, sparing)) is not None:
                found += made
            case lo.Return(value=lo.Op() as value):
                local = fresh(value.kind)
                made = best_of(local, value, fresh, sparing)
                found += [stmt] if made is None else [*made, lo.Return(local)]
            case lo.Assign(value=lo.Op(operation="most_of" | "least_of")) if stmt.local.kind.tag == "number":
                found += extreme(stmt.local, stmt.value, fresh)
            case _:
                found.append(stmt)
    return tuple(found)


def uncopied(loop: lo.ForEach) -> lo.Expr:
    """Return the list of a loop, without the copy if it is a variable that the loop does not change."""
    match loop.list:
        case lo.Op(operation="copied", args=(lo.Local() as items,)):
            changing = (stmt for stmt in statements(loop.body) if isinstance(stmt, lo.Assign | lo.Collect))
            return items if all(stmt.local.number != items.number for stmt in changing) else loop.list
    return loop.list


def extreme(local: lo.Local, value: lo.Expr, fresh: Fresh) -> Body:
    """Assign a value to `local`. A maximum or minimum becomes successive comparisons."""
    if not isinstance(value, lo.Op) or value.operation not in EXTREME:
        return (lo.Assign(local, value),)
    found: list[lo.Stmt] = []
    first, *others = sorted(value.args, key=lambda arg: not isinstance(arg, lo.Op))
    found += extreme(local, first, fresh)
    for other in others:
        if not is_cheap(other):
            held = fresh(other.kind)
            found += extreme(held, other, fresh)
            other = held
        better = lo.Compare(lo.FLAG, EXTREME[value.operation], other, local)
        found.append(lo.If(better, (lo.Assign(local, other),)))
    return tuple(found)


Terms = list[tuple[lo.Expr, lo.Expr, lo.Expr]]
"""Condition, key and value of each item."""


def best_of(local: lo.Local, value: lo.Op, fresh: Fresh, sparing: Sparing) -> Body | None:
    """Assign the best of some items to `local` if they are few and fixed, or a shortcut for single candidates
    applies."""
    return best_of_few(local, value, fresh, sparing) or sparing.best(local, value, fresh)


def best_of_few(local: lo.Local, value: lo.Op, fresh: Fresh, sparing: Sparing) -> Body | None:
    if value.operation not in BETTER or not isinstance(value.args[0], lo.Loop):
        return None
    held, loop = unwrapped(value.args[0])
    turns = terms_of(loop.clauses, loop.body)
    if not turns or len(turns) > FEW or sum(size(pair) for _, pair in turns) > LONG:
        return None
    terms: Terms = []
    for conditions, pair in turns:
        if not isinstance(pair, lo.Key) or pair.parts[0].kind.tag not in PLAIN:
            return None
        terms.append((all_of(conditions), pair.parts[0], pair.parts[1]))
    sure = any(condition == TRUE for condition, _, _ in terms)
    if sure or not any(sparing.may_spare(key) for _, key, _ in terms):
        return (*held, *one_by_one(local, terms, BETTER[value.operation], fresh))
    found = [lo.If(condition, (lo.Collect(local, item),)) for condition, _, item in terms]
    several = lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, local), lo.Const(lo.NUMBER, 1))
    if len(terms) == 2:  # both count
        terms = [(TRUE, key, item) for _, key, item in terms]
    compared = one_by_one(local, terms, BETTER[value.operation], fresh)
    return (*held, lo.Assign(local, lo.Items(local.kind, ())), *found, lo.If(several, compared))


def one_by_one(best: lo.Local, terms: Terms, better: str, fresh: Fresh) -> Body:
    """Assign the list of the best items to `best`, comparing one item after another."""
    top = fresh(terms[0][1].kind)
    sure = terms[0][0] == TRUE
    found: list[lo.Stmt] = []
    if not sure:
        found += [lo.Assign(best, lo.Items(best.kind, ())), lo.Assign(top, lo.Const(top.kind, 0))]
    for number, (condition, key, item) in enumerate(terms):
        alone = lo.Assign(best, lo.Items(best.kind, (item,)))
        if number == 0:
            turn: Body = (lo.Assign(top, key), alone)
        else:
            first = () if sure else (lo.Not(lo.FLAG, best),)
            turn = compared(key, top, (alone, lo.Collect(best, item)), better, first, number == len(terms) - 1, fresh)
        found += turn if condition == TRUE else (lo.If(condition, turn),)
    return tuple(found)


def compared(
    key: lo.Expr, top: lo.Local, ways: tuple[lo.Stmt, lo.Stmt], better: str, first: tuple[lo.Expr, ...], last: bool,
    fresh: Fresh,
) -> Body:  # fmt: skip
    """Compare another key with the best one so far. The item replaces the best, joins them (`ways`), or is dropped."""
    kept: Body = ()
    if not is_cheap(key):
        local = fresh(key.kind)
        kept, key = (lo.Assign(local, key),), local
    above: lo.Expr = lo.Compare(lo.FLAG, better, key, top)
    if first:
        above = lo.Logic(lo.FLAG, "or", (*first, above))
    same = lo.Compare(lo.FLAG, "=", key, top)
    then = (ways[0],) if last else (ways[0], lo.Assign(top, key))
    return (*kept, lo.If(above, then, (lo.If(same, (ways[1],)),)))
