"""List optimization: loop unswitching, extremes without calls, needless copies.

Conditional lists become statements, the best of few items is found by comparisons, and a list that does not change
during a loop is not copied.
"""

from __future__ import annotations

from functools import partial

from interpreter import ir
from interpreter.ir.traversal import count_nodes, find_assigned_variables, rewrite_bodies, walk, walk_statements
from interpreter.optimize.loop_optimization import (
    MAX_UNROLLED_ITEMS,
    LocalFactory,
    build_all_of,
    find_terms,
    is_cheap_value,
)
from interpreter.optimize.purity import PurityAnalysis


def rewrite_conditional_lists(body: ir.Body, create_local: LocalFactory) -> ir.Body:
    """Rewrite the body of a function so that lists tried in turn become statements."""
    inner = partial(rewrite_conditional_lists, create_local=create_local)
    rewritten: list[ir.Stmt] = []
    for stmt in body:
        match stmt:
            case ir.Return(value=ir.Expr() as value) if value.kind.tag == "list":
                rewritten += build_list_return(value, create_local)
            case ir.If() | ir.ForEach():
                rewritten.append(rewrite_bodies(stmt, inner))
            case ir.Assign(value=ir.Loop() as loop) | ir.Collect(value=ir.Loop() as loop):
                assignments, rest = split_leading_lets(loop)
                rewritten += [*assignments, stmt.replace(value=rest)] if assignments else [stmt]
            case _:
                rewritten.append(stmt)
    return tuple(rewritten)


def split_leading_lets(e: ir.Loop) -> tuple[list[ir.Stmt], ir.Loop]:
    """Split a loop into assignments for its leading `Let` clauses and the rest."""
    assignments: list[ir.Stmt] = []
    clauses = e.clauses
    while isinstance(clauses[0], ir.Let) and len(clauses) > 1:
        assignments.append(ir.Assign(clauses[0].local, clauses[0].value))
        clauses = clauses[1:]
    return assignments, e.replace(clauses=clauses) if assignments else e


def build_list_return(items: ir.Expr, create_local: LocalFactory, is_last: bool = True) -> list[ir.Stmt]:
    """Return statements that return a list. If it is empty, they continue, unless it is the last one."""
    build = partial(build_list_return, create_local=create_local)
    match items:
        case ir.Op(operation="first_list", args=(*others, last)):
            attempts = [stmt for each in others for stmt in build(each, is_last=False)]
            return [*attempts, *build(last, is_last=is_last)]
        case ir.Either():
            then, otherwise = (tuple(build(each, is_last=is_last)) for each in (items.then, items.otherwise))
            return [ir.If(items.condition, then, otherwise)]
        case ir.Const(value=()) if not is_last:
            return []
        case ir.Items(items=(item,)) if not isinstance(item, ir.Spread):
            return [ir.Return(items)]
        case ir.Loop():
            assignments, rest = split_leading_lets(items)
            if assignments:
                return [*assignments, *build(rest, is_last=is_last)]
            first = items.clauses[0]
            if isinstance(first, ir.Test) and items.function == "list" and len(items.clauses) > 1:
                inner = build(items.replace(clauses=items.clauses[1:]), is_last=is_last)
                nothing = (ir.Return(ir.Const(items.kind, ())),) if is_last else ()
                return [ir.If(first.condition, tuple(inner)), *nothing]
            if items.function == "list" and (either := unswitch_loop(items)) is not None:
                return build(either, is_last=is_last)
    if is_last:
        return [ir.Return(items)]
    local = create_local(items.kind)
    return [ir.Assign(local, items), ir.If(local, (ir.Return(local),))]


def unswitch_loop(e: ir.Loop) -> ir.Expr | None:
    """Move an item-independent alternative of a loop's last condition in front of the loop: loop unswitching."""
    last = e.clauses[-1]
    if not (len(e.clauses) > 1 and isinstance(last, ir.Test) and isinstance(last.condition, ir.Logic)):
        return None
    condition, within = last.condition, find_assigned_variables(e.clauses)
    known = [part for part in condition.parts if isinstance(part, ir.Local) and part.number not in within]
    rest = tuple(part for part in condition.parts if part not in known)
    if condition.operator != "or" or not known or not rest:
        return None
    test = ir.Test(rest[0] if len(rest) == 1 else condition.replace(parts=rest))
    anyway = known[0] if len(known) == 1 else condition.replace(parts=tuple(known))
    return ir.Either(e.kind, anyway, e.replace(clauses=e.clauses[:-1]), e.replace(clauses=(*e.clauses[:-1], test)))


EXPENSIVE_EXPRESSIONS = (ir.Loop, ir.Calling, ir.Read)
"""Expressions that make a key expensive."""
BEST_OPERATIONS = {"all_highest_by", "all_lowest_by"}


class SingleCandidateShortcut:
    """Shortcut for single candidates, whose key need not be evaluated."""

    def __init__(self, purity: PurityAnalysis) -> None:
        self.purity = purity

    def can_skip_key(self, key: ir.Expr) -> bool:
        """Check whether a key is expensive, and skipping it has no visible effect."""
        return any(isinstance(part, EXPENSIVE_EXPRESSIONS) for part in walk([key])) and self.purity.is_pure([key])

    def assign_best_candidates(self, local: ir.Local, value: ir.Op, create_local: LocalFactory) -> ir.Body | None:
        """Assign all the best items of a loop to `local`; None if the shortcut does not apply."""
        if value.operation not in BEST_OPERATIONS or not isinstance(value.args[0], ir.Loop):
            return None
        assignments, loop = split_leading_lets(value.args[0])
        first, rest, pair = loop.clauses[0], loop.clauses[1:], loop.body
        if not isinstance(first, ir.For) or not rest or not all(isinstance(clause, ir.Test) for clause in rest):
            return None
        if not isinstance(pair, ir.Key) or pair.parts[-1] != first.local or not self.can_skip_key(pair.parts[0]):
            return None
        items = ir.Loop(local.kind, "list", loop.clauses, first.local)
        counting = create_local(local.kind)
        compared = value.replace(args=(loop.replace(clauses=(ir.For(first.local, counting),)),))
        several = ir.Compare(ir.FLAG, ">", ir.Count(ir.NUMBER, counting), ir.Const(ir.NUMBER, 1))
        chosen = ir.If(several, (ir.Assign(local, compared),), (ir.Assign(local, counting),))
        return (*assignments, ir.Assign(counting, items), chosen)


BETTER_SIGNS = {"all_highest_by": ">", "all_lowest_by": "<"}
EXTREME_SIGNS = {"most_of": ">", "least_of": "<"}
SIMPLE_KEY_TAGS = {"number", "flag", "card", "seat", "member"}
"""Types of keys that fit in a variable."""
MAX_KEYS_SIZE = 150
"""Maximum total size of the keys of all items, in nodes."""


def rewrite_best_selections(body: ir.Body, create_local: LocalFactory, shortcut: SingleCandidateShortcut) -> ir.Body:
    """Rewrite selections of the best of a few fixed items as successive comparisons."""
    inner = partial(rewrite_best_selections, create_local=create_local, shortcut=shortcut)
    rewritten: list[ir.Stmt] = []
    for stmt in body:
        match stmt:
            case ir.ForEach():
                rewritten.append(stmt.replace(list=remove_needless_copy(stmt), body=inner(stmt.body)))
            case ir.If() | ir.While() | ir.Scope() | ir.Answers():
                rewritten.append(rewrite_bodies(stmt, inner))
            case ir.Assign(value=ir.Op() as value) if (
                statements := assign_best(stmt.local, value, create_local, shortcut)
            ) is not None:
                rewritten += statements
            case ir.Return(value=ir.Op() as value):
                local = create_local(value.kind)
                statements = assign_best(local, value, create_local, shortcut)
                rewritten += [stmt] if statements is None else [*statements, ir.Return(local)]
            case ir.Assign(value=ir.Op(operation="most_of" | "least_of")) if stmt.local.kind.tag == "number":
                rewritten += assign_extreme(stmt.local, stmt.value, create_local)
            case _:
                rewritten.append(stmt)
    return tuple(rewritten)


def remove_needless_copy(loop: ir.ForEach) -> ir.Expr:
    """Return the list of a loop, without the copy if it is a variable that the loop does not change."""
    match loop.list:
        case ir.Op(operation="copied", args=(ir.Local() as items,)):
            changing = (stmt for stmt in walk_statements(loop.body) if isinstance(stmt, ir.Assign | ir.Collect))
            return items if all(stmt.local.number != items.number for stmt in changing) else loop.list
    return loop.list


def assign_extreme(local: ir.Local, value: ir.Expr, create_local: LocalFactory) -> ir.Body:
    """Assign a value to `local`. A maximum or minimum becomes successive comparisons."""
    if not isinstance(value, ir.Op) or value.operation not in EXTREME_SIGNS:
        return (ir.Assign(local, value),)
    rewritten: list[ir.Stmt] = []
    first, *others = sorted(value.args, key=lambda arg: not isinstance(arg, ir.Op))
    rewritten += assign_extreme(local, first, create_local)
    for other in others:
        if not is_cheap_value(other):
            other_local = create_local(other.kind)
            rewritten += assign_extreme(other_local, other, create_local)
            other = other_local
        better = ir.Compare(ir.FLAG, EXTREME_SIGNS[value.operation], other, local)
        rewritten.append(ir.If(better, (ir.Assign(local, other),)))
    return tuple(rewritten)


CandidateTerms = list[tuple[ir.Expr, ir.Expr, ir.Expr]]
"""Condition, key and value of each item."""


def assign_best(
    local: ir.Local, value: ir.Op, create_local: LocalFactory, shortcut: SingleCandidateShortcut
) -> ir.Body | None:
    """Assign the best of some items to `local` if they are few and fixed, or a shortcut for single candidates
    applies."""
    return assign_best_of_few(local, value, create_local, shortcut) or shortcut.assign_best_candidates(
        local, value, create_local
    )


def assign_best_of_few(
    local: ir.Local, value: ir.Op, create_local: LocalFactory, shortcut: SingleCandidateShortcut
) -> ir.Body | None:
    if value.operation not in BETTER_SIGNS or not isinstance(value.args[0], ir.Loop):
        return None
    assignments, loop = split_leading_lets(value.args[0])
    turns = find_terms(loop.clauses, loop.body)
    if not turns or len(turns) > MAX_UNROLLED_ITEMS or sum(count_nodes(pair) for _, pair in turns) > MAX_KEYS_SIZE:
        return None
    terms: CandidateTerms = []
    for conditions, pair in turns:
        if not isinstance(pair, ir.Key) or pair.parts[0].kind.tag not in SIMPLE_KEY_TAGS:
            return None
        terms.append((build_all_of(conditions), pair.parts[0], pair.parts[1]))
    sure = any(condition == ir.TRUE for condition, _, _ in terms)
    if sure or not any(shortcut.can_skip_key(key) for _, key, _ in terms):
        return (*assignments, *compare_one_by_one(local, terms, BETTER_SIGNS[value.operation], create_local))
    collected = [ir.If(condition, (ir.Collect(local, item),)) for condition, _, item in terms]
    several = ir.Compare(ir.FLAG, ">", ir.Count(ir.NUMBER, local), ir.Const(ir.NUMBER, 1))
    if len(terms) == 2:  # both count
        terms = [(ir.TRUE, key, item) for _, key, item in terms]
    compared = compare_one_by_one(local, terms, BETTER_SIGNS[value.operation], create_local)
    return (*assignments, ir.Assign(local, ir.Items(local.kind, ())), *collected, ir.If(several, compared))


def compare_one_by_one(best: ir.Local, terms: CandidateTerms, better: str, create_local: LocalFactory) -> ir.Body:
    """Assign the list of the best items to `best`, comparing one item after another."""
    top = create_local(terms[0][1].kind)
    sure = terms[0][0] == ir.TRUE
    comparisons: list[ir.Stmt] = []
    if not sure:
        comparisons += [ir.Assign(best, ir.Items(best.kind, ())), ir.Assign(top, ir.Const(top.kind, 0))]
    for number, (condition, key, item) in enumerate(terms):
        alone = ir.Assign(best, ir.Items(best.kind, (item,)))
        if number == 0:
            turn: ir.Body = (ir.Assign(top, key), alone)
        else:
            first = () if sure else (ir.Not(ir.FLAG, best),)
            turn = compare_with_best(
                key, top, (alone, ir.Collect(best, item)), better, first, number == len(terms) - 1, create_local
            )
        comparisons += turn if condition == ir.TRUE else (ir.If(condition, turn),)
    return tuple(comparisons)


def compare_with_best(
    key: ir.Expr, top: ir.Local, updates: tuple[ir.Stmt, ir.Stmt], better: str, first: tuple[ir.Expr, ...], last: bool,
    create_local: LocalFactory,
) -> ir.Body:  # fmt: skip
    """Compare another key with the best so far: the item replaces the best, joins them (`updates`), or is dropped."""
    assignments: ir.Body = ()
    if not is_cheap_value(key):
        local = create_local(key.kind)
        assignments, key = (ir.Assign(local, key),), local
    above: ir.Expr = ir.Compare(ir.FLAG, better, key, top)
    if first:
        above = ir.Logic(ir.FLAG, "or", (*first, above))
    same = ir.Compare(ir.FLAG, "=", key, top)
    then = (updates[0],) if last else (updates[0], ir.Assign(top, key))
    return (*assignments, ir.If(above, then, (ir.If(same, (updates[1],)),)))
