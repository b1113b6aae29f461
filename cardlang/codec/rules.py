"""Constraints on fields beyond their types, and errors for data that does not fit.

This module imports little, because the model classes use it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

from cardlang.source import Source


class Refers:
    """Constraint on a field: the name of a declaration.

    An example is `Annotated[str, Refers("zone", "zones")]`.
    """

    def __init__(self, what: str, to: str) -> None:
        self.what = what
        self.to = to

    def check(self, value: object, sources: Sources) -> None:
        if value not in sources.declared[self.to]:
            raise Malformed(f"there is no {self.what} {shown(value)}")


class OneOf:
    """Constraint on a field: one of these words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def check(self, value: object, sources: Sources) -> None:
        if value not in self.words:
            raise Malformed(f"{shown(value)} is not one of {', '.join(self.words)}")


class Spelt:
    """Constraint on a field: a string that matches a pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def check(self, value: object, sources: Sources) -> None:
        if not (isinstance(value, str) and re.fullmatch(self.pattern, value)):
            raise Malformed(f"{shown(value)} is not a valid name")


class Counted:
    """Constraint on a field: a number from 1 to `most`, which is more than any game needs."""

    most = 1_000_000

    def check(self, value: object, sources: Sources) -> None:
        if not (isinstance(value, int) and 0 < value <= self.most):
            raise Malformed(f"{shown(value)} must be at least 1")


class Shared:
    """Marker of a tuple type: objects repeat in it, and each is encoded and decoded once."""


APART = {"apart": True}
"""Value for the `metadata` of a field with a default that is not serialised."""


class Malformed(ValueError):
    """Data that does not fit the types. `path`: the keys and indices that lead to it, the last one first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.path: list[str | int] = []

    def __str__(self) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in reversed(self.path)]
        return f"{''.join(steps).lstrip('.') or 'all of it'}: {self.message}"


class Sources:
    """Numbered sources that spans refer to.

    `declared`: the names of declarations that objects may refer to, by table, such as `zones`.
    """

    def __init__(self, sources: Iterable[Source] = (), declared: Mapping[str, Container[object]] | None = None) -> None:
        self.declared = declared or {}
        self.all: list[Source] = []
        self.numbers: dict[int, int] = {}
        for source in sources:
            self.number(source)

    def number(self, source: Source) -> int:
        """Return the number of a source; add the source if it is new."""
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
    """Return a short description of invalid data."""
    if isinstance(data, dict | list):
        return "an object" if isinstance(data, dict) else "a list"
    text = "null" if data is None else str(data).lower() if isinstance(data, bool) else repr(data)
    return text if len(text) <= 40 else text[:39] + "…"
