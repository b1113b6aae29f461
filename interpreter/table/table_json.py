"""Convert a table to JSON and back.

The format follows the classes of `interpreter.table.model`. `docs/table.schema.json` describes it.
"""

from __future__ import annotations

import json
from functools import cache

import attrs

from cardlang.codec.codec import Codec
from cardlang.codec.objects import Field
from cardlang.codec.rules import Malformed, Sources
from cardlang.codec.scalars import REQUIRED
from interpreter.table import model

CLASSES = tuple(each for each in vars(model).values() if isinstance(each, type) and attrs.has(each))
NOWHERE = Sources()
"""Empty source map: a table has no positions in source text."""


class TableCodec(Codec):
    """Codec that omits a field only if it equals its default."""

    def fields_of(self, kind: type) -> list[Field]:
        if kind not in self.fields:
            defaults = {each.name: each.default for each in attrs.fields(kind)}
            self.fields[kind] = [
                attrs.evolve(field, zero=REQUIRED if defaults[field.name] is attrs.NOTHING else defaults[field.name])
                for field in super().fields_of(kind)
            ]
        return self.fields[kind]


@cache
def tables() -> TableCodec:
    return TableCodec(model.Table, CLASSES)


def to_json(table: model.Table) -> bytes:
    """Return a table as JSON, with equal bytes for equal tables."""
    return json.dumps(tables().encode(table, NOWHERE), ensure_ascii=False, separators=(",", ":")).encode()


def from_json(data: bytes | str) -> model.Table:
    """Return the table that JSON was made from. Raise `ValueError` for anything else."""
    try:
        whole = json.loads(data)
        if type(whole) is not dict or whole.get("format") != model.FORMAT:
            raise ValueError(f"This is not a table of format {model.FORMAT}.")
        table: model.Table = tables().decode(whole, NOWHERE)
    except (Malformed, RecursionError) as fault:
        raise ValueError(f"This is not a table as JSON: {fault}.") from None
    return table
