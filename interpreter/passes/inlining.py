"""Inline short functions at their calls."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.rewriting import substituted
from interpreter.lowered.walking import assigned, size, statements, walk
from interpreter.passes.framing import scan

SHORT = 80
"""Maximum size, in nodes, of an inlined function."""
MOST = 400
"""Maximum size of a body after inlining."""
Body = tuple[lo.Stmt, ...]
KEEP = (lo.Return, lo.Leave, lo.Expect)
"""Statements that depend on the enclosing function, or that checks may read."""


class Inliner:
    """Inlining of functions.

    body_of: returns a function whose own calls are already inlined, or None if it is recursive.
    put_in: the names of the functions that were inlined somewhere."""

    def __init__(self, function: Callable[[str], lo.Function | None]) -> None:
        self.function = function
        self.sizes: dict[str, int] = {}
        self.put_in: set[str] = set()

    def inlined(self, body: Body) -> Body:
        if not any(isinstance(stmt, lo.Do) for stmt in statements(body)):
            return body
        return self.within(body, [MOST - sum(map(size, body))])

    def within(self, body: Body, room: list[int]) -> Body:
        found: list[lo.Stmt] = []
        for stmt in body:
            match stmt:
                case lo.Do():
                    found += self.call(stmt, room)
                case lo.If():
                    then = self.within(stmt.then, room)
                    found.append(evolve(stmt, then=then, otherwise=self.within(stmt.otherwise, room)))
                case lo.ForEach() | lo.While() | lo.Answers() | lo.Again():
                    found.append(evolve(stmt, body=self.within(stmt.body, room)))
                case _:
                    found.append(stmt)
        return tuple(found)

    def call(self, stmt: lo.Do, room: list[int]) -> Body:
        function = self.function(stmt.function)
        if function is None or stmt.finishes or self.size_of(function) > min(SHORT, room[0]):
            return (stmt,)
        room[0] -= self.size_of(function)
        self.put_in.add(function.name)
        changed = assigned(function.body)
        known: dict[int, lo.Expr] = {}
        given: list[lo.Stmt] = []
        for param, arg in zip(function.params, stmt.args, strict=True):
            if isinstance(arg, lo.Const | lo.Local) and param.number not in changed:
                known[param.number] = arg
            else:
                given.append(lo.Assign(param, arg))
        return (*given, *(substituted(function.body, known) if known else function.body))

    def size_of(self, function: lo.Function) -> int:
        """Return the size of a function. Functions that cannot be inlined count as too large."""
        if function.name not in self.sizes:
            self.sizes[function.name] = sum(map(size, function.body)) if is_plain(function) else SHORT + 1
        return self.sizes[function.name]


def is_plain(function: lo.Function) -> bool:
    """Check whether a function's body can be inlined anywhere."""
    if function.catches is not None or function.site is not None or function.result is not None:
        return False
    if any(isinstance(part, KEEP) for part in walk(function.body)):
        return False
    read: set[int] = set()
    scan(function.body, {param.number for param in function.params}, read)
    return not read
