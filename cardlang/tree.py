"""Traversal and rewriting of trees of frozen classes, derived from the types of their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, ClassVar, Generic, NoReturn, Self, TypeVar, dataclass_transform

import attrs

LEAF_ANNOTATIONS: set[object] = {
    "str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "Span", "Type", "Origin", "Kind", "Value",
}  # fmt: skip
"""Annotations of fields that never hold a node."""
Node = TypeVar("Node")
Value = TypeVar("Value")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(attrs.field,))
class FrozenClass:
    """Base class that makes every subclass a frozen class, with the annotated fields in order."""

    __attrs_attrs__: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        attrs.frozen(cls, eq=False, repr=False, slots=False)

    def replace(self, **fields: object) -> Self:
        """Return a copy with other values of some fields."""
        return attrs.evolve(self, **fields)  # type: ignore[misc]


class FrozenValue(FrozenClass):
    """Base class of frozen classes whose objects are equal if their fields are equal."""

    def __init_subclass__(cls) -> None:
        attrs.frozen(cls, cache_hash=True, slots=False)


class NodeFamily(Generic[Node]):
    """Node classes of one kind of tree. Fields hold nodes directly or in nested tuples.

    `is_node_class`: whether a class is a node class. This and the fields of a class are cached."""

    def __init__(self, is_node_class: Callable[[type], bool]) -> None:
        self.node_classes = ClassCache(is_node_class)
        self.fields = ClassCache(list_child_fields)
        self.getters = ClassCache(build_child_getter)

    def collect_nodes(self, value: object, found: list[Node]) -> None:
        """Append a value if it is a node, or the nodes in nested tuples."""
        node_classes = self.node_classes
        for each in value if type(value) is tuple else (value,):
            class_ = type(each)
            if class_ is tuple:
                self.collect_nodes(each, found)
            elif node_classes[class_]:
                found.append(each)

    def flatten_nodes(self, value: object) -> list[Node]:
        """Return a node, or the nodes in nested tuples, as a list."""
        found: list[Node] = []
        self.collect_nodes(value, found)
        return found

    def list_children(self, node: object) -> list[Node]:
        """Return the nodes directly below a node, in the order of its fields."""
        found: list[Node] = []
        get_children = self.getters[type(node)]
        if get_children:
            self.collect_nodes(get_children(node), found)
        return found

    def walk(self, value: object) -> Iterator[Node]:
        """Yield a node, or the nodes in nested tuples, and all their descendants. Parents come before children."""
        stack = self.flatten_nodes(value)
        while stack:
            node = stack.pop()
            yield node
            get_children = self.getters[type(node)]
            if get_children:
                self.collect_nodes(get_children(node), stack)

    def rewrite(self, value: Any, change: Callable[[Any], Any]) -> Any:
        """Apply a change to a value if it is a node, or to the nodes in nested tuples and dictionaries.

        If a change returns a tuple, its items replace a node in a tuple; a node elsewhere stays. If nothing changes,
        the value itself is returned."""
        if type(value) is tuple:
            made: list[object] = []
            unchanged = True
            for old in value:
                new = change(old) if self.node_classes[type(old)] else self.rewrite(old, change)
                unchanged = unchanged and new is old
                if type(new) is tuple and type(old) is not tuple:
                    made += new
                else:
                    made.append(new)
            return value if unchanged else tuple(made)
        if type(value) is dict:
            entries = {key: self.rewrite(old, change) for key, old in value.items()}
            return value if all(entries[key] is old for key, old in value.items()) else entries
        new = change(value) if self.node_classes[type(value)] else value
        return value if type(new) is tuple else new

    def rewrite_children(self, node: Value, change: Callable[[Any], Any]) -> Value:
        """Apply a change to the nodes directly below a node. If nothing changes, the node itself is returned."""
        return rewrite_fields(node, self.fields[type(node)], lambda value: self.rewrite(value, change))


class ClassCache(dict[type, Any]):
    """Cache of the results of a function for classes."""

    def __init__(self, compute: Callable[[type], object]) -> None:
        self.compute = compute

    def __missing__(self, class_: type) -> Any:
        self[class_] = found = self.compute(class_)
        return found


def list_child_fields(class_: type[Any]) -> tuple[str, ...]:
    """Return the fields of a class that can hold nodes."""
    fields: Iterable[attrs.Attribute[object]] = attrs.fields(class_)
    return tuple(
        each.name for each in fields if each.type not in LEAF_ANNOTATIONS and not str(each.type).startswith("Literal")
    )


def build_child_getter(class_: type) -> Callable[[object], object] | None:
    """Return a getter of the values of these fields, or None if there are none."""
    names = list_child_fields(class_)
    return attrgetter(*names) if names else None


def rewrite_fields(node: Value, names: Iterable[str], change: Callable[[Any], Any]) -> Value:
    """Apply a change to the values of these fields. If nothing changes, the node itself is returned."""
    changed = {}
    for name in names:
        old = getattr(node, name)
        new = change(old)
        if new is not old:
            changed[name] = new
    return attrs.evolve(node, **changed) if changed else node  # type: ignore[misc]


class HandlerRegistry(dict[type, Callable[..., Any]]):
    """Functions by node class. `missing`: the message of the `AssertionError` for a class without one."""

    def __init__(self, missing: str) -> None:
        self.missing = missing

    def register(self, *classes: type) -> Callable[[Value], Value]:
        """Return a decorator that registers a function for some classes."""

        def register_function(function: Value) -> Value:
            self.update(dict.fromkeys(classes, function))  # type: ignore[arg-type]
            return function

        return register_function

    def __missing__(self, class_: type) -> NoReturn:
        raise AssertionError(self.missing.format(class_.__name__))
