"""What the user means by FILE: a path, or the name of a game that comes with cardlang."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path

import click

import cardlang
from cardlang import writing
from cardlang.game import Game

SUFFIX = ".cardgame"
PARTS = re.compile(r"\A(?:\s|#.*)*+(?:library|example)\b")
"""How a file begins that is a part of games and none itself."""


def from_here(path: Path) -> Path:
    """The path as seen from the working folder, if it lies inside."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def find_game(name: str) -> Path:
    """The file that `name` means. Raises a usage error with the near miss if there is none."""
    path = from_here(cardlang.find(name))
    if path.is_file():
        return path
    if path.is_dir():
        raise click.UsageError(f"{name} is a folder, not a game file.")
    raise click.UsageError(f"There is no file {name}.{near_file(path)}")


def games_in(name: str) -> list[str]:
    """The games of a folder and of those inside it, or the one game that is meant. Raises UsageError if it has none."""
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    games = [str(path) for path in sorted(folder.rglob("*" + SUFFIX)) if not is_part(path)]
    if not games:
        raise click.UsageError(f"There is no game in {name}, that is, no {SUFFIX} file.")
    return games


def is_part(path: Path) -> bool:
    """Whether a file holds a library, or examples alone."""
    try:
        return PARTS.match(path.read_text(encoding="utf-8", errors="replace")) is not None
    except OSError:
        return False  # whoever opens it says why not


def near_file(path: Path) -> str:
    """` Did you mean …?` for a path that does not exist, or nothing."""
    try:
        beside = [str(path.with_name(other)) for other in os.listdir(path.parent) if other.endswith(SUFFIX)]
    except OSError:
        beside = []
    close = get_close_matches(str(path), [*cardlang.shipped(), *beside], 1, 0.7)
    return f" Did you mean {close[0]}?" if close else ""


def load_game(name: str, variant: str | None = None, extra: str | None = None) -> Game:
    """The checked game that `name` means, with the examples of the file `extra`. Raises GameError for a
    game at fault, a usage error for anything else."""
    path = find_game(name)
    more = None if extra is None else find_game(extra)
    try:
        game = cardlang.load(path, examples=more)
        return game if variant is None else cardlang.load(path, variant=known_variant(game, variant))
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {reason(error)}") from error


def known_variant(game: Game, variant: str) -> str:
    """The title of a variant as the game writes it. Raises a usage error with what there is."""
    titles = [each.title for each in game.variants]
    by_lower = {title.lower(): title for title in titles}
    if variant.lower() in by_lower:
        return by_lower[variant.lower()]
    if not titles:
        raise click.UsageError(f"{game.title} has no variants.")
    close = get_close_matches(variant.lower(), by_lower, 1, 0.6)
    meant = f" Did you mean “{by_lower[close[0]]}”?" if close else ""
    known = ", ".join(f"“{title}”" for title in titles)
    raise click.UsageError(f"{game.title} has no variant “{variant}”.{meant} It has {known}.")


def reason(error: OSError) -> str:
    """Why a file cannot be read or written, in words."""
    return f"{(error.strerror or str(error)).lower()}."


def write_text(path: Path, text: str) -> None:
    """Writes a file; raises a ClickException if that is not possible."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file, whole or not at all; raises a ClickException if that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device; a folder says that it is one
        else:
            writing.replace(path.resolve(), data)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {reason(error)}") from error
