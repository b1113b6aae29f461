"""Loader of game files: parse, resolve and check a game with its libraries."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from cardlang.diagnostics import Diagnostic, GameError, Source
from cardlang.storage import LIBRARY_FOLDER, SPREADSHEET_SUFFIXES, find_game_file, shipped

if TYPE_CHECKING:
    from cardlang.model import Game, Variant
    from cardlang.syntax import ast
    from cardlang.syntax.author_text_translation import AuthorText, ChangeText, TranslationTable


def load(
    path: str | Path, variant: str | None = None, examples: str | Path | None = None, language: str | None = None
) -> Game:
    """Load and check a game file.

    Args:
        path: A `.cardgame` file, with or without its ending, or the name of a bundled game.
        variant: Title of the variant to load.
        examples: File of further examples to add.
        language: Language of its texts, such as `de`. Their translation is in `NAME.de.csv`.

    Returns:
        The checked game. Warnings are in its `warnings`.

    Raises:
        GameError: The file has errors; they are in `diagnostics`.
        OSError: The file cannot be read.

    Examples:
        >>> game = cardlang.load("hearts")
        >>> game.title
        'Hearts'
    """
    from cardlang.diagnostics.source_limits import read_source

    file = find_game_file(path)
    more = None if examples is None else read_source(Path(examples), str(examples))
    source = read_source(file, str(path))
    if language is None:
        return check_game_source(source, file.parent, variant, more)
    table = read_translation(find_translation_file(file, language))
    return translate_game(lambda change: check_game_source(source, file.parent, variant, more, change=change), table)


def loads(
    text: str,
    name: str = "<text>",
    variant: str | None = None,
    libraries: Mapping[str, str] | None = None,
    translation: str | None = None,
) -> Game:
    """Check a game given as text.

    Args:
        text: The game, as in a `.cardgame` file.
        name: Name of the text in messages.
        variant: Title of the variant to load.
        libraries: Texts that replace the libraries and spreadsheets of these names.
        translation: Table of texts and translations, as CSV.

    Returns:
        The checked game.

    Raises:
        GameError: The text has errors; they are in `diagnostics`.

    Examples:
        >>> try:
        ...     cardlang.loads('game "War" for 2 players')
        ... except cardlang.GameError as error:
        ...     print(error.diagnostics[0].code)
        E216
    """
    source = Source(name, text)
    if translation is None:
        return check_game_source(source, None, variant, library_texts=libraries)
    from cardlang.syntax.author_text_translation import read_translation_table

    table = read_translation_table(Source("<translation>", translation))
    return translate_game(
        lambda change: check_game_source(source, None, variant, library_texts=libraries, change=change), table
    )


# ---------------------------------------------------------------- other languages
def find_translation_file(file: Path, language: str) -> Path:
    """Return the path of the translation of a game: next to it, or for a bundled game in the working folder."""
    path = file.with_suffix(f".{language}.csv")
    return Path(path.name) if file in shipped().values() and not path.exists() else path


def read_translation(path: Path) -> TranslationTable:
    """Read a translation. Raise `OSError`, or `GameError` if the file is no such table."""
    from attrs import evolve

    from cardlang.syntax.author_text_translation import read_translation_table, report_unreadable_table
    from cardlang.syntax.card_spreadsheets import read_spreadsheet

    try:
        source = read_spreadsheet(path)
    except ValueError as error:
        raise GameError([evolve(report_unreadable_table(path, str(error)), warning=False)]) from error
    return read_translation_table(evolve(source, name=str(path)))


def translate_game(load_with: Callable[[ChangeText], Game], table: TranslationTable) -> Game:
    """Return a game with its texts in another language. `load_with` loads it with a function that changes texts."""
    from cardlang.syntax.author_text_translation import normalize_text

    texts, original = collect_texts(load_with)
    translations = table.select_translations(texts)
    game = load_with(lambda text: translations.get(normalize_text(text.text), text.text))
    return finish_translation(game, original, translations, table.source.text)


def finish_translation(game: Game, original: Game, texts: Mapping[str, str], table: str) -> Game:
    """Return a game with changed texts as a translation, with codes from the new titles of its cards."""
    from attrs import evolve

    from cardlang.english.control_characters import build_code_from_title
    from cardlang.model.game import Translation

    def finish_variant(variant: Variant, own: Variant) -> Game:
        return finish_translation(variant.game, own.game, texts, table)

    codes = [
        own.code.removesuffix(build_code_from_title(own.title)) + build_code_from_title(face.title)
        if own.code.endswith(build_code_from_title(own.title)) and build_code_from_title(face.title)
        else own.code
        for face, own in zip(game.faces, original.faces, strict=True)
    ]
    if len({*codes}) < len({face.code for face in original.faces}):
        codes = [face.code for face in original.faces]
    pairs = zip(game.variants, original.variants, strict=True)
    return evolve(
        game,
        faces=tuple(evolve(face, code=code) for face, code in zip(game.faces, codes, strict=True)),
        variants=tuple(evolve(each, make=partial(finish_variant, each, own)) for each, own in pairs),
        warnings=original.warnings,
        translation=Translation(original, texts, table),
    )


def collect_texts(load_with: Callable[[ChangeText], Game]) -> tuple[list[AuthorText], Game]:
    """Return the texts of a game, libraries included, and the game."""
    texts: list[AuthorText] = []

    def collect(text: AuthorText) -> str:
        texts.append(text)
        return text.text

    game = load_with(collect)
    return texts, game


def collect_file_texts(file: Path) -> tuple[list[AuthorText], Game]:
    """Return the texts of a game file and its rulebook, and the game."""
    from cardlang.diagnostics.source_limits import read_source
    from cardlang.rulebook.authored_rulebook.markdown_parser import (
        find_rules_file,
        list_translatable_texts,
        read_rules_file,
    )
    from cardlang.syntax.author_text_translation import HOLE, AuthorText

    source = read_source(file, str(file))
    texts, game = collect_texts(lambda change: check_game_source(source, file.parent, None, change=change))
    rulebook = read_rules_file(find_rules_file(game), game)
    for text, span in list_translatable_texts(rulebook) if rulebook else ():
        texts.append(AuthorText(text, "rulebook", span))
    return [text for text in texts if re.search(r"[^\W\d_]", HOLE.sub("", text.text))], game


def find_translations(file: Path) -> dict[str, Path]:
    """Return the files next to a game that are named like translations, by language."""
    from cardlang.syntax.author_text_translation import LANGUAGE

    paths = sorted(file.parent.glob(f"{escape(file.stem)}.*.csv"))
    found = {path.name[len(file.stem) + 1 : -len(".csv")]: path for path in paths}
    return {language: path for language, path in found.items() if LANGUAGE.fullmatch(language)}


def check_translations(file: Path) -> list[Diagnostic]:
    """Return the warnings about the translations of a game."""
    from attrs import evolve

    from cardlang.syntax.author_text_translation import report_unreadable_table

    findings: list[Diagnostic] = []
    if not (tables := find_translations(file)):
        return findings
    texts, game = collect_file_texts(file)
    for language, path in tables.items():
        try:
            hint = f"run `cardlang texts {file} --language {language}`, then fill in the rows"
            if path.name not in (source.name for source in game.sources):
                findings += check_translation(texts, read_translation(path), hint)
        except OSError as error:
            reason = f"cannot be read: {(error.strerror or str(error)).lower()}"
            findings.append(report_unreadable_table(path, reason))
        except GameError as error:
            findings += [evolve(finding, warning=True) for finding in error.diagnostics]
    return findings


def check_translation(texts: list[AuthorText], table: TranslationTable, hint: str) -> list[Diagnostic]:
    """Return the warnings about a translation. `hint`: what to do if it lacks texts."""
    table.select_translations(texts)
    table.compare_with_texts(texts, hint)
    return table.findings


# ---------------------------------------------------------------- checking
def check_game_source(
    source: Source,
    directory: Path | None,
    variant: str | None,
    examples: Source | None = None,
    library_texts: Mapping[str, str] | None = None,
    change: ChangeText | None = None,
) -> Game:
    """Resolve and check a game. `change`: replaces its texts."""
    from attrs import evolve

    from cardlang.diagnostics.deduplication import suppress_cascades, suppress_indentation_cascades
    from cardlang.semantics import resolve_game

    file, diagnostics = parse_source(source)
    if examples is not None:
        further, more = parse_source(examples)
        file = evolve(file, items=file.items + further.items, broken=file.broken | further.broken)
        diagnostics += more
    diagnostics = suppress_indentation_cascades(diagnostics)
    libraries = LibraryFinder(directory, library_texts or {}, change)
    file = libraries.complete_file(file)
    game, more = resolve_game(file, libraries.parse_library, variant, insert_text_values)
    diagnostics += libraries.diagnostics
    diagnostics += suppress_cascades(more, diagnostics)
    return check_resolved_game(game, diagnostics, file.span.source)


def load_variants(game: Game) -> Iterator[Game]:
    """Yield the games of the variants of a loaded game. Raise GameError if one has errors."""
    return (load_variant(game, variant) for variant in game.variants)


def load_variant(game: Game, variant: Variant) -> Game:
    """Check and return the game in a variant of a loaded game. Raise GameError if it has errors."""
    from cardlang.diagnostics.deduplication import suppress_cascades

    varied, found = None, []
    try:
        varied = variant.game
        found = list(varied.warnings)
    except GameError as error:
        found = list(error.diagnostics)
    return check_resolved_game(varied, suppress_cascades(found, []), game.sources[0])


def check_resolved_game(game: Game | None, diagnostics: list[Diagnostic], source: Source) -> Game:
    """Return a resolved game, with its warnings and those of `diagnostics`. Raise GameError if there is any error."""
    from attrs import evolve

    from cardlang.diagnostics.source_limits import limit_similar_diagnostics
    from cardlang.lint.static import check_game

    if game is not None and all(finding.warning for finding in diagnostics):
        diagnostics = diagnostics + check_game(game)
    diagnostics = sorted(diagnostics, key=lambda finding: (finding.span.source is not source, finding.span.start))
    diagnostics = limit_similar_diagnostics(diagnostics)
    if game is None or any(not finding.warning for finding in diagnostics):
        raise GameError(diagnostics)
    return evolve(game, warnings=tuple(diagnostics))


def insert_text_values(game: Game) -> Game:
    """Return the game with values inserted into its texts. The module for English is imported only if it is needed."""
    from cardlang.rulebook.condition_and_text_wording import render_game_texts

    return render_game_texts(game)


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


def is_game_up_to_date(game: Game, path: str | Path) -> bool:
    """Return whether the files of a game loaded from a path, libraries included, still have the same content."""
    from cardlang.diagnostics.source_limits import read_source

    file = find_game_file(path)
    game_source, *others = game.sources
    libraries = LibraryFinder(file.parent, {})
    now = [
        read_source(file, game_source.name),
        *(libraries.read_companion(source.name.removesuffix(".cardgame")) for source in others),
    ]
    return all(source is not None and source.text == old.text for source, old in zip(now, game.sources, strict=True))


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
