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
    if isinstance(value, tuple):
        for part in value:
            yield from names_in(part)
    elif isinstance(value, n.Name):
        yield value.text
    elif isinstance(value, n.Node):
        if isinstance(value, n.NameRef):
            yield value.name
        for name in fields_of(value):
            yield from names_in(getattr(value, name))


def nodes_in(value: Any) -> Iterator[n.Node]:
    """All nodes in a node or a tuple of nodes."""
    if isinstance(value, tuple):
        for part in value:
            yield from nodes_in(part)
    elif isinstance(value, n.Node):
        yield value
        for name in fields_of(value):
            yield from nodes_in(getattr(value, name))


def last_name(expr: n.Expr) -> str:
    """What an expression names: `turn` in `your turn` and in `Ann's turn`; empty if it is no name."""
    match expr:
        case n.NameRef(name=name):
            return name
        case n.Yours(name=word) | n.Attr(name=word) | n.Its(name=word):
            return word.text
    return ""
