"""Cards from spreadsheets: CSV, TSV and XLSX files become rows of the syntax tree."""

from __future__ import annotations

import errno
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from attrs import define, evolve, field, frozen
from lark import Token

from cardlang.diagnostics import Diagnostic, GameError, Source, Span
from cardlang.diagnostics.source_limits import MAX_CARDS, MAX_TEXT, report_invalid_character, report_invalid_utf8
from cardlang.storage import SPREADSHEET_SUFFIXES, read_file_start
from cardlang.syntax import ast as n
from cardlang.syntax.builders import TreeBuilder
from cardlang.syntax.parse_tables import parse_single_value
from cardlang.syntax.xlsx_workbooks import (
    MAX_SPREADSHEET_BYTES,
    MAX_WORKBOOK_BYTES,
    SpreadsheetError,
    build_size_error,
    convert_workbook,
)

SPREADSHEET_CODE = "E247"
MAX_COLUMNS = 200
MAX_BRACES = 5_000
"""Maximum number of braces in the texts of a file."""
SAVE_HINT = "in your spreadsheet program, save it as “CSV UTF-8”"
COLUMN_ROLES = {
    "set": ("set",),
    "title": ("title", "name", "card"),
    "count": ("count", "copies"),
    "code": ("code",),
    "text": ("text",),
}
"""Headings of the columns that aren't attributes. Of several words for one, the first that is there counts."""
COLUMN_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
FORMULA_ERROR = re.compile(r"#(?:CALC!|DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|SPILL!|VALUE!)")
"""Values of cells whose formulas failed."""

ReadSpreadsheet = Callable[[n.Words], Source]


# ---------------------------------------------------------------- files
def read_spreadsheet(path: Path) -> Source:
    """Read a spreadsheet as CSV or TSV text.

    Raise `OSError`, `SpreadsheetError` if it is too large or of another type, `GameError` if it isn't text."""
    if path.is_symlink():
        raise OSError(errno.EINVAL, "it is a link to another place", str(path))
    if path.suffix.lower() == ".xlsx":
        text = convert_workbook(read_file_start(path, MAX_WORKBOOK_BYTES + 1))
    else:
        data = read_file_start(path, MAX_SPREADSHEET_BYTES + 1)
        encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8"
        data = data.removeprefix(BOM_UTF8)
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            if len(data) > MAX_SPREADSHEET_BYTES:
                raise build_size_error() from None
            if encoding == "utf-16" or b"\0" in data:
                raise SpreadsheetError("is not a text file", SAVE_HINT) from None
            finding = report_invalid_utf8(Source(path.name, data.decode(errors="replace")), data, error.start)
            raise GameError([evolve(finding, hint=SAVE_HINT)]) from None
    if len(text.encode()) > MAX_SPREADSHEET_BYTES:
        raise build_size_error()
    source = Source(path.name, text.replace("\r\n", "\n").replace("\r", "\n"))
    if found := report_invalid_character(source):
        raise GameError([found])
    return source


# ---------------------------------------------------------------- cells
@frozen
class Cell:
    """Cell with its text on one line, and its place in the file."""

    text: str
    span: Span


def split_cells(source: Source) -> Iterator[list[Cell]]:
    """Yield the cells of each line with text. Raise `GameError` at the first cell with faulty quotation marks."""
    delimiter = find_delimiter(source)
    pattern = re.compile(rf'(?:"((?:[^"]|"")*)"|([^{delimiter}\n]*))({delimiter}|\n|\Z)')
    blank_lines = re.compile(rf"[ {delimiter}\n]*\n")
    row: list[Cell] = []
    start = 0
    while start <= len(source.text):
        if not row and (blank := blank_lines.match(source.text, start)):
            start = blank.end()
        match = pattern.match(source.text, start)
        assert match is not None  # the second alternative matches any text
        quoted, plain, end = match.groups()
        span = Span(source, start, match.start(3))
        if plain is not None and plain.startswith('"'):
            message = "the quotation marks of this cell don't match"
            raise GameError([Diagnostic(SPREADSHEET_CODE, message, Span(source, start, start + 1), SAVE_HINT)])
        row.append(Cell(" ".join((plain if quoted is None else quoted.replace('""', '"')).split()), span))
        start = match.end() if end else len(source.text) + 1
        if end != delimiter:
            if any(cell.text for cell in row):
                yield row
            row = []


def find_delimiter(source: Source) -> str:
    """Return the character between cells: a tab, semicolon or comma, the most frequent one in the first line."""
    headings = re.sub(r'"[^"]*"', "", source.text.lstrip().partition("\n")[0])
    return max("\t;,", key=headings.count) if source.text else ","


# ---------------------------------------------------------------- rows
def fill_cards(file: n.File, read: ReadSpreadsheet) -> tuple[n.File, list[Diagnostic]]:
    """Return a file with the rows of its card sets from spreadsheets, and the errors in these.

    Raise `GameError` if a spreadsheet cannot be read."""
    findings: list[Diagnostic] = []
    if not any(isinstance(item, n.Cards | n.Use | n.Variant) for item in file.items):
        return file, findings
    return file.replace(items=tuple(fill_items(file.items, read, findings))), findings


def fill_items(items: Iterable[n.Item], read: ReadSpreadsheet, findings: list[Diagnostic]) -> Iterator[n.Item]:
    for item in items:
        if isinstance(item, n.Use | n.Variant) and item.items:
            yield item.replace(items=tuple(fill_items(item.items, read, findings)))
        elif isinstance(item, n.Cards) and item.spreadsheet is not None:
            yield SpreadsheetReader(item, read(item.spreadsheet), findings).fill()
        else:
            yield item


@define
class SpreadsheetReader:
    """Reader of the cards of one set from a spreadsheet."""

    cards: n.Cards
    source: Source
    findings: list[Diagnostic]
    columns: dict[str, int] = field(factory=dict)
    brace_count: int = 0
    headed: set[int] = field(factory=set)

    def fill(self) -> n.Cards:
        """Return the set with a row for each line, and the rules that the game file gives to titles."""
        headings, *lines = [*split_cells(self.source)] or [[]]
        top = Span(self.source, 0, headings[-1].span.end if headings else 0)
        self.read_headings(headings)
        lines = [line for line in lines if self.is_in_set(line)]
        if "title" not in self.columns:
            self.report("the first line has no column `title`", top, "write the heading of each column in it")
        elif not lines:
            self.report(f"this file has no cards of the set {self.cards.name.text}", top, "add a line for each card")
        elif len(lines) > MAX_CARDS:
            message = f"this file has more than {MAX_CARDS:,} cards of the set {self.cards.name.text}"
            self.report(message, lines[MAX_CARDS][0].span, "use fewer lines")
        if self.findings and not ("title" in self.columns and 0 < len(lines) <= MAX_CARDS):
            raise GameError(self.findings)  # all errors elsewhere may follow from this one
        names = [name for name in self.columns if name not in COLUMN_ROLES]
        used = [name for name in names if any(self.get_cell(line, name).text for line in lines)]
        rows = tuple(row for line in lines if (row := self.build_row(line, used)).title.text)
        columns = tuple(n.Name(headings[self.columns[name]].span, name) for name in used)
        file = n.Words(self.source.full_span, self.source.name)
        return self.cards.replace(columns=columns, rows=self.add_rules(rows), spreadsheet=file)

    def report(self, message: str, span: Span, hint: str, related: tuple[tuple[Span, str], ...] = ()) -> None:
        self.findings.append(Diagnostic(SPREADSHEET_CODE, message, span, hint, related))

    def read_headings(self, headings: list[Cell]) -> None:
        """Read the columns from the first line. Raise `GameError` if there are too many."""
        if len(headed := [cell for cell in headings if cell.text]) > MAX_COLUMNS:
            self.report(f"this file has more than {MAX_COLUMNS} columns", headed[MAX_COLUMNS].span, "delete some")
            raise GameError(self.findings)
        words = [re.sub(r"[\s_]+", "-", cell.text.lower()) for cell in headings]
        roles = {next((each for each in choices if each in words), ""): role for role, choices in COLUMN_ROLES.items()}
        for index, (cell, word) in enumerate(zip(headings, words, strict=True)):
            name = roles.get(word, word)
            if not word:
                continue
            self.headed.add(index)
            if not COLUMN_NAME.fullmatch(word):
                hint = "start it with a letter, and use only the letters A to Z, digits and hyphens"
                self.report(f"“{cell.text}” cannot be the name of a column", cell.span, hint)
            elif name in self.columns:
                first = headings[self.columns[name]].span
                self.report(f"two columns are called `{word}`", cell.span, "rename one", ((first, "the first one"),))
            else:
                self.columns[name] = index

    def is_in_set(self, line: list[Cell]) -> bool:
        return "set" not in self.columns or self.get_cell(line, "set").text.lower() == self.cards.name.text.lower()

    def get_cell(self, line: list[Cell], name: str) -> Cell:
        """Return the cell of a column, or an empty one at the end of the line."""
        index = self.columns.get(name, len(line))
        return line[index] if index < len(line) else Cell("", Span(self.source, line[-1].span.end, line[-1].span.end))

    def build_row(self, line: list[Cell], names: list[str]) -> n.Row:
        title, count, code = (self.get_cell(line, role) for role in ("title", "count", "code"))
        if not title.text:
            self.report("this card has no title", line[0].span, "write one in the column `title`")
        if not re.fullmatch(r"\d{0,9}", count.text):
            self.report(f"“{count.text}” is not a number of copies", count.span, "write a whole number, such as 2")
        surplus = [cell for index, cell in enumerate(line) if cell.text and index not in self.headed]
        if surplus:
            hint = "name the column in the first line, or put text with commas in quotation marks"
            self.report("this cell has no heading", surplus[0].span, hint)
        for cell in line:
            if len(cell.text) > MAX_TEXT:
                self.report(f"this text is longer than {MAX_TEXT:,} characters", cell.span, "shorten it")
            elif FORMULA_ERROR.fullmatch(cell.text):
                hint = "correct it in your spreadsheet program, and save the file again"
                self.report(f"this formula has no value: {cell.text}", cell.span, hint)
        return n.Row(
            title.span,
            int(count.text) if re.fullmatch(r"\d{1,9}", count.text) else 1,
            n.Words(title.span, title.text),
            n.Name(code.span, code.text) if code.text else None,
            tuple(build_value(self.get_cell(line, name)) for name in names),
            self.build_text(self.get_cell(line, "text")),
            (),
        )

    def build_text(self, cell: Cell) -> n.Words | None:
        """Return the text of a card, with the values in its braces."""
        if not cell.text:
            return None
        self.brace_count += cell.text.count("{")
        if self.brace_count > MAX_BRACES:
            self.report(f"the texts before this one have {MAX_BRACES:,} braces", cell.span, "use fewer")
            raise GameError(self.findings)
        escaped = cell.text.replace("\\", "\\\\").replace('"', '\\"')
        first = cell.span.start - (not cell.span.text.startswith('"'))
        builder = TreeBuilder(self.source, lambda at: min(first + at, cell.span.end), parse_single_value)
        words = builder.build_text(Token("STRING", f'"{escaped}"'), cell.span)
        self.findings += [*builder.text_errors, *filter(None, [builder.depth_error])]
        return words

    def add_rules(self, rows: tuple[n.Row, ...]) -> tuple[n.Row, ...]:
        """Return the rows with the rules that the game file gives to the cards of a title."""
        titles = [row.title.text for row in rows]
        rules = {row.title.text: row for row in self.cards.rows}
        for row in self.cards.rows:
            title = row.title.text
            if title not in titles:
                close = get_close_matches(title, titles, 1, 0.5)
                hint = f"did you mean “{close[0]}”?" if close else "add it to the spreadsheet"
                self.report(f"there is no card “{title}” in {self.source.name}", row.title.span, hint)
            elif rules[title] is not row:
                related = ((row.title.span, "the first one"),)
                self.report(f"“{title}” has rules twice", rules[title].title.span, "put them together", related)
        return tuple(
            row.replace(bears=rules[title].bears) if (title := row.title.text) in rules else row for row in rows
        )


def build_value(cell: Cell) -> n.Name | n.Words:
    """Return the value of a cell. Its type depends on the column, and is found with the kinds of the game."""
    return n.Words(cell.span, cell.text) if cell.text else n.Name(cell.span, "nothing")


def require_spreadsheet_name(file: n.Words) -> str:
    """Return the name of a spreadsheet next to the game. Raise `GameError` if it is another path or type."""
    name = file.text
    if "/" in name or "\\" in name or ":" in name:
        message, hint = (
            f"“{name}” is not the name of a file next to the game",
            "move the file there, and write its name",
        )
    elif Path(name).suffix.lower() not in SPREADSHEET_SUFFIXES:
        message, hint = f"“{name}” is not a spreadsheet", "name a file that ends in .csv, .tsv or .xlsx"
    else:
        return name
    raise GameError([Diagnostic(SPREADSHEET_CODE, message, file.span, hint)])
