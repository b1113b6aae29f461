"""Conversion of frozen classes to plain data and back."""

import json
from fractions import Fraction
from typing import Annotated, Any, Literal

import pytest
from attrs import field, frozen

from cardlang.diagnostics import Source, Span
from cardlang.model.codec import Codec
from cardlang.model.field_constraints import DeclaredName, MalformedDataError, SourceTable

TEXT = Source("games/a.cardgame", "one two three")


@frozen
class Shape:
    span: Span
    colour: Literal["red", "blue"]


@frozen
class Round(Shape):
    radius: int | Fraction | str | None


@frozen
class Made(Shape):
    parts: tuple[Shape, ...]
    first: Round | None = None
    note: str = field(default="", kw_only=True)


@frozen
class Named:
    name: str
    next: Annotated[str, DeclaredName("name", "names")]
    pairs: tuple[tuple[Shape, str], ...]


@frozen
class Whole:
    seen: bool
    named: dict[str, Named]
    sources: tuple[Source, ...]
    home: list[int] = field(factory=list, init=False)


CODEC = Codec(Whole, (Shape, Round, Made, Named, Whole))


def at(start: int, end: int) -> Span:
    return Span(TEXT, start, end)


DOT = Round(at(0, 3), "red", Fraction(75, 2))
HEAP = Made(at(4, 7), "blue", (DOT, Made(at(0, 1), "red", ())), DOT, note="So.")
WHOLE = Whole(False, {"a": Named("a", "b", ((HEAP, "x"),)), "b": Named("b", "a", ())}, (TEXT,))
PLAIN: dict[str, Any] = {
    "named": [
        {
            "name": "a",
            "next": "b",
            "pairs": [
                [
                    {
                        "is": "Made",
                        "span": [0, 4, 7],
                        "colour": "blue",
                        "parts": [
                            {"is": "Round", "span": [0, 0, 3], "colour": "red", "radius": {"fraction": [75, 2]}},
                            {"is": "Made", "span": [0, 0, 1], "colour": "red"},
                        ],
                        "first": {"span": [0, 0, 3], "colour": "red", "radius": {"fraction": [75, 2]}},
                        "note": "So.",
                    },
                    "x",
                ]
            ],
        },
        {"name": "b", "next": "a"},
    ],
    "sources": [0],
}


def read(data: object) -> Any:
    return CODEC.decode(data, SourceTable([TEXT], {"names": {"a", "b"}}))


def test_codec_round_trips() -> None:
    sources = SourceTable()
    assert CODEC.encode(WHOLE, sources) == PLAIN
    assert sources.sources == [TEXT]
    assert read(json.loads(json.dumps(PLAIN))) == WHOLE


def change_value(path: list[str | int], value: object) -> Any:
    data = json.loads(json.dumps(PLAIN))
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return data


HEAP_AT: list[str | int] = ["named", 0, "pairs", 0, 0]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["named", 1, "next"], "c", "named[1].next: there is no name 'c'"),
        (["named", 1, "next"], ["a"], "named[1].next: expected a text, not a list"),
        (["named", 1, "next"], ..., "named[1]: Named needs `next`"),
        (["named", 1, "name"], "a", "named[1]: two are called 'a'"),
        (["named", 1], 5, "named[1]: expected an object, not 5"),
        (["named"], {}, "named: expected a list, not an object"),
        (["seen"], 1, "seen: expected true or false, not 1"),
        (["zeen"], True, "zeen: Whole has no such field"),
        (["home"], [], "home: Whole has no such field"),
        (["sources", 0], 1, "sources[0]: there is no source 1"),
        (["sources", 0], True, "sources[0]: there is no source true"),
        ([*HEAP_AT, "is"], "Shape", "named[0].pairs[0][0].is: 'Shape' is not one of Round, Made"),
        ([*HEAP_AT, "is"], ["Made"], "named[0].pairs[0][0].is: a list is not one of Round, Made"),
        ([*HEAP_AT, "is"], ..., "named[0].pairs[0][0].is: null is not one of Round, Made"),
        ([*HEAP_AT, "first", "is"], "Round", "named[0].pairs[0][0].first.is: Round has no such field"),
        ([*HEAP_AT, "first", "radius"], 2.5, "named[0].pairs[0][0].first.radius: 2.5 is not allowed here"),
        ([*HEAP_AT, "first", "radius"], True, "named[0].pairs[0][0].first.radius: true is not allowed here"),
        ([*HEAP_AT, "first", "radius"], 2**63, "expected a whole number"),
        ([*HEAP_AT, "first", "radius", "fraction"], [4, 2], "a fraction must be in lowest terms"),
        ([*HEAP_AT, "first", "radius", "fraction"], [4, 0], "a fraction must be in lowest terms"),
        ([*HEAP_AT, "colour"], "green", "colour: 'green' is not one of red, blue"),
        ([*HEAP_AT, "span"], [0, 4, 14], "span: there is no place from 4 to 14 in games/a.cardgame"),
        ([*HEAP_AT, "span"], [0, 4], "span: expected a place, such as [0, 12, 20], not a list"),
        (["named", 0, "pairs", 0], [], "named[0].pairs[0]: expected a list of 2, not of 0"),
    ],
)  # fmt: skip
def test_mismatched_data_names_its_path(path: list[str | int], value: object, message: str) -> None:
    with pytest.raises(MalformedDataError) as fault:
        read(change_value(path, value))
    assert message in str(fault.value)


def test_null_is_rejected() -> None:
    with pytest.raises(MalformedDataError, match="all of it: expected an object, not null"):
        read(None)


def test_undeclared_class_is_not_encoded() -> None:
    with pytest.raises(TypeError, match="Named where one of Round, Made is declared"):
        CODEC.encode(Whole(False, {"a": Named("a", "a", ((WHOLE.named["b"], ""),))}, ()), SourceTable())  # type: ignore


def test_none_differs_from_empty_text() -> None:
    codec = Codec(tuple[str | None, ...], ())
    assert codec.decode(codec.encode(("", None, "x"), SourceTable()), SourceTable()) == ("", None, "x")


@pytest.mark.parametrize("radius", [None, "", 0, "x", -7, Fraction(-1, 3)])
def test_union_values_round_trip(radius: int | Fraction | str | None) -> None:
    codec = Codec(Round, (Round,))
    dot = Round(at(0, 1), "red", radius)
    sources = SourceTable()
    assert codec.decode(json.loads(json.dumps(codec.encode(dot, sources))), sources) == dot
