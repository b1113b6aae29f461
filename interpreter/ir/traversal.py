"""Traversal of IR trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cardlang.tree import NodeFamily, rewrite_fields
from interpreter import ir
from interpreter.ir.ir_expressions import Expr, For, Let, Local, Loop, Test, TestOf
from interpreter.ir.ir_statements import Again, Answers, Assign, Body, ForEach, If, Scope, Stmt, While

Part = Expr | Stmt | For | Let | Test
COMPOUND_STATEMENTS = frozenset({If, ForEach, Answers, While, Scope, Again})
"""Statements that contain statements."""
NODES = NodeFamily[Part](lambda class_: issubclass(class_, Part))
list_children = NODES.list_children


def walk(nodes: Iterable[Part]) -> Iterator[Part]:
    """Yield these nodes and all of their descendants."""
    return NODES.walk(tuple(nodes))


def walk_statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Yield these statements and the statements nested in them."""
    stack = list(body)
    while stack:
        stmt = stack.pop()
        yield stmt
        if type(stmt) in COMPOUND_STATEMENTS:
            stack += [part for part in list_children(stmt) if isinstance(part, Stmt)]


def rewrite_bodies(stmt: Stmt, change: Callable[[Body], Body]) -> Stmt:
    """Apply a change to the bodies of a statement, in order."""
    return rewrite_fields(stmt, [name for name in ("then", "otherwise", "body") if hasattr(stmt, name)], change)


def count_nodes(node: Part) -> int:
    """Count the nodes of a part."""
    return sum(1 for _ in NODES.walk(node))


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


def is_free_to_repeat(expr: ir.Expr) -> bool:
    """Check whether evaluating an expression again costs nothing."""
    match expr:
        case ir.Const() | ir.Local():
            return True
        case ir.Track() | ir.Pile():
            return not expr.may_lack and (expr.of is None or isinstance(expr.of, ir.Const | ir.Local))
    return False
