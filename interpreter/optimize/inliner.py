"""Inliner of short functions."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir
from interpreter.ir.simplifier import substitute_variables
from interpreter.ir.traversal import count_nodes, find_assigned_variables, rewrite_bodies, walk, walk_statements
from interpreter.optimize.jump_and_frame_optimization import scan_reads

MAX_INLINED_FUNCTION = 80
"""Maximum size, in nodes, of an inlined function."""
MAX_INLINED_BODY = 400
"""Maximum size of a body after inlining."""
NEVER_INLINED = (ir.Return, ir.Leave, ir.Expect)
"""Statements that depend on the enclosing function, or that checks may read."""


class FunctionInliner:
    """Inliner of functions.

    find_function: returns a function whose own calls are already inlined, or None if it is recursive.
    inlined_names: the names of the functions that were inlined at least once."""

    def __init__(self, find_function: Callable[[str], ir.Function | None]) -> None:
        self.find_function = find_function
        self.sizes: dict[str, int] = {}
        self.inlined_names: set[str] = set()

    def inline_calls(self, body: ir.Body) -> ir.Body:
        if not any(isinstance(stmt, ir.Do) for stmt in walk_statements(body)):
            return body
        return self.inline_in_body(body, [MAX_INLINED_BODY - sum(map(count_nodes, body))])

    def inline_in_body(self, body: ir.Body, budget: list[int]) -> ir.Body:
        inlined: list[ir.Stmt] = []
        for stmt in body:
            match stmt:
                case ir.Do():
                    inlined += self.inline_call(stmt, budget)
                case ir.If() | ir.ForEach() | ir.While() | ir.Answers() | ir.Again():
                    inlined.append(rewrite_bodies(stmt, lambda inner: self.inline_in_body(inner, budget)))
                case _:
                    inlined.append(stmt)
        return tuple(inlined)

    def inline_call(self, stmt: ir.Do, budget: list[int]) -> ir.Body:
        function = self.find_function(stmt.function)
        if function is None or stmt.finishes or self.measure_function(function) > min(MAX_INLINED_FUNCTION, budget[0]):
            return (stmt,)
        budget[0] -= self.measure_function(function)
        self.inlined_names.add(function.name)
        changed = find_assigned_variables(function.body)
        known: dict[int, ir.Expr] = {}
        given: list[ir.Stmt] = []
        for param, arg in zip(function.params, stmt.args, strict=True):
            if isinstance(arg, ir.Const | ir.Local) and param.number not in changed:
                known[param.number] = arg
            else:
                given.append(ir.Assign(param, arg))
        return (*given, *(substitute_variables(function.body, known) if known else function.body))

    def measure_function(self, function: ir.Function) -> int:
        """Return the size of a function. Functions that cannot be inlined count as too large."""
        if function.name not in self.sizes:
            self.sizes[function.name] = (
                sum(map(count_nodes, function.body)) if can_inline_anywhere(function) else MAX_INLINED_FUNCTION + 1
            )
        return self.sizes[function.name]


def can_inline_anywhere(function: ir.Function) -> bool:
    """Check whether a function's body can be inlined anywhere."""
    if function.catches is not None or function.site is not None or function.result is not None:
        return False
    if any(isinstance(part, NEVER_INLINED) for part in walk(function.body)):
        return False
    read: set[int] = set()
    scan_reads(function.body, {param.number for param in function.params}, read)
    return not read
