"""Dead-code elimination of event values when no listener exists.

Visible side effects stay: random draws, steps, rule errors. Expressions that fail only with too many cards also stay,
behind a test of the number of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from interpreter import ir
from interpreter.ir.traversal import (
    Part,
    find_assigned_variables,
    find_free_ir_variables,
    list_children,
    walk,
    walk_statements,
)
from interpreter.optimize.purity import IMPURE_OPERATIONS

LengthLimits = dict[ir.Expr, int]
"""Maximum length of each list up to which nothing can fail."""
TERMINATING_STATEMENTS = (ir.Assign, ir.If, ir.ForEach, ir.Collect, ir.Return)
"""Statements of functions that only compute and always terminate."""
SHRINKING_OPERATIONS = {"copied", "some_first", "some_last", "some_top", "some_bottom", "reversed"}
"""Operations whose result has at most as many items as their first list."""


class EventEliminator:
    """Removal of event-only code from one program. Functions are given by name.

    find_max_hand: returns the largest hand that a ranking can always read."""

    def __init__(self, functions: Mapping[str, ir.Function | None], find_max_hand: Callable[[str], int]) -> None:
        self.functions, self.find_max_hand = functions, find_max_hand
        self.pure_functions: dict[str, bool] = {}
        self.event_only_functions: dict[str, bool] = {}

    def remove_events(self, body: ir.Body, frame_variables: Collection[int]) -> ir.Body:
        """Remove event-only code from a body. `frame_variables`: variables in a frame, which other code may read."""
        while True:
            reduced = self.remove_event_statements(body, find_read_variables(body) | set(frame_variables), False)
            if reduced == body:
                return self.remove_event_statements(body, find_read_variables(body) | set(frame_variables), True)
            body = reduced

    def remove_event_statements(self, body: ir.Body, read_variables: set[int], is_last_pass: bool) -> ir.Body:
        """Remove event-only statements.

        read_variables: the variables that other statements read.
        is_last_pass: put the remaining guarded code after its condition."""
        remaining: list[ir.Stmt] = []
        for stmt in body:
            match stmt:
                case ir.Event():
                    continue
                case ir.If():
                    then, otherwise = (
                        self.remove_event_statements(stmt.then, read_variables, is_last_pass),
                        self.remove_event_statements(stmt.otherwise, read_variables, is_last_pass),
                    )
                    same = then == stmt.then and otherwise == stmt.otherwise
                    stmt = stmt if same else stmt.replace(then=then, otherwise=otherwise)
                case ir.ForEach() | ir.While() | ir.Answers() | ir.Again():
                    inner = self.remove_event_statements(stmt.body, read_variables, is_last_pass)
                    stmt = stmt if inner == stmt.body else stmt.replace(body=inner)
            asked = self.find_evaluated_only(stmt, read_variables)
            remaining += (stmt,) if asked is None else self.build_guarded_rest(stmt, asked, is_last_pass)
        return tuple(remaining)

    def find_evaluated_only(self, stmt: ir.Stmt, read_variables: set[int]) -> Sequence[ir.Expr] | None:
        """Return the expressions of a statement that only evaluates them; None if it does anything else."""
        match stmt:
            case ir.Assign() if stmt.local.number not in read_variables:
                return (stmt.value,)
            case ir.If(then=(), otherwise=()):
                return (stmt.condition,)
            case ir.ForEach(body=()) if stmt.local.number not in read_variables:
                return (stmt.list,)
            case ir.Do(finishes=False) if self.is_event_only(stmt.function):
                return stmt.args
        return None

    def is_event_only(self, name: str) -> bool:
        """Check whether a function is used only for events."""
        if name not in self.event_only_functions:
            self.event_only_functions[name] = False  # a recursive one may exceed the depth limit
            function = self.functions.get(name)
            self.event_only_functions[name] = function is not None and not self.remove_events(function.body, ())
        return self.event_only_functions[name]

    def build_guarded_rest(self, stmt: ir.Stmt, evaluated: Sequence[ir.Expr], is_last_pass: bool) -> ir.Body:
        limits = self.find_removal_limits(evaluated)
        if limits == {}:
            return ()
        if limits is None or not is_last_pass:
            return (stmt,)
        tests = tuple(ir.Compare(ir.FLAG, ">", size, ir.Const(ir.NUMBER, most)) for size, most in limits.items())
        return (ir.If(tests[0] if len(tests) == 1 else ir.Logic(ir.FLAG, "or", tests), (stmt,)),)

    # ------------------------------------------------------------ expressions that may fail
    def find_removal_limits(self, evaluated: Sequence[ir.Expr]) -> LengthLimits | None:
        """Return the list lengths up to which expressions can be removed without visible effect; None if never."""
        limits: LengthLimits = {}
        every = list(walk(evaluated))
        sources, inside = map_subset_variables(every), find_assigned_variables(evaluated)
        for part in every:
            limit = self.find_failure_limit(part)
            if limit is None:
                return None
            if isinstance(limit, int):
                continue
            items, most = limit
            size = build_size_bound(items, sources)
            if size is None or most < 1 or find_free_ir_variables([size]) & inside:
                return None
            limits[size] = min(most, limits.get(size, most))
        return limits

    def find_failure_limit(self, part: Part) -> tuple[ir.Expr, int] | int | None:
        """Return the list that a part depends on with the maximum length up to which it cannot fail.

        Return 0 if it never fails, and None if unknown."""
        match part:
            case ir.Dispatch() | ir.TestOf():
                return None
            case ir.Read():
                return (part.cards, self.find_max_hand(part.ranking)) if part.what == "matches" else None
            case ir.Op(operation="subsets", args=(items, ir.Const(), ir.Const(), ir.Const(value=int(uncounted)))):
                return items, uncounted.bit_length() - 1
            case ir.Op() if part.operation in IMPURE_OPERATIONS:
                return None
            case ir.Calling() if not self.is_pure_function(part.function):
                return None
        return 0

    def is_pure_function(self, name: str) -> bool:
        """Check whether a function only computes a value, and can never fail."""
        if name not in self.pure_functions:
            self.pure_functions[name] = False  # a recursive one may exceed the depth limit
            function = self.functions.get(name)
            if function is not None and all(
                isinstance(stmt, TERMINATING_STATEMENTS) for stmt in walk_statements(function.body)
            ):
                self.pure_functions[name] = all(self.find_failure_limit(part) == 0 for part in walk(function.body))
        return self.pure_functions[name]


def find_read_variables(body: ir.Body) -> set[int]:
    """Return the variables that statements read."""
    variables: set[int] = set()
    stack: list[Part] = list(body)
    while stack:
        part = stack.pop()
        if isinstance(part, ir.Local):
            variables.add(part.number)
        else:
            below = list_children(part)
            stack += below[1:] if isinstance(part, ir.Assign | ir.ForEach) else below
    return variables


def map_subset_variables(every: Sequence[Part]) -> dict[int, ir.Expr]:
    """Map each variable that iterates over the subsets of a list to that list."""
    sources: dict[int, ir.Expr] = {}
    for part in every:
        match part:
            case ir.For(list=ir.Op(operation="subsets", args=(items, *_))):
                sources[part.local.number] = items
    return sources


def build_size_bound(items: ir.Expr, sources: Mapping[int, ir.Expr]) -> ir.Expr | None:
    """Return a cheap upper bound of a list's length; None if there is none.

    sources: the lists whose subsets the variables are."""
    match items:
        case ir.Local() if items.number in sources:
            return build_size_bound(sources[items.number], sources)
        case ir.Local():
            return ir.Count(ir.NUMBER, items)
        case ir.Pile(of=None | ir.Const() | ir.Local()):
            return ir.Count(ir.NUMBER, items.replace(may_lack=items.of is not None))
        case ir.Items():
            sizes = [
                build_size_bound(each.list, sources) if isinstance(each, ir.Spread) else ir.ONE for each in items.items
            ]
            return build_size_sum(sizes)
        case ir.Loop(function="list", clauses=(ir.For() as only, *tests)):
            return build_size_bound(only.list, sources) if all(isinstance(each, ir.Test) for each in tests) else None
        case ir.Op(operation=operation, args=(first, *_)) if operation in SHRINKING_OPERATIONS:
            return build_size_bound(first, sources)
    return None


def build_size_sum(sizes: Sequence[ir.Expr | None]) -> ir.Expr | None:
    total: ir.Expr | None = None
    for size in sizes:
        if size is None:
            return None
        total = size if total is None else ir.Arith(ir.NUMBER, "+", total, size)
    return total or ir.Const(ir.NUMBER, 0)
