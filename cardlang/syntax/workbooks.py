"""XLSX workbooks: their first sheet becomes TSV text.

Only the needed parts are unpacked, within limits, so a hostile file costs little time and memory.
"""

from __future__ import annotations

import io
import posixpath
import re
from datetime import datetime, timedelta
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from attrs import define, field

from cardlang.xml_elements import XmlRefusedError, parse_elements

MAX_SPREADSHEET_BYTES = 1 << 20
MAX_WORKBOOK_BYTES = 1 << 24
"""Maximum size of an XLSX file, and of each part that is read."""
MAX_PARTS = 10_000
MAX_ROW_GAP = 10_000
"""Maximum number of empty rows between two rows."""
DATE_FORMATS = {*range(14, 23), *range(45, 48)}
"""Numbers of the built-in formats for dates and times."""
FORMAT_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
NO_RESULT = "#NO RESULT!"
"""Value of a formula that the program which wrote the file did not compute."""
TRUE_AND_FALSE = {"1": "yes", "0": "no"}


class SpreadsheetError(ValueError):
    """Error for a file that cannot be read as a spreadsheet. `hint`: how to fix it."""

    def __init__(self, message: str, hint: str = "save it again as a spreadsheet") -> None:
        super().__init__(message)
        self.hint = hint


def build_size_error() -> SpreadsheetError:
    return SpreadsheetError(f"is larger than {MAX_SPREADSHEET_BYTES >> 20} MB", "keep only the cards in it")


def convert_workbook(data: bytes) -> str:
    """Return the first sheet of an XLSX file as TSV. Raise `SpreadsheetError` if it is too large or no such file."""
    if len(data) > MAX_WORKBOOK_BYTES or data.count(b"PK\1\2") > MAX_PARTS:
        raise build_size_error()
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            return Workbook(archive).convert_first_sheet()
    except SpreadsheetError:
        raise
    except XmlRefusedError as error:
        raise SpreadsheetError(str(error), "keep only the cards in it") from error
    except Exception as error:  # the libraries raise many types for faulty files
        raise SpreadsheetError("is not an XLSX file that can be read") from error


@define
class Workbook:
    """Open XLSX file.

    `strings`: texts that cells refer to. `dates`: for each cell format, whether it is for dates. `epoch`: day 0."""

    archive: ZipFile
    strings: list[str] = field(factory=list)
    dates: list[bool] = field(factory=list)
    epoch: datetime = datetime(1899, 12, 30)

    def convert_first_sheet(self) -> str:
        """Return the first sheet as TSV, with a line for each row."""
        book = self.read_relations("")["officeDocument"][0][1]
        parts, sheets = self.read_relations(book), list[str]()

        def handle(_: str, name: str, attributes: dict[str, str], text: str) -> None:
            if name == "sheet":
                sheets.extend(value for key, value in attributes.items() if key.endswith(" id"))
            elif name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
                self.epoch = datetime(1904, 1, 1)

        parse_elements(self.read_part(book), handle)
        for _, path in parts.get("sharedStrings", ()):
            self.read_strings(self.read_part(path))
        for _, path in parts.get("styles", ()):
            self.read_styles(self.read_part(path))
        worksheets = dict(parts["worksheet"])
        sheet = SheetReader(self)
        parse_elements(self.read_part(next(worksheets[key] for key in sheets if key in worksheets)), sheet.handle)
        return sheet.target.getvalue()

    def read_part(self, path: str) -> bytes:
        """Return a file of the archive. Raise `SpreadsheetError` if it is too large, or `KeyError` if it is missing."""
        part = self.archive.getinfo(path)
        if part.file_size > MAX_WORKBOOK_BYTES or part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise build_size_error()
        return self.archive.read(part)

    def read_relations(self, path: str) -> dict[str, list[tuple[str, str]]]:
        """Return the keys and paths of the parts that a part refers to, by type."""
        folder, name = posixpath.split(path)
        relations: dict[str, list[tuple[str, str]]] = {}

        def handle(_: str, name: str, attributes: dict[str, str], text: str) -> None:
            if name == "Relationship" and attributes.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, attributes["Target"])).lstrip("/")
                kind = attributes["Type"].rpartition("/")[2]
                relations.setdefault(kind, []).append((attributes["Id"], target))

        parse_elements(self.read_part(posixpath.join(folder, "_rels", f"{name}.rels")), handle)
        return relations

    def read_strings(self, data: bytes) -> None:
        texts: list[str] = []

        def handle(parent: str, name: str, attributes: dict[str, str], text: str) -> None:
            if name == "t" and parent != "rPh":  # hints on pronunciation are not part of the text
                texts.append(text)
            elif name == "si":
                self.strings.append("".join(texts))
                texts.clear()

        parse_elements(data, handle)

    def read_styles(self, data: bytes) -> None:
        formats: dict[str, str] = {}

        def handle(parent: str, name: str, attributes: dict[str, str], text: str) -> None:
            number = attributes.get("numFmtId", "0")
            if name == "numFmt":
                formats[number] = FORMAT_LITERAL.sub("", attributes.get("formatCode", ""))
            elif name == "xf" and parent == "cellXfs":
                self.dates.append(int(number) in DATE_FORMATS or bool(re.search("[ymdhs]", formats.get(number, ""))))

        parse_elements(data, handle)

    def format_value(self, kind: str, style: str, value: str, has_formula: bool) -> str:
        """Return the value of a cell of a type (`t`) and format (`s`)."""
        match kind:
            case "s":
                return self.strings[int(value)] if value else ""
            case "b":
                return TRUE_AND_FALSE.get(value, value)
            case "n" if value:
                is_date = int(style) < len(self.dates) and self.dates[int(style)]
                return self.format_date(float(value)) if is_date else format_number(float(value))
            case "n" if has_formula:
                return NO_RESULT
        return value

    def format_date(self, days: float) -> str:
        moment = self.epoch + timedelta(seconds=round(days * 86_400))
        if days < 1:
            return f"{moment:%H:%M}"
        return f"{moment:%Y-%m-%d}" if days == int(days) else f"{moment:%Y-%m-%d %H:%M}"


def format_number(value: float) -> str:
    """Return a number as a spreadsheet program shows it."""
    return str(int(value)) if abs(value) < 1e15 and value.is_integer() else f"{value:.15g}"


@define
class SheetReader:
    """Reader of one sheet. It writes TSV to `target`.

    `row`, `column`: place of the current cell. `written_row`: last row that was written."""

    book: Workbook
    target: io.StringIO = field(factory=io.StringIO)
    texts: list[str] = field(factory=list)
    has_formula: bool = False
    cells: dict[int, str] = field(factory=dict)
    column: int = 0
    row: int = 0
    written_row: int = 0

    def handle(self, parent: str, name: str, attributes: dict[str, str], text: str) -> None:
        match name:
            case "v" | "t" if parent != "rPh":
                self.texts.append(text)
            case "f":
                self.has_formula = True
            case "c":
                self.add_cell(attributes)
            case "row":
                self.row = int(attributes.get("r", self.row + 1))
                self.write_row()
            case "mergeCell" if len({*re.findall(r"\d+", attributes["ref"])}) > 1:
                hint = "unmerge them, and fill in each card’s cells"
                raise SpreadsheetError(f"has merged cells ({attributes['ref']})", hint)

    def add_cell(self, attributes: dict[str, str]) -> None:
        self.column = count_column(attributes["r"]) if "r" in attributes else self.column + 1
        kind, style = attributes.get("t", "n"), attributes.get("s", "0")
        text = self.book.format_value(kind, style, "".join(self.texts), self.has_formula)
        text = " ".join(re.sub("_x000[9AD]_", " ", text).split())
        if text:
            self.cells[self.column] = text
        self.texts.clear()
        self.has_formula = False

    def write_row(self) -> None:
        """Write the cells of a row, after empty lines for the rows before it."""
        if self.cells:
            gap = self.row - self.written_row - 1
            if not 0 <= gap <= MAX_ROW_GAP:
                raise SpreadsheetError(f"has a cell in row {self.row:,}, far from the others", "delete it")
            self.target.write("\n" * gap)
            line = [quote_cell(self.cells.get(column, "")) for column in range(1, max(self.cells) + 1)]
            self.target.write("\t".join(line) + "\n")
            if self.target.tell() > MAX_SPREADSHEET_BYTES:
                raise build_size_error()
            self.written_row = self.row
        self.cells, self.column = {}, 0


def quote_cell(text: str) -> str:
    """Return the text of a cell in quotes if it has a character that could be taken for the end of the cell."""
    return '"' + text.replace('"', '""') + '"' if re.search('[",;]', text) else text


def count_column(place: str) -> int:
    """Return the number of a column from the place of a cell: 28 for `AB3`."""
    letters = place.rstrip("0123456789")
    if not re.fullmatch("[A-Z]{1,3}", letters):
        raise ValueError(place)
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number
