"""Structural keys: parts of a game as nested tuples that are equal if their meaning is equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from cardlang import model as g


class StructuralKeyBuilder:
    """Builder of keys, in which variables are numbered by first use.

    `ignored_fields`: names of fields that don't affect the meaning. A field with the default None is left out while it
    is None, so that keys stay the same if a class gets such a field."""

    def __init__(self, ignored_fields: Sequence[str]) -> None:
        self.ignored_fields = ignored_fields
        self.variables: dict[int, int] = {}

    def build_key(self, value: Any) -> object:
        if isinstance(value, g.Var):
            number = self.variables.setdefault(value.id, len(self.variables))
            return ("variable", number) if "type" in self.ignored_fields else ("variable", number, value.type)
        if isinstance(value, dict):
            value = tuple(value.items())
        if isinstance(value, tuple):
            return tuple(map(self.build_key, value))
        if not attrs.has(type(value)):
            return value
        key: list[object] = [type(value).__name__]
        for each in attrs.fields(type(value)):
            held = getattr(value, each.name)
            if each.name not in self.ignored_fields and (held is not None or each.default is not None):
                key.append(self.build_key(held) if each.default is not None else (each.name, self.build_key(held)))
        return tuple(key)
