"""XLSX workbooks: their first sheet becomes TSV text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from zipfile import ZipFile

MAX_SPREADSHEET_BYTES = 1 << 20
MAX_WORKBOOK_BYTES = 1 << 24
"""Maximum size of an XLSX file."""
MAX_SHEET_BYTES = 1 << 22
"""Maximum size of an unpacked part with cells or their texts."""
MAX_PART_BYTES = 1 << 18
"""Maximum size of any other unpacked part that isn't a picture."""
MAX_CELLS = 500_000
MERGED_ROWS = re.compile(rb'<mergeCell ref="([A-Z]+(\d+):[A-Z]+(?!\2")\d+)"')
"""Merged cells in more than one row."""
TRUE_AND_FALSE = {True: "yes", False: "no"}


class SpreadsheetError(ValueError):
    """Error for a file that cannot be read as a spreadsheet. `hint`: how to fix it."""

    def __init__(self, message: str, hint: str = "save it again as a spreadsheet") -> None:
        super().__init__(message)
        self.hint = hint


def build_size_error() -> SpreadsheetError:
    return SpreadsheetError(f"is larger than {MAX_SPREADSHEET_BYTES >> 20} MB", "keep only the cards in it")


def convert_workbook(data: bytes) -> str:
    """Return the first sheet of an XLSX file as TSV. Raise `SpreadsheetError` if it is too large or no such file."""
    from openpyxl import load_workbook

    try:
        with ZipFile(io.BytesIO(data)) as archive:
            require_small_parts(archive)
            sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False).worksheets[0]
            merged = MERGED_ROWS.search(archive.read(vars(sheet)["_worksheet_path"]))
        if merged:
            hint = "unmerge them, and fill in each card’s cells"
            raise SpreadsheetError(f"has merged cells ({merged[1].decode()})", hint)
        sheet.reset_dimensions()  # what the file says of its size may be wrong
        return "".join(write_rows(sheet.iter_rows(values_only=True)))
    except SpreadsheetError:
        raise
    except Exception as error:  # the library raises many types for faulty files
        raise SpreadsheetError("is not an XLSX file that can be read") from error


def require_small_parts(archive: ZipFile) -> None:
    """Raise `SpreadsheetError` if a part of a workbook would take long to read."""
    for part in archive.infolist():
        has_cells = re.search("/worksheets/|/sharedStrings", part.filename)
        if part.file_size > (MAX_SHEET_BYTES if has_cells else MAX_PART_BYTES) and "/media/" not in part.filename:
            raise build_size_error()


def write_rows(rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    """Yield a line for each row. Raise `SpreadsheetError` if there are too many cells or too much text."""
    cell_count = text_size = 0
    for number, row in enumerate(rows, 1):
        cell_count += len(row) + 1
        if cell_count > MAX_CELLS:
            raise SpreadsheetError(f"has a cell far from the others, at or after row {number:,}", "delete it")
        line = "\t".join(map(format_value, row)).rstrip("\t") + "\n"
        text_size += len(line)
        if text_size > MAX_SPREADSHEET_BYTES:
            raise build_size_error()
        yield line


def format_value(value: object) -> str:
    """Return the value of a cell on one line, in quotes if it has a character that could be taken for its end."""
    match value:
        case None:
            return ""
        case bool():
            return TRUE_AND_FALSE[value]
        case float() if value.is_integer():
            return str(int(value))
        case float():
            return f"{value:.15g}"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}".removesuffix(" 00:00")
    text = " ".join(str(value).split())
    return '"' + text.replace('"', '""') + '"' if re.search('[",;]', text) else text
