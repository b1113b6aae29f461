"""Serialise AST nodes to JSON values and back.

A node is a list: the number of its class, its start, its length and its fields. The decoder checks values against the
types declared in the classes, so no other data becomes a node.
"""

from __future__ import annotations

from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import attrs

from cardlang import nodes as n
from cardlang.source import Source, Span

CLASSES = [each for each in vars(n).values() if isinstance(each, type) and issubclass(each, n.Node)]
NUMBERS = {kind: number for number, kind in enumerate(CLASSES)}


def to_plain(value: Any, start: int) -> Any:
    """Convert a node or the value of a field to JSON values.

    Offsets count from `start`. Raise `RecursionError` if the nodes are nested too deeply.
    """
    kind: Any = type(value)
    if kind is tuple:
        return [to_plain(each, start) for each in value]
    number = NUMBERS.get(kind)
    if number is None:
        return value
    span: Span = value.span
    return [
        number,
        span.start - start,
        span.end - span.start,
        *(to_plain(getattr(value, f), start) for f in fields(kind)),
    ]


def from_plain(value: object, annotation: str, source: Source, start: int, end: int) -> object:
    """Rebuild the value that `to_plain` converted, in the source from `start` to `end`.

    `annotation` is its type as written in the node classes, such as `Item`. Raise `ValueError` for any other data, and
    `RecursionError` if it is nested too deeply.
    """
    return Reading(source, start, end - start).value(value, form(annotation))


@cache
def fields(kind: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    """Return the field names of a node class, without the span."""
    return tuple(each.name for each in told(kind))


def told(kind: type[attrs.AttrsInstance]) -> list[Any]:
    return [each for each in attrs.fields(kind) if each.name != "span"]


@attrs.frozen
class Form:
    """Schema of a type: the values that it allows.

    `scalars` are allowed by class, `words` by value, nodes by their class `numbers`. If the type is a tuple, `each` is
    the schema of its items.
    """

    scalars: frozenset[type]
    words: frozenset[str]
    numbers: frozenset[int]
    each: Form | None


@cache
def form(annotation: str) -> Form:
    """Return the schema of a type annotation, as written in the node classes."""
    return form_of(eval(annotation, {**vars(n), "Literal": Literal}))


def form_of(kind: Any) -> Form:
    scalars, words, numbers, each = set[type](), set[str](), set[int](), None
    todo = [kind]
    while todo:
        kind = todo.pop()
        if get_origin(kind) is tuple:
            each = form_of(get_args(kind)[0])
        elif get_origin(kind) is Literal:
            words.update(get_args(kind))
        elif get_args(kind):
            todo += get_args(kind)
        elif kind in NUMBERS:
            numbers.update(number for number, other in enumerate(CLASSES) if issubclass(other, kind))
        else:
            scalars.add(NoneType if kind is None else kind)
    return Form(frozenset(scalars), frozenset(words), frozenset(numbers), each)


@cache
def forms(number: int) -> tuple[Form, ...]:
    """Return the schemas of the fields of a node class, by its number."""
    return tuple(form(each.type) for each in told(CLASSES[number]))


@attrs.frozen
class Reading:
    """Decoder for part of a source, with the start and the length of that part."""

    source: Source
    start: int
    size: int

    def value(self, value: Any, form: Form) -> Any:
        kind = type(value)
        if kind is list:
            if form.each is None:
                return self.node(value, form.numbers)
            each = form.each
            return tuple([self.value(item, each) for item in value])
        if kind in form.scalars or (kind is str and value in form.words):
            return value
        raise ValueError(value)

    def node(self, value: list[object], numbers: frozenset[int]) -> n.Node:
        number, start, size, *rest = value
        if not (type(number) is type(start) is type(size) is int and number in numbers):
            raise ValueError(value)
        if start < 0 or size < 0 or start + size > self.size:
            raise ValueError(value)
        start += self.start
        found = [self.value(each, form) for each, form in zip(rest, forms(number), strict=True)]
        node: n.Node = CLASSES[number](Span(self.source, start, start + size), *found)
        return node
