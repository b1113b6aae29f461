"""Value reuse: common subexpression elimination, copy propagation and tables by card.

Only cheap expressions without side effects that cannot fail are computed early, because their value may not be
needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, ne, sub
from typing import Any, TypeVar

from attrs import evolve

from interpreter import ir
from interpreter.ir.simplifier import (
    UNKNOWN_BOUNDS,
    find_bounds,
    rewrite_bottom_up,
    rewrite_top_down,
    substitute_variables,
)
from interpreter.ir.traversal import Part, count_nodes, list_children, walk, walk_statements
from interpreter.optimize.loop_optimization import LocalFactory, has_side_effects

ALWAYS_DEFINED_EXPRESSIONS = (
    ir.Const,
    ir.Local,
    ir.Track,
    ir.Arith,
    ir.Compare,
    ir.Either,
    ir.Not,
    ir.Logic,
    ir.Count,
    ir.Pile,
)
FREE_EXPRESSIONS = (ir.Const, ir.Local, ir.Pile)
EASY_OPERATIONS = {"most_of", "least_of", "is_out"}
MIN_SHARED_SIZE = 3
"""Minimum size, in nodes, of a shared expression."""
P = TypeVar("P", bound=Part)


def share_in_function(body: tuple[ir.Stmt, ...], create_local: LocalFactory) -> tuple[ir.Stmt, ...]:
    """Share subexpressions in a function body. If it changes only its own variables, they are computed at its
    beginning."""
    if has_side_effects(body):
        return share_in_statements(body, create_local)
    return (*share_at_start(list(body), create_local),)


def share_in_statements(body: tuple[ir.Stmt, ...], create_local: LocalFactory) -> tuple[ir.Stmt, ...]:
    """Share common subexpressions within each statement."""
    rewritten: list[ir.Stmt] = []
    for stmt in body:
        match stmt:
            case ir.If():
                inner = evolve(
                    stmt,
                    then=share_in_statements(stmt.then, create_local),
                    otherwise=share_in_statements(stmt.otherwise, create_local),
                )
                rewritten += share_before_statement(
                    inner, inner.condition, create_local, partial(replace_condition, inner)
                )
            case ir.ForEach() | ir.Answers() | ir.While() | ir.Scope() | ir.Again():
                rewritten.append(evolve(stmt, body=share_in_statements(stmt.body, create_local)))
            case ir.Assign() | ir.Store() | ir.Bump():
                rewritten += share_before_statement(stmt, stmt.value, create_local, partial(replace_value, stmt))
            case _:
                rewritten.append(stmt)
    return tuple(rewritten)


def share_before_statement(
    stmt: ir.Stmt, value: ir.Expr, create_local: LocalFactory, rebuild: Callable[[ir.Expr], ir.Stmt]
) -> list[ir.Stmt]:
    """Compute the shared subexpressions of a statement's value before it. `rebuild` rebuilds the statement with another
    value."""
    assignments, (value,) = extract_repeated([value], create_local)
    return [*assignments, rebuild(value) if assignments else stmt]


def replace_condition(stmt: ir.If, condition: ir.Expr) -> ir.Stmt:
    return evolve(stmt, condition=condition)


def replace_value(stmt: ir.Assign | ir.Store | ir.Bump, value: ir.Expr) -> ir.Stmt:
    return evolve(stmt, value=value)


def share_at_start(body: list[ir.Stmt], create_local: LocalFactory) -> list[ir.Stmt]:
    outer = {part.local.number for part in walk(body) if isinstance(part, ir.Assign | ir.ForEach)}
    assignments, rewritten = extract_repeated(body, create_local, outer)
    return [*assignments, *rewritten]


def extract_repeated(
    nodes: list[P], create_local: LocalFactory, bound_variables: set[int] | None = None
) -> tuple[list[ir.Stmt], list[P]]:
    """Extract repeated subexpressions. Return their assignments, and the nodes rewritten to use them."""
    assignments: list[ir.Assign] = []
    if sum(map(count_nodes, nodes)) < 2 * MIN_SHARED_SIZE:
        return list(assignments), nodes
    while True:
        repeated = find_largest_repeated(
            [*(assignment.value for assignment in assignments), *nodes], bound_variables or set()
        )
        if repeated is None:
            return list(assignments), nodes
        local = create_local(repeated.kind)
        change = partial(replace_if_equal, repeated, local)
        first = next(
            (at for at, assignment in enumerate(assignments) if repeated in walk([assignment.value])), len(assignments)
        )
        assignments = [
            evolve(assignment, value=rewrite_bottom_up(assignment.value, change)) for assignment in assignments
        ]
        assignments.insert(first, ir.Assign(local, repeated))
        nodes = [rewrite_bottom_up(node, change) for node in nodes]


def replace_if_equal(old: ir.Expr, new: ir.Expr, part: Part) -> Part:
    return new if type(part) is type(old) and hash(part) == hash(old) and part == old else part


def find_largest_repeated(nodes: Sequence[Part], bound_variables: set[int]) -> ir.Expr | None:
    """Return the largest repeated subexpression that can be computed early; None if there is none."""
    counts: Counter[ir.Expr] = Counter()
    inside = set(bound_variables)
    stack: list[Part] = list(nodes)
    while stack:
        part = stack.pop()
        if isinstance(part, ir.Loop):
            inside |= {clause.local.number for clause in part.clauses if not isinstance(clause, ir.Test)}
        elif isinstance(part, ir.TestOf):
            inside.add(part.local.number)
        if isinstance(part, ir.Expr) and is_always_defined(part):
            counts[part] += 1
        stack += list_children(part)
    best = [
        (count_nodes(expr), expr) for expr, count in counts.items()
        if count > 1 and count_nodes(expr) >= MIN_SHARED_SIZE and not find_variables(expr) & inside
    ]  # fmt: skip
    return max(best, key=lambda each: each[0])[1] if best else None


def is_always_defined(expr: ir.Expr) -> bool:
    """Check whether an expression always has a value, at little cost."""
    if not (
        isinstance(expr, ALWAYS_DEFINED_EXPRESSIONS) or (isinstance(expr, ir.Op) and expr.operation in EASY_OPERATIONS)
    ):
        return False
    below = [
        part for part in list_children(expr) if isinstance(part, ir.Expr) and not isinstance(part, FREE_EXPRESSIONS)
    ]
    return not isinstance(expr, FREE_EXPRESSIONS) and all(map(is_always_defined, below))


def find_variables(expr: ir.Expr) -> set[int]:
    return {part.number for part in walk([expr]) if isinstance(part, ir.Local)}


def propagate_copies(body: ir.Body) -> ir.Body:
    """Remove variables that only rename a constant or another variable: copy propagation."""
    while known := find_copied_variables(body):
        rest = tuple(stmt for stmt in body if not (isinstance(stmt, ir.Assign) and stmt.local.number in known))
        body = substitute_variables(rest, known)
    return body


def find_copied_variables(body: ir.Body) -> dict[int, ir.Expr]:
    """Return the variables that are set once, at the top, to a constant or to a variable that never changes."""
    times: Counter[int] = Counter()
    for stmt in walk_statements(body):
        match stmt:
            case ir.Assign():
                times[stmt.local.number] += 1
            case ir.Collect() | ir.ForEach():
                times[stmt.local.number] += 2
            case ir.Answers():
                times.update({stmt.who.number: 2, stmt.answer.number: 2})
    copies: dict[int, ir.Expr] = {}
    for stmt in body:
        if isinstance(stmt, ir.Assign) and times[stmt.local.number] == 1 and not stmt.copied:
            value = stmt.value
            if isinstance(value, ir.Local) and times[value.number] <= 1:
                copies[stmt.local.number] = copies.get(value.number, value)
            elif isinstance(value, ir.Const):
                copies[stmt.local.number] = value
    return copies


def drop_needless_limits(body: ir.Body) -> ir.Body:
    """Drop limits that variables cannot exceed."""
    times = Counter(part.local.number for part in walk_statements(body) if isinstance(part, ir.Assign))
    known = {
        stmt.local.number: find_bounds(stmt.value)
        for stmt in body
        if isinstance(stmt, ir.Assign) and times[stmt.local.number] == 1 and find_bounds(stmt.value) != UNKNOWN_BOUNDS
    }

    def drop_limit(part: Part) -> Part:
        match part:
            case ir.Op(operation="most_of" | "least_of", args=(ir.Local() as local, ir.Const(value=int(limit)))):
                low, high = known.get(local.number, UNKNOWN_BOUNDS)
                inside = low is not None and low >= limit if part.operation == "most_of" else is_at_most(high, limit)
                return local if inside else part
        return part

    return rewrite_bottom_up(body, drop_limit) if known else body


def is_at_most(value: int | None, limit: int) -> bool:
    return value is not None and value <= limit


MIN_TABULATED_SIZE = 4
"""Minimum size, in nodes, of an expression replaced by a table."""
TABULATED_EXPRESSIONS = (ir.Const, ir.Local, ir.Entry, ir.Compare, ir.Logic, ir.Not, ir.Either, ir.Arith)
INTEGER_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "//": floordiv, "%": mod, "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


class CardTableBuilder:
    """Lookup tables of one program: `tables` by name, for `card_count` cards; `make_identifier` returns a new name."""

    def __init__(self, tables: dict[str, Any], card_count: int, make_identifier: Callable[[str, str], str]) -> None:
        self.tables, self.card_count, self.make_identifier = tables, card_count, make_identifier
        self.names_by_values: dict[tuple[int, ...], str] = {}

    def tabulate_body(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        return rewrite_top_down(body, self.tabulate_part)

    def tabulate_part(self, part: Part) -> Part | None:
        if (
            not isinstance(part, TABULATED_EXPRESSIONS)
            or isinstance(part, ir.Const | ir.Local)
            or part.kind.tag == "list"
        ):
            return None
        card = self.find_only_card(part)
        if card is None or measure_expression(part) < MIN_TABULATED_SIZE:
            return None
        values = tuple(int(self.evaluate_for_card(part, row_card)) for row_card in (*range(self.card_count), -1))
        if values not in self.names_by_values:
            self.names_by_values[values] = self.make_identifier("K", str(len(self.names_by_values)))
            self.tables[self.names_by_values[values]] = list(values)
        return ir.Entry(part.kind, self.names_by_values[values], card)

    def find_only_card(self, expr: ir.Expr) -> ir.Local | None:
        """Return the only card on which an expression depends; None if it depends on anything else."""
        cards: set[ir.Local] = set()
        stack: list[Part] = [expr]
        while stack:
            part = stack.pop()
            if not isinstance(part, TABULATED_EXPRESSIONS) or (
                isinstance(part, ir.Const) and not isinstance(part.value, int)
            ):
                return None
            if isinstance(part, ir.Local):
                cards.add(part)
                if part.kind != ir.CARD or len(cards) > 1:
                    return None
            elif isinstance(part, ir.Entry) and not isinstance(self.tables[part.table][-1], int):
                return None
            stack += list_children(part)
        return cards.pop() if cards else None

    def evaluate_for_card(self, e: ir.Expr, card: int) -> int:
        match e:
            case ir.Const():
                return int(e.value)  # type: ignore[arg-type]
            case ir.Local():
                return card
            case ir.Entry():
                return int(self.tables[e.table][self.evaluate_for_card(e.index, card)])
            case ir.Not():
                return not self.evaluate_for_card(e.value, card)
            case ir.Logic():
                return (all if e.operator == "and" else any)(self.evaluate_for_card(part, card) for part in e.parts)
            case ir.Either():
                return self.evaluate_for_card(
                    e.then if self.evaluate_for_card(e.condition, card) else e.otherwise, card
                )
            case ir.Compare():
                return self.evaluate_comparison(
                    e, self.evaluate_for_card(e.left, card), self.evaluate_for_card(e.right, card)
                )
            case ir.Arith():
                return int(
                    INTEGER_OPERATORS[e.operator](
                        self.evaluate_for_card(e.left, card), self.evaluate_for_card(e.right, card)
                    )
                )
        raise AssertionError(f"expected a tabulated expression, not {type(e).__name__}")

    def evaluate_comparison(self, e: ir.Compare, left: int, right: int) -> bool:
        absent = ir.encode_absent(e.left.kind)
        lacking = (e.left_lacks and left == absent) or (e.right_lacks and right == absent)
        return e.operator == "!=" if lacking else bool(INTEGER_OPERATORS[e.operator](left, right))


def measure_expression(expr: Part) -> int:
    return 1 + sum(map(measure_expression, list_children(expr)))
