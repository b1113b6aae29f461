"""Loader of game files: parse, resolve and check a game with its libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cardlang.diagnostics import Diagnostic, GameError, Source
from cardlang.game_files import LibraryFinder, parse_source
from cardlang.game_translation import (
    check_translation,
    collect_texts,
    find_translation_file,
    find_translations,
    read_translation,
    translate_game,
)
from cardlang.storage import find_game_file

if TYPE_CHECKING:
    from cardlang.model import Game, Variant
    from cardlang.syntax.author_text_translation import AuthorText, ChangeText


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

    from cardlang.diagnostics.deduplication import (
        replaces_repair,
        suppress_cascades,
        suppress_indentation_cascades,
    )
    from cardlang.semantics import resolve_game

    file, diagnostics = parse_source(source)
    if examples is not None:
        further, more = parse_source(examples)
        file = file.replace(items=file.items + further.items, broken=file.broken | further.broken)
        diagnostics += more
    diagnostics = suppress_indentation_cascades(diagnostics)
    libraries = LibraryFinder(directory, library_texts or {}, change)
    file = libraries.complete_file(file)
    game, more = resolve_game(file, libraries.parse_library, variant, insert_text_values)
    diagnostics += libraries.diagnostics
    more = suppress_cascades(more, diagnostics)
    diagnostics = [each for each in diagnostics if not any(replaces_repair(other, each) for other in more)] + more
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

    from cardlang.diagnostics.source_limits import limit_similar_diagnostics
    from cardlang.lint.static import check_game

    if game is not None and all(finding.warning for finding in diagnostics):
        diagnostics = diagnostics + check_game(game)
    diagnostics = sorted(diagnostics, key=lambda finding: (finding.span.source is not source, finding.span.start))
    diagnostics = limit_similar_diagnostics(diagnostics)
    if game is None or any(not finding.warning for finding in diagnostics):
        raise GameError(diagnostics)
    return game.replace(warnings=tuple(diagnostics))


def insert_text_values(game: Game) -> Game:
    """Return the game with values inserted into its texts. The module for English is imported only if it is needed."""
    from cardlang.rulebook.condition_and_text_wording import render_game_texts

    return render_game_texts(game)


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
