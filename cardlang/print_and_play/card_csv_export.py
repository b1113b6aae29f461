"""Table of the cards of a game as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8

from cardlang.model import Column, Game
from cardlang.rulebook.plan.card_worths import format_digits
from cardlang.rulebook.plan.text_on_cards import find_card_row

FIXED_COLUMNS = ("set", "count", "title", "code")


def build_csv(game: Game) -> bytes:
    """Return a row for each different card: its set, number of copies, title, code, columns and text.

    The mark at its start makes spreadsheets read it as UTF-8.
    """
    columns = [column for column in game.columns.values() if any(value is not None for value in column.values)]
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow([*FIXED_COLUMNS, *(column.name for column in columns), "text"])
    for face in game.faces:
        row = find_card_row(face, game.sets[face.set])
        values = [format_value(game, column, face.number) for column in columns]
        writer.writerow([face.set, face.copies, face.title, face.code, *values, row.doc if row else ""])
    return BOM_UTF8 + target.getvalue().encode()


def format_value(game: Game, column: Column, face: int) -> str:
    """Return the value of a card as in the game file; empty if it has none."""
    value, kind = column.values[face], game.kinds.get(column.type.of or "")
    if value is None:
        return ""
    if kind is not None and isinstance(value, int):
        return kind.members[value].name
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format_digits(value)
