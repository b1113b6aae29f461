"""The names that nodes mention."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from cardlang import nodes as n


def fields_of(node: n.Node) -> tuple[str, ...]:
    """The fields of a node."""
    kind: Any = type(node)
    return fields_of_class(kind)


@cache
def fields_of_class(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in attrs.fields(kind) if each.name != "span")


def names_in(value: Any) -> Iterator[str]:
    """All names that a node mentions, in the order of the text."""
    for node in nodes_in(value):
        if isinstance(node, n.Name):
            yield node.text
        elif isinstance(node, n.NameRef):
            yield node.name


def nodes_in(value: Any) -> Iterator[n.Node]:
    """All nodes in a node or a tuple of nodes, each before those within it, in the order of the text."""
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, tuple):
            stack.extend(reversed(each))
        elif isinstance(each, n.Node):
            yield each
            stack.extend(getattr(each, name) for name in reversed(fields_of(each)))


def last_name(expr: n.Expr) -> str:
    """What an expression names: `turn` in `your turn` and in `Ann's turn`; empty if it is no name."""
    match expr:
        case n.NameRef(name=name):
            return name
        case n.Yours(name=word) | n.Attr(name=word) | n.Its(name=word):
            return word.text
    return ""
