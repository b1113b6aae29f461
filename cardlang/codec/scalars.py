"""Encode and decode scalar values; raise `Malformed` for values of another type."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, get_args

import attrs

from cardlang.codec.rules import Malformed, Sources, shown
from cardlang.source import Source, Span

LARGEST = 2**63
"""Bound of numbers: their absolute values are smaller."""


Encode = Callable[[Any, Sources], object]
Decode = Callable[[object, Sources], Any]


@attrs.frozen
class Shape:
    """Encoder and decoder of a type.

    `encode` is None if values are already JSON values. `zero` is the value that a field omits; `REQUIRED` if there is
    none.
    """

    decode: Decode
    encode: Encode | None
    zero: object


REQUIRED = object()
"""Zero of a type without a zero value."""


# ---------------------------------------------------------------- reading
def decoded(decode: Decode, data: object, step: str | int, sources: Sources) -> Any:
    try:
        return decode(data, sources)
    except Malformed as fault:
        fault.path.append(step)
        raise


def items(data: list[object], decode: Decode, sources: Sources) -> list[object]:
    return [decoded(decode, each, place, sources) for place, each in enumerate(data)]


def listed(data: object) -> list[object]:
    if type(data) is not list:
        raise Malformed(f"expected a list, not {shown(data)}")
    return data


# ---------------------------------------------------------------- plain values
def plain(kind: type, what: str) -> Decode:
    def read(data: object, sources: Sources) -> object:
        if type(data) is not kind:
            raise Malformed(f"expected {what}, not {shown(data)}")
        return data

    return read


def read_number(data: object, sources: Sources) -> int:
    if type(data) is not int or not -LARGEST < data < LARGEST:
        raise Malformed(f"expected a whole number, not {shown(data)}")
    return data


def read_fraction(data: object, sources: Sources) -> Fraction:
    parts = data.get("fraction") if type(data) is dict and len(data) == 1 else None
    if type(parts) is not list or len(parts) != 2:
        raise Malformed(f'expected a fraction, such as {{"fraction": [75, 2]}}, not {shown(data)}')
    top, bottom = (read_number(each, sources) for each in parts)
    if bottom < 2 or Fraction(top, bottom).denominator != bottom:
        raise Malformed("a fraction must be in lowest terms, with a denominator from 2 up")
    return Fraction(top, bottom)


def read_span(data: object, sources: Sources) -> Span:
    if type(data) is not list or len(data) != 3 or type(data[1]) is not int or type(data[2]) is not int:
        raise Malformed(f"expected a place, such as [0, 12, 20], not {shown(data)}")
    source = sources.numbered(data[0])
    if not 0 <= data[1] <= data[2] <= len(source.text):
        raise Malformed(f"there is no place from {data[1]} to {data[2]} in {source.name}")
    return Span(source, data[1], data[2])


SHAPES: dict[object, Shape] = {
    str: Shape(plain(str, "a text"), None, ""),
    bool: Shape(plain(bool, "true or false"), None, False),
    int: Shape(read_number, None, REQUIRED),
    Fraction: Shape(read_fraction, lambda value, sources: {"fraction": [value.numerator, value.denominator]}, REQUIRED),
    Span: Shape(
        read_span, lambda value, sources: [sources.number(value.source), value.start, value.end], REQUIRED
    ),
    Source: Shape(
        lambda data, sources: sources.numbered(data), lambda value, sources: sources.number(value), REQUIRED
    ),
}  # fmt: skip
"""Shapes of scalar types."""


def one_of(words: tuple[str, ...]) -> Shape:
    def read(data: object, sources: Sources) -> object:
        if type(data) is not str or data not in words:
            raise Malformed(f"{shown(data)} is not one of {', '.join(words)}")
        return data

    return Shape(read, None, REQUIRED)


def optional(inner: Shape) -> Shape:
    """Return a shape that allows None in addition."""
    encode, decode = inner.encode, inner.decode

    def read(data: object, sources: Sources) -> object:
        return None if data is None else decode(data, sources)

    if encode is None:
        return Shape(read, None, None)
    return Shape(read, lambda value, sources: None if value is None else encode(value, sources), None)


def either(shapes: list[tuple[object, Shape]]) -> Shape:
    """Return the shape of a union of scalar types, distinguished by their JSON types."""
    by_type = {str if get_args(kind) else kind: shape for kind, shape in shapes}
    in_json = {dict if kind is Fraction else kind: shape for kind, shape in by_type.items()}

    def write(value: object, sources: Sources) -> object:
        encode = by_type[type(value)].encode
        return value if encode is None else encode(value, sources)

    def read(data: object, sources: Sources) -> object:
        shape = in_json.get(type(data))
        if shape is None:
            raise Malformed(f"{shown(data)} is not allowed here")
        return shape.decode(data, sources)

    return Shape(read, write, REQUIRED)
