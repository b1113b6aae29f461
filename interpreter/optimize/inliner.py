"""Inliner of short functions."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir as lo
from interpreter.ir.simplifier import substitute_variables
from interpreter.ir.traversal import count_nodes, find_assigned_variables, rewrite_bodies, walk, walk_statements
from interpreter.optimize.block_optimization import scan_reads

MAX_INLINED_FUNCTION = 80
"""Maximum size, in nodes, of an inlined function."""
MAX_INLINED_BODY = 400
"""Maximum size of a body after inlining."""
NEVER_INLINED = (lo.Return, lo.Leave, lo.Expect)
"""Statements that depend on the enclosing function, or that checks may read."""


class FunctionInliner:
    """Inliner of functions.

    find_function: returns a function whose own calls are already inlined, or None if it is recursive.
    inlined_names: the names of the functions that were inlined at least once."""

    def __init__(self, find_function: Callable[[str], lo.Function | None]) -> None:
        self.find_function = find_function
        self.sizes: dict[str, int] = {}
        self.inlined_names: set[str] = set()

    def inline_calls(self, body: lo.Body) -> lo.Body:
        if not any(isinstance(stmt, lo.Do) for stmt in walk_statements(body)):
            return body
        return self.inline_in_body(body, [MAX_INLINED_BODY - sum(map(count_nodes, body))])

    def inline_in_body(self, body: lo.Body, budget: list[int]) -> lo.Body:
        inlined: list[lo.Stmt] = []
        for stmt in body:
            match stmt:
                case lo.Do():
                    inlined += self.inline_call(stmt, budget)
                case lo.If() | lo.ForEach() | lo.While() | lo.Answers() | lo.Again():
                    inlined.append(rewrite_bodies(stmt, lambda inner: self.inline_in_body(inner, budget)))
                case _:
                    inlined.append(stmt)
        return tuple(inlined)

    def inline_call(self, stmt: lo.Do, budget: list[int]) -> lo.Body:
        function = self.find_function(stmt.function)
        if function is None or stmt.finishes or self.measure_function(function) > min(MAX_INLINED_FUNCTION, budget[0]):
            return (stmt,)
        budget[0] -= self.measure_function(function)
        self.inlined_names.add(function.name)
        changed = find_assigned_variables(function.body)
        known: dict[int, lo.Expr] = {}
        given: list[lo.Stmt] = []
        for param, arg in zip(function.params, stmt.args, strict=True):
            if isinstance(arg, lo.Const | lo.Local) and param.number not in changed:
                known[param.number] = arg
            else:
                given.append(lo.Assign(param, arg))
        return (*given, *(substitute_variables(function.body, known) if known else function.body))

    def measure_function(self, function: lo.Function) -> int:
        """Return the size of a function. Functions that cannot be inlined count as too large."""
        if function.name not in self.sizes:
            self.sizes[function.name] = (
                sum(map(count_nodes, function.body)) if can_inline_anywhere(function) else MAX_INLINED_FUNCTION + 1
            )
        return self.sizes[function.name]


def can_inline_anywhere(function: lo.Function) -> bool:
    """Check whether a function's body can be inlined anywhere."""
    if function.catches is not None or function.site is not None or function.result is not None:
        return False
    if any(isinstance(part, NEVER_INLINED) for part in walk(function.body)):
        return False
    read: set[int] = set()
    scan_reads(function.body, {param.number for param in function.params}, read)
    return not read
