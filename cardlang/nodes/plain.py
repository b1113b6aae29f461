"""Nodes as plain data and back: a list with the number of the node's class, where it begins and how long it is, and
its fields. What is read back is checked against the types that the classes name: nothing else becomes a node."""

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
    """A node, or what stands in one, as JSON has it; places count from `start`. Raises RecursionError for nodes that
    are too deep."""
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
    """What `to_plain` made into a list, again, in the text from `start` to `end`; of a type written as in the classes,
    such as `Item`. Raises ValueError for everything else, RecursionError for nodes that are too deep."""
    return Reading(source, start, end - start).value(value, form(annotation))


@cache
def fields(kind: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    """The fields of a class of nodes, but for the span."""
    return tuple(each.name for each in told(kind))


def told(kind: type[attrs.AttrsInstance]) -> list[Any]:
    return [each for each in attrs.fields(kind) if each.name != "span"]


@attrs.frozen
class Form:
    """What a type allows: `scalars` by their class, `words` by themselves, nodes by their `numbers`; `each`: the form
    of the members of a tuple, if it is one."""

    scalars: frozenset[type]
    words: frozenset[str]
    numbers: frozenset[int]
    each: Form | None


@cache
def form(annotation: str) -> Form:
    """The form that a type, as the classes write it, asks for."""
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
    """The forms of the fields of a class."""
    return tuple(form(each.type) for each in told(CLASSES[number]))


@attrs.frozen
class Reading:
    """What is read for a piece of a text: where it begins and how long it is."""

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
