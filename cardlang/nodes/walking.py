"""Traverse the AST: find nested nodes and the names that they mention."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from cardlang import nodes as n

PLAIN = ("str", "int", "bool", "str | None", "int | None", "Span")
"""Annotations of fields that never hold a node."""


def fields_of(node: n.Node) -> tuple[str, ...]:
    """Return the fields of a node that can hold nodes."""
    kind: object = type(node)
    return fields_of_class(kind)


@cache
def fields_of_class(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in attrs.fields(kind) if each.type not in PLAIN)


def names_in(value: object) -> Iterator[str]:
    """Yield all names that a node mentions, in source order."""
    for node in nodes_in(value):
        if isinstance(node, n.Name):
            yield node.text
        elif isinstance(node, n.NameRef):
            yield node.name


def nodes_in(value: object) -> list[n.Node]:
    """Return all nodes in a node or a tuple of nodes, in preorder."""
    found: list[n.Node] = []
    gather(value, found)
    return found


def gather(value: object, found: list[n.Node]) -> None:
    if isinstance(value, tuple):
        for each in value:
            gather(each, found)
    elif isinstance(value, n.Node):
        found.append(value)
        for name in fields_of(value):
            gather(getattr(value, name), found)


def last_name(expr: n.Expr) -> str:
    """Return the name that an expression ends in: `turn` in `your turn` and in `Ann's turn`.

    Return the empty string if the expression is no name.
    """
    match expr:
        case n.NameRef(name=name):
            return name
        case n.Yours(name=word) | n.Attr(name=word) | n.Its(name=word):
            return word.text
    return ""
