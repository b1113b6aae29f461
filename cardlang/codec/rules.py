"""What the types of fields say beyond the types, and what is told of data that does not fit. Light: classes name it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

from cardlang.source import Source


class Refers:
    """In the type of a field, `Annotated[str, Refers("zone", "zones")]`: it is the name of one of these."""

    def __init__(self, what: str, to: str) -> None:
        self.what = what
        self.to = to

    def check(self, value: object, sources: Sources) -> None:
        if value not in sources.declared[self.to]:
            raise Malformed(f"there is no {self.what} {shown(value)}")


class OneOf:
    """Likewise: it is one of these words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def check(self, value: object, sources: Sources) -> None:
        if value not in self.words:
            raise Malformed(f"{shown(value)} is not one of {', '.join(self.words)}")


class Spelt:
    """Likewise: it has this form."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def check(self, value: object, sources: Sources) -> None:
        if not (isinstance(value, str) and re.fullmatch(self.pattern, value)):
            raise Malformed(f"{shown(value)} is not a valid name")


class Counted:
    """Likewise: it is counted from 1, to more than anybody has."""

    most = 1_000_000

    def check(self, value: object, sources: Sources) -> None:
        if not (isinstance(value, int) and 0 < value <= self.most):
            raise Malformed(f"{shown(value)} must be at least 1")


class Shared:
    """In the type of a tuple: one object often stands in several places, and is written, and read, once."""


APART = {"apart": True}
"""As `metadata` of a field that has a default: it is no part of what an object says."""


class Malformed(ValueError):
    """Data that does not fit the types. `path`: the keys and places that lead to it, the last one first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.path: list[str | int] = []

    def __str__(self) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in reversed(self.path)]
        return f"{''.join(steps).lstrip('.') or 'all of it'}: {self.message}"


class Sources:
    """The texts that places are in, by number. `declared`: where objects refer to each other by name, the names that
    there are, by what they are the names of."""

    def __init__(self, sources: Iterable[Source] = (), declared: Mapping[str, Container[object]] | None = None) -> None:
        self.declared = declared or {}
        self.all: list[Source] = []
        self.numbers: dict[int, int] = {}
        for source in sources:
            self.number(source)

    def number(self, source: Source) -> int:
        """The number of a text, which is taken up if it is new."""
        found = self.numbers.get(id(source))
        if found is None:
            found = self.numbers[id(source)] = len(self.all)
            self.all.append(source)
        return found

    def numbered(self, number: object) -> Source:
        if type(number) is not int or not 0 <= number < len(self.all):
            raise Malformed(f"there is no source {shown(number)}")
        return self.all[number]


def misplaced(message: str, step: str | int) -> Malformed:
    fault = Malformed(message)
    fault.path.append(step)
    return fault


def shown(data: object) -> str:
    """What was found, in short."""
    if isinstance(data, dict | list):
        return "an object" if isinstance(data, dict) else "a list"
    text = "null" if data is None else str(data).lower() if isinstance(data, bool) else repr(data)
    return text if len(text) <= 40 else text[:39] + "…"
