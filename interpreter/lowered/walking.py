"""Walking over a lowered program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from interpreter.lowered.expressions import Expr, For, Let, Local, Loop, Test, TestOf
from interpreter.lowered.statements import Answers, Assign, ForEach, Stmt

Part = Expr | Stmt | For | Let | Test
PARTS = (Expr, Stmt, For, Let, Test)


PLAIN = {"Kind", "Value", "int", "str", "bool", "int | None", "str | None"}
"""Annotations of fields that never hold a part."""

_fields: dict[type, tuple[str, ...]] = {}


def fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a class that can hold parts. Looked up once."""
    if kind not in _fields:
        fields = [field for field in attrs.fields(kind) if str(field.type) not in PLAIN]
        _fields[kind] = tuple(field.name for field in fields if not str(field.type).startswith("Literal"))
    return _fields[kind]


def parts(node: Part) -> list[Part]:
    """The expressions, statements and clauses directly below, in order."""
    found: list[Part] = []
    for name in _fields.get(type(node)) or fields_of(type(node)):
        value = getattr(node, name)
        if type(value) is tuple:
            found += value
        elif value is not None:
            found.append(value)
    return found


def walk(nodes: Iterable[Part]) -> Iterator[Part]:
    """These and everything below."""
    stack = list(nodes)
    while stack:
        part = stack.pop()
        yield part
        stack.extend(parts(part))


def size(node: Part) -> int:
    """How many expressions, statements and clauses a part is made of."""
    return sum(1 for _ in walk([node]))


def free_in(nodes: Iterable[Part]) -> set[int]:
    """The variables that expressions read and do not bind themselves."""
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
    """The variables that these set themselves."""
    found: set[int] = set()
    for part in walk(nodes):
        if isinstance(part, Assign | ForEach | For | Let | TestOf):
            found.add(part.local.number)
        elif isinstance(part, Answers):
            found |= {part.who.number, part.answer.number}
    return found
