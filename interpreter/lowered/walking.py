"""Walk over the IR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter

import attrs

from interpreter.lowered.expressions import Const, Expr, For, Let, Local, Loop, Test, TestOf
from interpreter.lowered.statements import Again, Answers, Assign, ForEach, If, Scope, Stmt, While

Part = Expr | Stmt | For | Let | Test
PARTS = (Expr, Stmt, For, Let, Test)


LEAVES = frozenset({Const, Local})
"""Nodes without children."""
HOLDING = frozenset({If, ForEach, Answers, While, Scope, Again})
"""Statements that contain statements."""
PLAIN = {"Kind", "Value", "int", "str", "bool", "int | None", "str | None"}
"""Annotations of fields that never hold a node."""

_fields: dict[type, tuple[str, ...]] = {}
_values: dict[type, Callable[[Part], tuple[object, ...]]] = {}


def fields_of(kind: type) -> tuple[str, ...]:
    """Return the fields of a class that can hold nodes. Cached."""
    if kind not in _fields:
        fields = [field for field in attrs.fields(kind) if str(field.type) not in PLAIN]
        _fields[kind] = tuple(field.name for field in fields if not str(field.type).startswith("Literal"))
    return _fields[kind]


def values_of(kind: type) -> Callable[[Part], tuple[object, ...]]:
    """Return a getter for the values of these fields. Cached."""
    if kind not in _values:
        names = fields_of(kind)
        getter: Callable[[Part], tuple[object, ...]] = attrgetter(*names, "__class__") if names else nothing
        _values[kind] = getter
    return _values[kind]


def nothing(part: Part) -> tuple[object, ...]:
    return ()


def parts(node: Part) -> list[Part]:
    """Return the direct child nodes (expressions, statements and clauses), in order."""
    found: list[Part] = []
    kind = type(node)
    for value in (_values.get(kind) or values_of(kind))(node):
        if type(value) is tuple:
            found += value
        elif value is not None and value is not kind:
            found.append(value)  # type: ignore[arg-type]
    return found


def walk(nodes: Iterable[Part]) -> Iterator[Part]:
    """Yield these nodes and all of their descendants."""
    stack = list(nodes)
    while stack:
        part = stack.pop()
        yield part
        if type(part) not in LEAVES:
            stack += parts(part)


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Yield these statements and the statements nested in them."""
    stack = list(body)
    while stack:
        stmt = stack.pop()
        yield stmt
        if type(stmt) in HOLDING:
            stack += [part for part in parts(stmt) if isinstance(part, Stmt)]


def size(node: Part) -> int:
    """Count the nodes of a part."""
    count, stack = 0, [node]
    while stack:
        part = stack.pop()
        count += 1
        if type(part) not in LEAVES:
            stack += parts(part)
    return count


def free_in(nodes: Iterable[Part]) -> set[int]:
    """Return the variables that expressions read and do not bind themselves."""
    read: set[int] = set()
    bound: set[int] = set()
    for part in walk(nodes):
        if isinstance(part, Local):
            read.add(part.number)
        elif isinstance(part, Loop):
            bound |= {clause.local.number for clause in part.clauses if not isinstance(clause, Test)}
        elif isinstance(part, TestOf):
            bound.add(part.local.number)
    return read - bound


def assigned(nodes: Iterable[Part]) -> set[int]:
    """Return the variables that these nodes assign or bind."""
    found: set[int] = set()
    for part in walk(nodes):
        if isinstance(part, Assign | ForEach | For | Let | TestOf):
            found.add(part.local.number)
        elif isinstance(part, Answers):
            found |= {part.who.number, part.answer.number}
    return found
