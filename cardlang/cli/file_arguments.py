"""File arguments: paths, bundled games and output files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import loader, storage
from cardlang.diagnostics.source_limits import MAX_BYTES
from cardlang.english.control_characters import GENERATED_FILE_MARK
from cardlang.game_translation import find_translation_file
from cardlang.storage import GAME_SUFFIX, read_file_start

if TYPE_CHECKING:
    from cardlang.model import Game, Variant


COMPANION_SUFFIXES = {
    **dict.fromkeys(storage.SPREADSHEET_SUFFIXES, "a spreadsheet"),
    ".toml": "a theme",
    ".md": "a rulebook",
}
"""Suffixes of files that games read."""
NON_GAME_PATTERN = re.compile(r"\A(?:\s|#.*)*+(?:library|example)\b")
"""Start of a file with a library or only examples, which is not a game."""


def shorten_path(path: Path) -> Path:
    """Return the path relative to the working folder if it is inside."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):  # the path is outside, or the working folder is gone
        return path


def require_game_file(name: str) -> Path:
    """Return the game file for a path or a bundled name. Raise a usage error with the closest name if there is none."""
    path = shorten_path(storage.find_game_file(name))
    if path.is_dir():
        raise click.UsageError(f"{name} is a folder, not a game file.")
    if (kind := COMPANION_SUFFIXES.get(path.suffix.lower())) is not None:
        raise click.UsageError(f"{name} is {kind}, not a game. Name the game that reads it{list_its_games(path)}.")
    if path.exists():
        return path
    if name in storage.find_bundled_libraries():
        raise click.UsageError(f"{name} is a library, not a game. To print it, run `cardlang show {name}`.")
    raise click.UsageError(f"There is no file {name}.{suggest_file(path)}")


def list_its_games(path: Path) -> str:
    """Return the games next to a file that name it, or have its name; empty if there are none."""
    games = filter_game_files(path.parent.glob("*" + GAME_SUFFIX))
    texts = {game: read_file_start(game, MAX_BYTES).decode(errors="replace") for game in games}
    found = [str(game) for game in games if f'"{path.name}"' in texts[game] or path.name.startswith(f"{game.stem}.")]
    return f": {' or '.join(found)}" if found else ""


def find_source_file(name: str) -> Path:
    """Return the game or library file for a path or a bundled name.

    Games take precedence over bundled libraries. Raise a usage error like `require_game_file`.
    """
    library = storage.find_bundled_libraries().get(name.removesuffix(GAME_SUFFIX))
    return require_game_file(name) if library is None or storage.find_game_file(name).exists() else library


def list_games_in(name: str) -> list[str]:
    """Return the games of a folder and its subfolders, or the single name if it is not a folder.

    Raise `UsageError` if the folder has no games.
    """
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    games = [str(path) for path in filter_game_files(folder.rglob("*" + GAME_SUFFIX))]
    if not games:
        raise click.UsageError(f"{name} has no game: no {GAME_SUFFIX} file.")
    return games


def list_games_here() -> list[Path]:
    """Return the games of the working folder, without subfolders."""
    return filter_game_files(Path().glob("*" + GAME_SUFFIX))


def filter_game_files(paths: Iterable[Path]) -> list[Path]:
    """Return the existing files that contain games, in alphabetical order."""
    return [path for path in sorted(paths) if path.exists() and not path.is_dir() and not is_library_or_examples(path)]


def is_library_or_examples(path: Path) -> bool:
    """Return whether a file contains a library or only examples."""
    try:
        return NON_GAME_PATTERN.match(read_file_start(path, MAX_BYTES).decode(errors="replace")) is not None
    except OSError:
        return False  # opening it later reports the reason


def suggest_file(path: Path) -> str:
    """Return ` Did you mean …?` for a path that does not exist, or an empty string."""
    try:
        neighbours = [str(path.with_name(other)) for other in os.listdir(path.parent) if other.endswith(GAME_SUFFIX)]
    except OSError:
        neighbours = []
    known = {name: name for name in (*cardlang.shipped(), *storage.find_bundled_libraries(), *neighbours)}
    if path.suffix != GAME_SUFFIX:
        known = {neighbour.removesuffix(GAME_SUFFIX): neighbour for neighbour in neighbours} | known
    close = get_close_matches(str(path), known, 1, 0.7)
    return f" Did you mean {known[close[0]]}?" if close else ""


def load_game(name: str, variant: str | None = None, extra: str | None = None, language: str | None = None) -> Game:
    """Load and check a game, with the examples of the file `extra` and the texts of a language.

    Raise `GameError` if the game has errors, and a usage error or `ClickException` for any other problem.
    """
    path = require_game_file(name)
    more = None if extra is None else require_game_file(extra)
    if language is not None and not find_translation_file(path, language).exists():
        file = find_translation_file(path, language)
        raise click.UsageError(f"There is no file {file}. Make it: cardlang texts {name} --language {language}")
    try:
        game = cardlang.load(path, examples=more, language=language)
        return game if variant is None else loader.load_variant(game, find_variant(game, variant))
    except OSError as error:
        raise click.ClickException(f"{error.filename or path} cannot be read: {format_os_error(error)}") from error


def find_variant(game: Game, title: str) -> Variant:
    """Return a variant by its title, in upper or lower case. Raise a usage error that lists the variants."""
    titles = [declared.title for declared in game.variants]
    by_lower = {declared.title.lower(): declared for declared in game.variants}
    if title.lower() in by_lower:
        return by_lower[title.lower()]
    if not titles:
        raise click.UsageError(f"{game.title} has no variants.")
    close = get_close_matches(title.lower(), by_lower, 1, 0.6)
    meant = f" Did you mean “{by_lower[close[0]].title}”?" if close else ""
    known = ", ".join(f"“{each}”" for each in titles)
    raise click.UsageError(f"{game.title} has no variant “{title}”.{meant} It has {known}.")


def format_os_error(error: OSError) -> str:
    """Return the message of a file error, in lower case with a full stop."""
    return f"{(error.strerror or str(error)).lower()}."


@contextmanager
def report_os_error(problem: str, hint: str = "") -> Iterator[None]:
    """Turn a file error into a `ClickException` with the problem, its reason and a hint."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{problem}: {format_os_error(error)}{hint and f' {hint}'}") from error


MAX_MARKED_BYTES = 1 << 27
"""Maximum number of bytes read from an existing file to find the mark."""
MARK_PATTERNS = {
    "md": re.compile(rb"<!-- " + GENERATED_FILE_MARK.encode() + rb"\. -->\s*\Z"),
    "html": re.compile(rb"<!-- " + GENERATED_FILE_MARK.encode() + rb"\. -->\s*\Z"),
    "pdf": re.compile(rb"<pdf:Keywords>" + GENERATED_FILE_MARK.encode() + rb"</pdf:Keywords>"),
    "pcio": re.compile(GENERATED_FILE_MARK.encode() + rb"\Z"),
    "png": re.compile(rb"tEXtSoftware\0" + GENERATED_FILE_MARK.encode()),
    "json": re.compile(
        rb'\A\{\s*(\}|"[0-9a-f]{16}": \{|"SaveName": .*,\n  "Note": "' + GENERATED_FILE_MARK.encode() + rb'")'
    ),
}
"""Patterns by format of the mark in a file that cardlang wrote and may replace.

Files of other formats are never replaced. Counts of odds need no mark, because their keys are fingerprints of rankings.
"""


def check_output_path(path: Path, style: str | None = None, force: bool = False) -> None:
    """Raise a ClickException if a file may not be written to `path`.

    Links, which lead elsewhere, are refused. With a `style`, the name of a game file is refused. An existing file is
    refused unless cardlang wrote it in this style, or `force` allows replacing it.
    """
    why = None
    if path.is_symlink() and (path.is_file() or not path.exists()):
        why = "is a link to another place"
    elif style is not None and path.suffix.lower() == GAME_SUFFIX:
        why = "has the name of a game file"
    elif path.is_file() and not (force or is_replaceable(path, style)):
        why = "exists already"
    if why is None:
        return
    cure = "Choose another file or folder."
    if why == "exists already" and style in MARK_PATTERNS:
        why = f"was not written by cardlang as {style.upper()}"
        cure = "Choose another file, or add --force to replace this one."
    raise click.ClickException(f"{path} {why}. Nothing was written. {cure}")


def is_replaceable(path: Path, style: str | None) -> bool:
    if style not in MARK_PATTERNS:
        return False
    data = read_file_start(path, MAX_MARKED_BYTES)
    return not data or MARK_PATTERNS[style].search(data) is not None


def write_text(path: Path, text: str, style: str | None = None, force: bool = False) -> None:
    """Write a text file like `write_bytes`."""
    write_bytes(path, text.encode(), style, force)


def write_bytes(path: Path, data: bytes, style: str | None = None, force: bool = False) -> None:
    """Write a file of a format, whole or not at all, or write to a pipe or a device.

    Raise a ClickException if the file cannot be written or `check_output_path` refuses it.
    """
    with report_os_error(f"{path} cannot be written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        check_output_path(path, style, force)
        if style in ("md", "html"):  # PDF carries the mark in its metadata
            data += f"\n<!-- {GENERATED_FILE_MARK}. -->\n".encode()
        if path.is_fifo() or path.is_char_device():
            write_to_pipe(path, data)
        else:
            storage.replace_file(path, data)


def write_to_pipe(path: Path, data: bytes) -> None:
    """Write to a pipe that has a reader, or to a device. Raise `OSError`."""
    handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))  # doesn't wait for a reader
    with open(handle, "wb") as file:
        os.set_blocking(handle, True)
        file.write(data)


def format_game_title(game: Game, separator: str = ": ") -> str:
    """Return the title of a game and, after the separator, that of its variant."""
    return game.title if game.variant is None else f"{game.title}{separator}{game.variant}"
