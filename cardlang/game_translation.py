"""Translations of a game: their files next to it, and the game with its texts in another language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from cardlang.diagnostics import Diagnostic, GameError
from cardlang.storage import shipped

if TYPE_CHECKING:
    from cardlang.model import Game, Variant
    from cardlang.syntax.author_text_translation import AuthorText, ChangeText, TranslationTable

LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
"""Code of a language, as in `NAME.pt-BR.csv`."""


def find_translation_file(file: Path, language: str) -> Path:
    """Return the path of the translation of a game: next to it, or for a bundled game in the working folder."""
    path = file.with_suffix(f".{language}.csv")
    return Path(path.name) if file in shipped().values() and not path.exists() else path


def find_translations(file: Path) -> dict[str, Path]:
    """Return the files next to a game that are named like translations, by language."""
    paths = sorted(file.parent.glob(f"{escape(file.stem)}.*.csv"))
    found = {path.name[len(file.stem) + 1 : -len(".csv")]: path for path in paths}
    return {language: path for language, path in found.items() if LANGUAGE.fullmatch(language)}


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
    return game.replace(
        faces=tuple(face.replace(code=code) for face, code in zip(game.faces, codes, strict=True)),
        variants=tuple(each.replace(make=partial(finish_variant, each, own)) for each, own in pairs),
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


def check_translation(texts: list[AuthorText], table: TranslationTable, hint: str) -> list[Diagnostic]:
    """Return the warnings about a translation. `hint`: what to do if it lacks texts."""
    table.select_translations(texts)
    table.compare_with_texts(texts, hint)
    return table.findings
