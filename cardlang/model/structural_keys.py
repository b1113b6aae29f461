"""Structural keys: parts of a game as nested tuples that are equal if their meaning is equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from cardlang import model as g


class StructuralKeyBuilder:
    """Builder of keys, in which variables are numbered by first use.

    `ignored_fields`: names of fields that don't affect the meaning."""

    def __init__(self, ignored_fields: Sequence[str]) -> None:
        self.ignored_fields = ignored_fields
        self.variables: dict[int, int] = {}

    def build_key(self, value: Any) -> object:
        if isinstance(value, g.Var):
            key = "variable", self.variables.setdefault(value.id, len(self.variables))
            return key if "type" in self.ignored_fields else (*key, value.type)
        if isinstance(value, dict):
            value = tuple(value.items())
        if isinstance(value, tuple):
            return tuple(map(self.build_key, value))
        if not attrs.has(type(value)):
            return value
        names = (each.name for each in attrs.fields(type(value)) if each.name not in self.ignored_fields)
        return type(value).__name__, *(self.build_key(getattr(value, name)) for name in names)
