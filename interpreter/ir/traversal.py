"""Traversal of IR trees, and method dispatch by node class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, NoReturn

import attrs

from interpreter import ir as lo
from interpreter.ir.ir_expressions import Const, Expr, For, Let, Local, Loop, Test, TestOf
from interpreter.ir.ir_statements import Again, Answers, Assign, ForEach, If, Scope, Stmt, While

Part = Expr | Stmt | For | Let | Test
PART_CLASSES = (Expr, Stmt, For, Let, Test)

LEAF_CLASSES = frozenset({Const, Local})
"""Nodes without children."""
COMPOUND_STATEMENTS = frozenset({If, ForEach, Answers, While, Scope, Again})
"""Statements that contain statements."""
SCALAR_ANNOTATIONS = {"Kind", "Value", "int", "str", "bool", "int | None", "str | None"}
"""Annotations of fields that never hold a node."""
_fields_by_class: dict[type, tuple[str, ...]] = {}
_getters_by_class: dict[type, Callable[[Part], tuple[object, ...]]] = {}


def find_node_fields(kind: type) -> tuple[str, ...]:
    """Return the fields of a class that can hold nodes. Cached."""
    if kind not in _fields_by_class:
        fields = [field for field in attrs.fields(kind) if str(field.type) not in SCALAR_ANNOTATIONS]
        _fields_by_class[kind] = tuple(field.name for field in fields if not str(field.type).startswith("Literal"))
    return _fields_by_class[kind]


def build_field_getter(kind: type) -> Callable[[Part], tuple[object, ...]]:
    """Return a getter for the values of these fields. Cached."""
    if kind not in _getters_by_class:
        names = find_node_fields(kind)
        getter: Callable[[Part], tuple[object, ...]] = attrgetter(*names, "__class__") if names else return_no_values
        _getters_by_class[kind] = getter
    return _getters_by_class[kind]


def return_no_values(part: Part) -> tuple[object, ...]:
    return ()


def list_children(node: Part) -> list[Part]:
    """Return the direct child nodes (expressions, statements and clauses), in order."""
    found: list[Part] = []
    kind = type(node)
    for value in (_getters_by_class.get(kind) or build_field_getter(kind))(node):
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
        if type(part) not in LEAF_CLASSES:
            stack += list_children(part)


def walk_statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Yield these statements and the statements nested in them."""
    stack = list(body)
    while stack:
        stmt = stack.pop()
        yield stmt
        if type(stmt) in COMPOUND_STATEMENTS:
            stack += [part for part in list_children(stmt) if isinstance(part, Stmt)]


def count_nodes(node: Part) -> int:
    """Count the nodes of a part."""
    count, stack = 0, [node]
    while stack:
        part = stack.pop()
        count += 1
        if type(part) not in LEAF_CLASSES:
            stack += list_children(part)
    return count


def find_free_ir_variables(nodes: Iterable[Part]) -> set[int]:
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


def find_assigned_variables(nodes: Iterable[Part]) -> set[int]:
    """Return the variables that these nodes assign or bind."""
    found: set[int] = set()
    for part in walk(nodes):
        if isinstance(part, Assign | ForEach | For | Let | TestOf):
            found.add(part.local.number)
        elif isinstance(part, Answers):
            found |= {part.who.number, part.answer.number}
    return found


class HandlerTable(dict[type, Callable[..., Any]]):
    """Dispatch table from constructs to the methods of `owner` named by `prefix` and the construct's name.

    home: the file where a new method belongs. Raise `AssertionError` on access to a missing one."""

    def __init__(self, owner: type, prefix: str, constructs: tuple[type, ...], home: str) -> None:
        methods: dict[type, Any] = {each: getattr(owner, prefix + each.__name__, None) for each in constructs}
        super().__init__({each: method for each, method in methods.items() if method is not None})
        self.prefix = prefix
        self.home = home

    def __missing__(self, construct: type) -> NoReturn:
        raise AssertionError(f"{self.home}: no {self.prefix}{construct.__name__}")


_handler_tables: dict[tuple[type, str, tuple[type, ...]], HandlerTable] = {}


def get_handlers(owner: type, prefix: str, constructs: tuple[type, ...], home: str) -> HandlerTable:
    """Return the `HandlerTable` of a class. They are built once for each class and prefix."""
    if (owner, prefix, constructs) not in _handler_tables:
        _handler_tables[owner, prefix, constructs] = HandlerTable(owner, prefix, constructs, home)
    return _handler_tables[owner, prefix, constructs]


def is_free_to_repeat(expr: lo.Expr) -> bool:
    """Check whether evaluating an expression again costs nothing."""
    match expr:
        case lo.Const() | lo.Local():
            return True
        case lo.Track() | lo.Pile():
            return not expr.may_lack and (expr.of is None or isinstance(expr.of, lo.Const | lo.Local))
    return False
