"""List optimization: loop unswitching, extremes without calls, needless copies.

Conditional lists become statements, the best of few items is found by comparisons, and a list that does not change
during a loop is not copied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from attrs import evolve

from interpreter import ir as lo
from interpreter.ir.ir_expressions import OPERATIONS
from interpreter.ir.traversal import Part, count_nodes, find_assigned_variables, rewrite_bodies, walk, walk_statements
from interpreter.optimize.loop_optimization import (
    MAX_UNROLLED_ITEMS,
    LocalFactory,
    build_all_of,
    find_terms,
    is_cheap_value,
)


def rewrite_conditional_lists(body: lo.Body, create_local: LocalFactory) -> lo.Body:
    """Rewrite the body of a function so that lists tried in turn become statements."""
    inner = partial(rewrite_conditional_lists, create_local=create_local)
    rewritten: list[lo.Stmt] = []
    for stmt in body:
        match stmt:
            case lo.Return(value=lo.Expr() as value) if value.kind.tag == "list":
                rewritten += build_list_return(value, create_local)
            case lo.If() | lo.ForEach():
                rewritten.append(rewrite_bodies(stmt, inner))
            case lo.Assign(value=lo.Loop() as loop) | lo.Collect(value=lo.Loop() as loop):
                assignments, rest = split_leading_lets(loop)
                rewritten += [*assignments, evolve(stmt, value=rest)] if assignments else [stmt]
            case _:
                rewritten.append(stmt)
    return tuple(rewritten)


def split_leading_lets(e: lo.Loop) -> tuple[list[lo.Stmt], lo.Loop]:
    """Split a loop into assignments for its leading `Let` clauses and the rest."""
    assignments: list[lo.Stmt] = []
    clauses = e.clauses
    while isinstance(clauses[0], lo.Let) and len(clauses) > 1:
        assignments.append(lo.Assign(clauses[0].local, clauses[0].value))
        clauses = clauses[1:]
    return assignments, evolve(e, clauses=clauses) if assignments else e


def build_list_return(value: lo.Expr, create_local: LocalFactory) -> list[lo.Stmt]:
    """Return statements that return a list."""
    match value:
        case lo.Op(operation="first_list", args=(*others, last)):
            return [
                *(stmt for items in others for stmt in build_list_attempt(items, create_local)),
                *build_list_return(last, create_local),
            ]
        case lo.Either():
            return [
                lo.If(value.condition, tuple(build_list_return(value.then, create_local))),
                *build_list_return(value.otherwise, create_local),
            ]
        case lo.Loop():
            assignments, rest = split_leading_lets(value)
            first = rest.clauses[0]
            if isinstance(first, lo.Test) and rest.function == "list" and len(rest.clauses) > 1:
                inner = tuple(build_list_return(evolve(rest, clauses=rest.clauses[1:]), create_local))
                return [*assignments, lo.If(first.condition, inner), lo.Return(lo.Const(value.kind, ()))]
            if rest.function == "list" and (either := unswitch_loop(rest)) is not None:
                return [*assignments, *build_list_return(either, create_local)]
            return [*assignments, lo.Return(rest)]
    return [lo.Return(value)]


def build_list_attempt(items: lo.Expr, create_local: LocalFactory) -> list[lo.Stmt]:
    """Return statements that return a list if it has items, and continue otherwise."""
    match items:
        case lo.Op(operation="first_list"):
            return [stmt for each in items.args for stmt in build_list_attempt(each, create_local)]
        case lo.Either():
            then, otherwise = (
                tuple(build_list_attempt(items.then, create_local)),
                tuple(build_list_attempt(items.otherwise, create_local)),
            )
            return [lo.If(items.condition, then, otherwise)]
        case lo.Const(value=()):
            return []
        case lo.Items(items=(item,)) if not isinstance(item, lo.Spread):
            return [lo.Return(items)]
        case lo.Loop(function="list"):
            assignments, rest = split_leading_lets(items)
            first = rest.clauses[0]
            if isinstance(first, lo.Test) and len(rest.clauses) > 1:
                inner = tuple(build_list_attempt(evolve(rest, clauses=rest.clauses[1:]), create_local))
                return [*assignments, lo.If(first.condition, inner)]
            if assignments:
                return [*assignments, *build_list_attempt(rest, create_local)]
            if (either := unswitch_loop(rest)) is not None:
                return build_list_attempt(either, create_local)
    local = create_local(items.kind)
    return [lo.Assign(local, items), lo.If(local, (lo.Return(local),))]


def unswitch_loop(e: lo.Loop) -> lo.Expr | None:
    """Move an item-independent alternative of a loop's last condition in front of the loop: loop unswitching."""
    last = e.clauses[-1]
    if not (len(e.clauses) > 1 and isinstance(last, lo.Test) and isinstance(last.condition, lo.Logic)):
        return None
    condition, within = last.condition, find_assigned_variables(e.clauses)
    known = [part for part in condition.parts if isinstance(part, lo.Local) and part.number not in within]
    rest = tuple(part for part in condition.parts if part not in known)
    if condition.operator != "or" or not known or not rest:
        return None
    test = lo.Test(rest[0] if len(rest) == 1 else evolve(condition, parts=rest))
    anyway = known[0] if len(known) == 1 else evolve(condition, parts=tuple(known))
    return lo.Either(e.kind, anyway, evolve(e, clauses=e.clauses[:-1]), evolve(e, clauses=(*e.clauses[:-1], test)))


EXPENSIVE_EXPRESSIONS = (lo.Loop, lo.Calling, lo.Read)
"""Expressions that make a key expensive."""
STEP_OR_RANDOM_OPERATIONS = {"one_random", "some_random", "winners", "subsets", "counted", "more_picks"}
"""Operations that draw random numbers or take steps."""
COMPUTING_STATEMENTS = (lo.Assign, lo.If, lo.ForEach, lo.While, lo.Collect, lo.Return)
"""Statements of functions that only compute."""
BEST_OPERATIONS = {"all_highest_by", "all_lowest_by"}


class SingleCandidateShortcut:
    """Shortcut for single candidates, in one program. Functions are given by name.

    list_ranking_functions: returns the functions that reading by a ranking calls."""

    def __init__(
        self, functions: Mapping[str, lo.Function | None], list_ranking_functions: Callable[[str], tuple[str, ...]]
    ) -> None:
        self.functions, self.list_ranking_functions = functions, list_ranking_functions

    def can_skip_key(self, key: lo.Expr) -> bool:
        """Check whether a key is expensive, and skipping it has no visible effect."""
        return any(isinstance(part, EXPENSIVE_EXPRESSIONS) for part in walk([key])) and self.has_no_effects([key], ())

    def has_no_effects(self, parts: Sequence[Part], calling_functions: tuple[str, ...]) -> bool:
        for part in walk(parts):
            match part:
                case lo.Dispatch() | lo.TestOf():
                    return False
                case lo.Op(operation=operation) if (
                    operation in STEP_OR_RANDOM_OPERATIONS or OPERATIONS[operation].place
                ):
                    return False
                case lo.Calling() if not self.is_pure_function(part.function, calling_functions):
                    return False
                case lo.Read() if not all(
                    self.is_pure_function(name, calling_functions) for name in self.list_ranking_functions(part.ranking)
                ):
                    return False
        return True

    def is_pure_function(self, name: str, calling_functions: tuple[str, ...]) -> bool:
        function = self.functions.get(name)
        if function is None or name in calling_functions:
            return False
        plain = all(isinstance(stmt, COMPUTING_STATEMENTS) for stmt in walk_statements(function.body))
        return plain and self.has_no_effects(function.body, (*calling_functions, name))

    def assign_best_candidates(self, local: lo.Local, value: lo.Op, create_local: LocalFactory) -> lo.Body | None:
        """Assign all the best items of a loop to `local`; None if the shortcut does not apply."""
        if value.operation not in BEST_OPERATIONS or not isinstance(value.args[0], lo.Loop):
            return None
        assignments, loop = split_leading_lets(value.args[0])
        first, rest, pair = loop.clauses[0], loop.clauses[1:], loop.body
        if not isinstance(first, lo.For) or not rest or not all(isinstance(clause, lo.Test) for clause in rest):
            return None
        if not isinstance(pair, lo.Key) or pair.parts[-1] != first.local or not self.can_skip_key(pair.parts[0]):
            return None
        items = lo.Loop(local.kind, "list", loop.clauses, first.local)
        counting = create_local(local.kind)
        compared = evolve(value, args=(evolve(loop, clauses=(lo.For(first.local, counting),)),))
        several = lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, counting), lo.Const(lo.NUMBER, 1))
        chosen = lo.If(several, (lo.Assign(local, compared),), (lo.Assign(local, counting),))
        return (*assignments, lo.Assign(counting, items), chosen)


BETTER_SIGNS = {"all_highest_by": ">", "all_lowest_by": "<"}
EXTREME_SIGNS = {"most_of": ">", "least_of": "<"}
SIMPLE_KEY_TAGS = {"number", "flag", "card", "seat", "member"}
"""Types of keys that fit in a variable."""
MAX_KEYS_SIZE = 150
"""Maximum total size of the keys of all items, in nodes."""


def rewrite_best_selections(body: lo.Body, create_local: LocalFactory, shortcut: SingleCandidateShortcut) -> lo.Body:
    """Rewrite selections of the best of a few fixed items as successive comparisons."""
    inner = partial(rewrite_best_selections, create_local=create_local, shortcut=shortcut)
    rewritten: list[lo.Stmt] = []
    for stmt in body:
        match stmt:
            case lo.ForEach():
                rewritten.append(evolve(stmt, list=remove_needless_copy(stmt), body=inner(stmt.body)))
            case lo.If() | lo.While() | lo.Scope() | lo.Answers():
                rewritten.append(rewrite_bodies(stmt, inner))
            case lo.Assign(value=lo.Op() as value) if (
                statements := assign_best(stmt.local, value, create_local, shortcut)
            ) is not None:
                rewritten += statements
            case lo.Return(value=lo.Op() as value):
                local = create_local(value.kind)
                statements = assign_best(local, value, create_local, shortcut)
                rewritten += [stmt] if statements is None else [*statements, lo.Return(local)]
            case lo.Assign(value=lo.Op(operation="most_of" | "least_of")) if stmt.local.kind.tag == "number":
                rewritten += assign_extreme(stmt.local, stmt.value, create_local)
            case _:
                rewritten.append(stmt)
    return tuple(rewritten)


def remove_needless_copy(loop: lo.ForEach) -> lo.Expr:
    """Return the list of a loop, without the copy if it is a variable that the loop does not change."""
    match loop.list:
        case lo.Op(operation="copied", args=(lo.Local() as items,)):
            changing = (stmt for stmt in walk_statements(loop.body) if isinstance(stmt, lo.Assign | lo.Collect))
            return items if all(stmt.local.number != items.number for stmt in changing) else loop.list
    return loop.list


def assign_extreme(local: lo.Local, value: lo.Expr, create_local: LocalFactory) -> lo.Body:
    """Assign a value to `local`. A maximum or minimum becomes successive comparisons."""
    if not isinstance(value, lo.Op) or value.operation not in EXTREME_SIGNS:
        return (lo.Assign(local, value),)
    rewritten: list[lo.Stmt] = []
    first, *others = sorted(value.args, key=lambda arg: not isinstance(arg, lo.Op))
    rewritten += assign_extreme(local, first, create_local)
    for other in others:
        if not is_cheap_value(other):
            other_local = create_local(other.kind)
            rewritten += assign_extreme(other_local, other, create_local)
            other = other_local
        better = lo.Compare(lo.FLAG, EXTREME_SIGNS[value.operation], other, local)
        rewritten.append(lo.If(better, (lo.Assign(local, other),)))
    return tuple(rewritten)


CandidateTerms = list[tuple[lo.Expr, lo.Expr, lo.Expr]]
"""Condition, key and value of each item."""


def assign_best(
    local: lo.Local, value: lo.Op, create_local: LocalFactory, shortcut: SingleCandidateShortcut
) -> lo.Body | None:
    """Assign the best of some items to `local` if they are few and fixed, or a shortcut for single candidates
    applies."""
    return assign_best_of_few(local, value, create_local, shortcut) or shortcut.assign_best_candidates(
        local, value, create_local
    )


def assign_best_of_few(
    local: lo.Local, value: lo.Op, create_local: LocalFactory, shortcut: SingleCandidateShortcut
) -> lo.Body | None:
    if value.operation not in BETTER_SIGNS or not isinstance(value.args[0], lo.Loop):
        return None
    assignments, loop = split_leading_lets(value.args[0])
    turns = find_terms(loop.clauses, loop.body)
    if not turns or len(turns) > MAX_UNROLLED_ITEMS or sum(count_nodes(pair) for _, pair in turns) > MAX_KEYS_SIZE:
        return None
    terms: CandidateTerms = []
    for conditions, pair in turns:
        if not isinstance(pair, lo.Key) or pair.parts[0].kind.tag not in SIMPLE_KEY_TAGS:
            return None
        terms.append((build_all_of(conditions), pair.parts[0], pair.parts[1]))
    sure = any(condition == lo.TRUE for condition, _, _ in terms)
    if sure or not any(shortcut.can_skip_key(key) for _, key, _ in terms):
        return (*assignments, *compare_one_by_one(local, terms, BETTER_SIGNS[value.operation], create_local))
    collected = [lo.If(condition, (lo.Collect(local, item),)) for condition, _, item in terms]
    several = lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, local), lo.Const(lo.NUMBER, 1))
    if len(terms) == 2:  # both count
        terms = [(lo.TRUE, key, item) for _, key, item in terms]
    compared = compare_one_by_one(local, terms, BETTER_SIGNS[value.operation], create_local)
    return (*assignments, lo.Assign(local, lo.Items(local.kind, ())), *collected, lo.If(several, compared))


def compare_one_by_one(best: lo.Local, terms: CandidateTerms, better: str, create_local: LocalFactory) -> lo.Body:
    """Assign the list of the best items to `best`, comparing one item after another."""
    top = create_local(terms[0][1].kind)
    sure = terms[0][0] == lo.TRUE
    comparisons: list[lo.Stmt] = []
    if not sure:
        comparisons += [lo.Assign(best, lo.Items(best.kind, ())), lo.Assign(top, lo.Const(top.kind, 0))]
    for number, (condition, key, item) in enumerate(terms):
        alone = lo.Assign(best, lo.Items(best.kind, (item,)))
        if number == 0:
            turn: lo.Body = (lo.Assign(top, key), alone)
        else:
            first = () if sure else (lo.Not(lo.FLAG, best),)
            turn = compare_with_best(
                key, top, (alone, lo.Collect(best, item)), better, first, number == len(terms) - 1, create_local
            )
        comparisons += turn if condition == lo.TRUE else (lo.If(condition, turn),)
    return tuple(comparisons)


def compare_with_best(
    key: lo.Expr, top: lo.Local, updates: tuple[lo.Stmt, lo.Stmt], better: str, first: tuple[lo.Expr, ...], last: bool,
    create_local: LocalFactory,
) -> lo.Body:  # fmt: skip
    """Compare another key with the best so far: the item replaces the best, joins them (`updates`), or is dropped."""
    assignments: lo.Body = ()
    if not is_cheap_value(key):
        local = create_local(key.kind)
        assignments, key = (lo.Assign(local, key),), local
    above: lo.Expr = lo.Compare(lo.FLAG, better, key, top)
    if first:
        above = lo.Logic(lo.FLAG, "or", (*first, above))
    same = lo.Compare(lo.FLAG, "=", key, top)
    then = (updates[0],) if last else (updates[0], lo.Assign(top, key))
    return (*assignments, lo.If(above, then, (lo.If(same, (updates[1],)),)))
