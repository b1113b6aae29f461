"""What the user means by FILE: a path, or the name of a game that comes with cardlang."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

import cardlang
from cardlang import disk
from cardlang.disk import read_start
from cardlang.limits import MAX_BYTES

if TYPE_CHECKING:
    from cardlang.game import Game

SUFFIX = ".cardgame"
PARTS = re.compile(r"\A(?:\s|#.*)*+(?:library|example)\b")
"""How a file begins that is a part of games and none itself."""


def from_here(path: Path) -> Path:
    """The path as seen from the working folder, if it lies inside."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):  # elsewhere; or the working folder is gone
        return path


def find_game(name: str) -> Path:
    """The file that `name` means. Raises a usage error with the near miss if there is none."""
    path = from_here(cardlang.find(name))
    if path.is_dir():
        raise click.UsageError(f"{name} is a folder, not a game file.")
    if path.exists():
        return path
    if name in cardlang.libraries():
        raise click.UsageError(f"{name} is a library, not a game; `cardlang show {name}` prints it.")
    raise click.UsageError(f"There is no file {name}.{near_file(path)}")


def find_source(name: str) -> Path:
    """The game or library file that `name` means: libraries that come with cardlang come after games. Raises a usage
    error as `find_game` does."""
    library = cardlang.libraries().get(name.removesuffix(SUFFIX))
    return find_game(name) if library is None or cardlang.find(name).exists() else library


def games_in(name: str) -> list[str]:
    """The games of a folder and of those inside it, or the one game that is meant. Raises UsageError if it has none."""
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    found = (path for path in sorted(folder.rglob("*" + SUFFIX)) if path.exists() and not path.is_dir())
    games = [str(path) for path in found if not is_part(path)]
    if not games:
        raise click.UsageError(f"There is no game in {name}, that is, no {SUFFIX} file.")
    return games


def is_part(path: Path) -> bool:
    """Whether a file holds a library, or examples alone."""
    try:
        return PARTS.match(read_start(path, MAX_BYTES).decode(errors="replace")) is not None
    except OSError:
        return False  # whoever opens it says why not


def near_file(path: Path) -> str:
    """` Did you mean …?` for a path that does not exist, or nothing."""
    try:
        beside = [str(path.with_name(other)) for other in os.listdir(path.parent) if other.endswith(SUFFIX)]
    except OSError:
        beside = []
    close = get_close_matches(str(path), [*cardlang.shipped(), *cardlang.libraries(), *beside], 1, 0.7)
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
        raise click.ClickException(f"{error.filename or path} cannot be read: {reason(error)}") from error


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


OURS = {
    "md": re.compile(rb"# .+\n\n(\*.+\*\n\n)?- "),
    "html": re.compile(rb"\s*<!DOCTYPE html>", re.IGNORECASE),
    "pdf": re.compile(rb"%PDF-"),
    "json": re.compile(rb'\{\s*(\}|"[0-9a-f]{16}": \{)'),
}
"""How a file begins that may be written again, by its format; none of any other format may."""


def check_target(path: Path, style: str | None = None) -> None:
    """Raises a ClickException where a file may not be written: over a link, which leads elsewhere; over a file that is
    not of this format (without one, over any); or, in a format, under the name of a game."""
    why = None
    if path.is_symlink() and (path.is_file() or not path.exists()):
        why = "is a link to somewhere else"
    elif style is not None and path.suffix.lower() == SUFFIX:
        why = "is the name of a game file"
    elif path.is_file() and not may_be_replaced(path, style):
        why = "exists already"
    if why is not None:
        what = f", not {style.upper()} that cardlang has written" if style and why == "exists already" else ""
        raise click.ClickException(f"{path} {why}{what}; it is left as it is. Name another place.")


def may_be_replaced(path: Path, style: str | None) -> bool:
    ours = OURS.get(style or "")
    start = read_start(path, MAX_BYTES)
    return ours is not None and (not start or ours.match(start) is not None)


def write_text(path: Path, text: str, style: str | None = None) -> None:
    """Writes a file as `write_bytes` does."""
    write_bytes(path, text.encode(), style)


def write_bytes(path: Path, data: bytes, style: str | None = None) -> None:
    """Writes a file of a format, whole or not at all, or to a pipe or a device. Raises a ClickException if that is not
    possible, or if something else lies there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_target(path, style)
        if path.is_fifo() or path.is_char_device():
            pass_on(path, data)
        else:
            disk.replace(path, data)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {reason(error)}") from error


def pass_on(path: Path, data: bytes) -> None:
    """Writes to a pipe that somebody reads, or to a device. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))  # waits for nobody
    with open(handle, "wb") as file:
        os.set_blocking(handle, True)
        file.write(data)
