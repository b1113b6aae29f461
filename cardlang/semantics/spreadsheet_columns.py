"""Types of the columns of cards from spreadsheets: values of a kind, numbers, flags or texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from cardlang import model as g
from cardlang.semantics import error_codes
from cardlang.semantics.symbol_table import LITERAL_VALUES, TYPO_CUTOFF, ResolveContext
from cardlang.syntax import ast as n

NUMBER_PATTERN = re.compile(r"[-−]?\d{1,18}(?:[.,]\d{1,6})?")
SPREADSHEET_FLAGS = {"true": "yes", "false": "no"}

CellValue = n.Name | n.Number | n.Words


def resolve_spreadsheet_rows(ctx: ResolveContext, cards: n.Cards) -> tuple[n.Row, ...]:
    """Return the rows of a card set. Cells of a spreadsheet become values of the type of their column."""
    if cards.spreadsheet is None or not cards.columns:
        return cards.rows
    cells = zip(*(row.values for row in cards.rows), strict=True)
    columns = [resolve_cells(ctx, column.text, each) for column, each in zip(cards.columns, cells, strict=True)]
    return tuple(row.replace(values=values) for row, values in zip(cards.rows, zip(*columns, strict=True), strict=True))


def resolve_cells(ctx: ResolveContext, column: str, cells: tuple[CellValue, ...]) -> list[CellValue]:
    """Return the cells of a column as values of its kind, as numbers or flags, or as texts."""
    texts = [cell.text for cell in cells if isinstance(cell, n.Words)]
    kinds = {name.lower(): list_member_names(kind) for name, kind in ctx.kinds.items()}
    if column in kinds:
        return [read_cell(cell, kinds[column]) for cell in cells]
    numbers = {text: text.replace(",", ".").replace("−", "-") for text in texts if NUMBER_PATTERN.fullmatch(text)}
    words = {name: name for name in LITERAL_VALUES} | SPREADSHEET_FLAGS | numbers
    names = next(
        (each for each in [words, *kinds.values()] if all(normalize_name(text) in each for text in texts)), None
    ) or next((each for each in kinds.values() if has_typos(texts, each)), None)
    for expected, values in {"numbers": {*numbers}, "yes or no": {"yes", "no", *SPREADSHEET_FLAGS}}.items():
        if names is None and 2 * sum(text.lower() in values for text in texts) > len(texts):
            cells, names = tuple(require_word(ctx, column, cell, words, expected) for cell in cells), words
    return list(cells) if names is None else [read_cell(cell, names) for cell in cells]


def require_word(
    ctx: ResolveContext, column: str, cell: CellValue, words: Mapping[str, str], expected: str
) -> CellValue:
    """Return a cell if it is empty or one of the words. Otherwise report it, and return an empty cell."""
    if not isinstance(cell, n.Words) or normalize_name(cell.text) in words:
        return cell
    hint = f"correct it. If `{column}` has other values too, list all of them in a kind: `kind {column.title()}: …`"
    message = f"`{column}` is “{cell.text}” here, but most cells of this column are {expected}"
    ctx.report_error(error_codes.INVALID_ROW_VALUES, message, cell.span, hint)
    return n.Name(cell.span, "nothing")


def has_typos(texts: list[str], names: Mapping[str, str]) -> bool:
    """Return whether at least half of the texts are values of a kind, and the others are similar to one."""
    others = [normalize_name(text) for text in texts if normalize_name(text) not in names]
    return 2 * len(others) <= len(texts) and all(get_close_matches(text, names, 1, TYPO_CUTOFF) for text in others)


def list_member_names(kind: g.Kind) -> dict[str, str]:
    """Return the values of a kind by the ways to write them in a spreadsheet."""
    return {
        normalize_name(name): member.name for member in kind.members for name in (member.noun.singular, member.name)
    }


def read_cell(cell: CellValue, names: Mapping[str, str]) -> CellValue:
    """Return the cell as a value with one of these names, or else as a name that no kind has."""
    if not isinstance(cell, n.Words):
        return cell
    name = names.get(normalize_name(cell.text), cell.text)
    return n.Number(cell.span, name) if re.fullmatch(r"-?\d+(\.\d+)?", name) else n.Name(cell.span, name)


def normalize_name(text: str) -> str:
    return re.sub(r"[\s_]+", "-", text.lower())
