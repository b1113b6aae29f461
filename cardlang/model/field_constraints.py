"""Constraints on fields as types, and the error for malformed data.

This module imports little, because the model classes use it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

from cardlang.diagnostics import Source


class DeclaredName:
    """Constraint on a field: the name of a declaration.

    An example is `Annotated[str, Refers("zone", "zones")]`.
    """

    def __init__(self, description: str, table: str) -> None:
        self.description = description
        self.table = table

    def check_field_value(self, value: object, sources: SourceTable) -> None:
        if value not in sources.declared_names[self.table]:
            raise MalformedDataError(f"there is no {self.description} {describe_data(value)}")


class OneOf:
    """Constraint on a field: one of these words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def check_field_value(self, value: object, sources: SourceTable) -> None:
        if value not in self.words:
            raise MalformedDataError(f"{describe_data(value)} is not one of {', '.join(self.words)}")


class MatchesPattern:
    """Constraint on a field: a string that matches a pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def check_field_value(self, value: object, sources: SourceTable) -> None:
        if not (isinstance(value, str) and re.fullmatch(self.pattern, value)):
            raise MalformedDataError(f"{describe_data(value)} is not a valid name")


class PositiveNumber:
    """Constraint on a field: a number from 1 to `maximum`, which is more than any game needs."""

    maximum = 1_000_000

    def check_field_value(self, value: object, sources: SourceTable) -> None:
        if not (isinstance(value, int) and 0 < value <= self.maximum):
            raise MalformedDataError(f"{describe_data(value)} must be at least 1")


class SharedItems:
    """Marker of a tuple type: objects repeat in it, and each is encoded and decoded once."""


NOT_SERIALIZED = {"apart": True}
"""Value for the `metadata` of a field with a default that is not serialised."""


class MalformedDataError(ValueError):
    """Data that does not fit the types. `path`: the keys and indices that lead to it, the last one first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.path: list[str | int] = []

    def __str__(self) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in reversed(self.path)]
        return f"{''.join(steps).lstrip('.') or 'all of it'}: {self.message}"


class SourceTable:
    """Numbered sources that spans refer to.

    `declared_names`: the names of declarations that objects may refer to, by table, such as `zones`.
    """

    def __init__(
        self, sources: Iterable[Source] = (), declared_names: Mapping[str, Container[object]] | None = None
    ) -> None:
        self.declared_names = declared_names or {}
        self.sources: list[Source] = []
        self.numbers_by_id: dict[int, int] = {}
        for source in sources:
            self.get_source_number(source)

    def get_source_number(self, source: Source) -> int:
        """Return the number of a source; add the source if it is new."""
        found = self.numbers_by_id.get(id(source))
        if found is None:
            found = self.numbers_by_id[id(source)] = len(self.sources)
            self.sources.append(source)
        return found

    def get_source(self, number: object) -> Source:
        if type(number) is not int or not 0 <= number < len(self.sources):
            raise MalformedDataError(f"there is no source {describe_data(number)}")
        return self.sources[number]


def build_error_at(message: str, key: str | int) -> MalformedDataError:
    fault = MalformedDataError(message)
    fault.path.append(key)
    return fault


def describe_data(data: object) -> str:
    """Return a short description of invalid data."""
    if isinstance(data, dict | list):
        return "an object" if isinstance(data, dict) else "a list"
    text = "null" if data is None else str(data).lower() if isinstance(data, bool) else repr(data)
    return text if len(text) <= 40 else text[:39] + "…"
