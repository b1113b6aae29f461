"""Traversal of syntax trees: nodes, names, and symbols that they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from cardlang.syntax import ast as n
from cardlang.tree import NodeFamily

NODES = NodeFamily[n.Node](lambda class_: issubclass(class_, n.Node))


def find_names(value: object) -> Iterator[str]:
    """Yield all names that a node mentions, in source order."""
    for node in find_nodes(value):
        if isinstance(node, n.Name):
            yield node.text
        elif isinstance(node, n.NameRef):
            yield node.name


def find_nodes(value: object) -> list[n.Node]:
    """Return all nodes in a node or a tuple of nodes, in preorder."""
    found: list[n.Node] = []
    for node in NODES.flatten_nodes(value):
        found += (node, *find_nodes(tuple(NODES.list_children(node))))
    return found


def find_last_name(expr: n.Expr) -> str:
    """Return the name that an expression ends in: `turn` in `your turn` and in `Ann's turn`.

    Return the empty string if the expression is no name.
    """
    match expr:
        case n.NameRef(name=name):
            return name
        case n.Yours(name=word) | n.Attr(name=word) | n.Its(name=word):
            return word.text
    return ""


# ---------------------------------------------------------------- declared symbols
ComponentNode = n.Kind | n.Cards | n.Zone | n.Track | n.Order | n.Ranking


@frozen
class FileSummary:
    """Names as they are declared, with their owners: `round`, `your hand`, `Team's points`.

    `steps` have a body. `overridable` has definitions and empty steps, which a game can override. `variants` has
    titles."""

    is_library: bool
    uses: tuple[str, ...]
    needs: tuple[str, ...]
    components: tuple[str, ...]
    steps: tuple[str, ...]
    overridable: tuple[str, ...]
    variants: tuple[str, ...]


def summarise_file(file: n.File) -> FileSummary:
    items = file.items
    return FileSummary(
        is_library=isinstance(file.header, n.Library),
        uses=tuple(item.name.text for item in items if isinstance(item, n.Use)),
        needs=list_names_with_owner(item for item in items if isinstance(item, n.Needs)),
        components=list_names_with_owner(item for item in items if isinstance(item, ComponentNode)),
        steps=list_names_with_owner(item for item in items if isinstance(item, n.Step) and item.body),
        overridable=list_names_with_owner(
            item for item in items if isinstance(item, n.Define) or (isinstance(item, n.Step) and not item.body)
        ),
        variants=tuple(item.title.text for item in items if isinstance(item, n.Variant)),
    )


def list_names_with_owner(items: Iterable[n.Needs | ComponentNode | n.Step | n.Define]) -> tuple[str, ...]:
    return tuple(f"{format_owner(item)}{item.name.text}" for item in items)


def format_owner(item: n.Item) -> str:
    """Return the owner before a name: `your `, `Team's ` or an empty string."""
    subject = "your" if getattr(item, "your", False) else getattr(item, "subject", None)
    return f"{subject.text}'s " if isinstance(subject, n.Name) else f"{subject} " if subject else ""
