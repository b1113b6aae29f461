"""Files of a game, found and parsed: the game, its libraries and its spreadsheets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cardlang.diagnostics import Diagnostic, GameError, Source
from cardlang.storage import LIBRARY_FOLDER, SPREADSHEET_SUFFIXES

if TYPE_CHECKING:
    from cardlang.syntax import ast
    from cardlang.syntax.author_text_translation import ChangeText


def parse_source(source: Source) -> tuple[ast.File, list[Diagnostic]]:
    """Parse a source. Return its AST and its errors."""
    file, diagnostics = parse_with_caches(source.name, source.text)
    return file, list(diagnostics)


@lru_cache(maxsize=16)
def parse_with_caches(name: str, text: str) -> tuple[ast.File, tuple[Diagnostic, ...]]:
    """Parse a source with two caches.

    The cache in memory serves the variants of a game, which load it again. The cache on disk serves later runs, with
    items of files without errors."""
    from cardlang.syntax import parse_cache

    source = Source(name, text)
    known = parse_cache.read_parse_cache(source)
    if not isinstance(known, parse_cache.ParsedItemCache):
        return known, ()
    from cardlang.syntax.parser import parse_file

    file, diagnostics = parse_file(source, known)
    known.save(is_complete=not diagnostics)
    return file, tuple(diagnostics)


class LibraryFinder:
    """Finder of libraries: in the game's folder, then in the package; and of spreadsheets. It collects their errors."""

    def __init__(
        self, directory: Path | None, replacement_texts: Mapping[str, str], change: ChangeText | None = None
    ) -> None:
        self.replacement_texts, self.change = replacement_texts, change
        self.search_folders = [LIBRARY_FOLDER] if directory is None else [directory, LIBRARY_FOLDER]
        self.diagnostics: list[Diagnostic] = []
        self.spreadsheets: dict[str, Source] = {}

    def read_companion(self, name: str) -> Source | None:
        """Return the source of a library, or of a spreadsheet if the name has its suffix; None if it is missing."""
        if not name.lower().endswith(SPREADSHEET_SUFFIXES):
            return self.read_library(name)
        if name in self.replacement_texts:
            return Source(name, self.replacement_texts[name])
        from cardlang.syntax.card_spreadsheets import read_spreadsheet

        directory = self.search_folders[0]
        return read_spreadsheet(directory / name) if os.path.lexists(directory / name) else None

    def read_spreadsheet(self, file: ast.Words) -> Source:
        """Return the spreadsheet that a game file names. Raise GameError if it cannot be read."""
        from cardlang.syntax.card_spreadsheets import SPREADSHEET_CODE, require_spreadsheet_name
        from cardlang.syntax.xlsx_workbooks import SpreadsheetError

        name, source, reason, hint = require_spreadsheet_name(file), None, "", "save it again as a spreadsheet"
        try:
            source = self.spreadsheets.get(name) or self.read_companion(name)
        except OSError as error:
            reason = f"cannot be read: {(error.strerror or str(error)).lower()}"
        except SpreadsheetError as error:
            reason, hint = str(error), error.hint
        if source is None:
            if not reason:
                files = [path.name for path in self.search_folders[0].glob("*")]
                same = next((each for each in files if each.lower() == name.lower()), "")
                hint = f"write its name as {same}" if same else f"put the file {name} into the folder of the game"
                reason = "is not next to the game"
            raise GameError([Diagnostic(SPREADSHEET_CODE, f"the file {name} {reason}", file.span, hint)])
        self.spreadsheets[name] = source
        return source

    def complete_file(self, file: ast.File) -> ast.File:
        """Return a file with the rows of its cards from spreadsheets, and with changed texts."""
        from cardlang.syntax.card_spreadsheets import fill_cards

        file, findings = fill_cards(file, self.read_spreadsheet)
        self.diagnostics += findings
        if self.change is not None:
            from cardlang.syntax.author_text_translation import rewrite_texts

            file = rewrite_texts(file, self.change)
        return file

    def read_library(self, name: str) -> Source | None:
        """Return the source of a library, or None if there is no library of that name."""
        from cardlang.diagnostics.source_limits import read_source

        if name in self.replacement_texts:
            return Source(f"{name}.cardgame", self.replacement_texts[name])
        for directory in self.search_folders:
            path = directory / f"{name}.cardgame"
            if path.exists() and not path.is_dir():
                return read_source(path, path.name)
        return None

    def parse_library(self, name: str) -> ast.File | None:
        source = self.read_library(name)
        if source is None:
            return None
        file, diagnostics = parse_source(source)
        self.diagnostics += diagnostics
        return self.complete_file(file)
