"""Automatically saved matches.

Each match is a record, `NAME.record`, in a private folder of the user. `NAME.seats` next to it lists the seats and
marks the match as unfinished. It is deleted when the match ends, and the record stays for `replay`.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from datetime import datetime
from io import FileIO
from pathlib import Path
from secrets import token_hex

from attrs import frozen

from cardlang import disk, find
from cardlang.commands.seats import BOTS, Seat
from cardlang.limits import read_source
from cardlang.source import GameError
from interpreter.errors import RecordingError
from interpreter.matches.match import Match
from interpreter.matches.record import MAX_LINE

FINISHED = 20
"""Number of finished matches to keep. The oldest are deleted first."""
RECORD, SEATS = ".record", ".seats"


@frozen
class Kept:
    """Unfinished match that can be resumed.

    `played` is the time of the last choice, in seconds since 1970. `busy` means that another process plays it now.
    `file` is the path of the game, empty if unknown.
    """

    record: Path
    title: str
    variant: str
    seats: tuple[Seat, ...]
    played: float
    busy: bool = False
    file: str = ""


def folder() -> Path:
    """Return the folder of saved matches, and create it if needed.

    It is `cardlang/matches` in $XDG_DATA_HOME (an absolute path) or in ~/.local/share. Raise `OSError` if it cannot be
    created, or if other users could read or change it.
    """
    named = os.environ.get("XDG_DATA_HOME", "")
    home = Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"
    path = home / "cardlang" / "matches"
    path.mkdir(0o700, parents=True, exist_ok=True)
    known = path.lstat()
    mine = not hasattr(os, "geteuid") or (known.st_uid == os.geteuid() and not known.st_mode & 0o077)
    if not stat.S_ISDIR(known.st_mode) or not mine:
        raise PermissionError(13, "other users can read this folder", str(path))
    return path


def keep(match: Match, seats: list[Seat]) -> Path | None:
    """Record a match from now on. Return None, and leave no files, if that is not possible."""
    try:
        told = {
            "title": match.game.title,
            "variant": match.game.variant or "",
            "seats": {seat.name: seat.kind for seat in seats},
            "file": str(find(match.game.sources[0].name).resolve()),
        }
        path = folder() / f"{datetime.now():%Y-%m-%d-%H%M%S}-{token_hex(4)}{RECORD}"
        match.record(path)
    except (OSError, RecordingError, RuntimeError):  # no home folder, disk space or permission
        return None
    try:
        disk.replace(path.with_suffix(SEATS), json.dumps(told).encode(), disk.PRIVATE)
    except OSError:
        match.close()
        path.unlink(missing_ok=True)
        return None
    return path


def leave(match: Match, path: Path) -> None:
    """Clean up the files of a match that is over or never began, and delete the oldest finished records."""
    with suppress(OSError):
        if match.over or not match.choices:
            path.with_suffix(SEATS).unlink(missing_ok=True)
        if not match.choices:
            path.unlink(missing_ok=True)
        over = sorted(each for each in path.parent.glob("*" + RECORD) if not each.with_suffix(SEATS).exists())
        for each in over[:-FINISHED]:
            each.unlink(missing_ok=True)


def going_on() -> list[Kept]:
    """Return the matches that can be resumed, the last played first."""
    try:
        found = [kept_at(path) for path in folder().glob("*" + SEATS)]
    except (OSError, RuntimeError):
        return []
    return sorted((each for each in found if each is not None), key=lambda each: -each.played)


def kept_at(seats: Path) -> Kept | None:
    """Read a seats file. Return None if its format is wrong or its record is missing."""
    record = seats.with_suffix(RECORD)
    try:
        told = json.loads(disk.read_start(seats, 100_000))
        names = [Seat(name, kind) for name, kind in told["seats"].items() if kind in (*BOTS, "you")]
        file = told.get("file", "")
        if not all(isinstance(each, str) for each in (told["title"], told["variant"], file)):
            return None
        played = disk.a_file(record).stat().st_mtime  # opening a pipe would block
        return Kept(record, told["title"], told["variant"], tuple(names), played, is_busy(record), file)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def has_old_rules(kept: Kept) -> bool:
    """Return whether the game file has changed since the match began. Return False if that is unknown."""
    try:
        header = json.loads(disk.read_start(kept.record, MAX_LINE).partition(b"\n")[0])
        return bool(kept.file) and read_source(Path(kept.file)).text != header["files"][0]["text"]
    except (OSError, GameError, ValueError, TypeError, LookupError, RecursionError):
        return False


def is_busy(record: Path) -> bool:
    """Return whether another process writes a record."""
    with FileIO(record) as file:
        try:
            disk.lock(file)
        except BlockingIOError:
            return True
    return False


def latest() -> Path | None:
    """Return the record of the match that was played last, finished or not."""
    with suppress(OSError, RuntimeError):
        records = list(folder().glob("*" + RECORD))
        return max(records, key=lambda path: path.stat().st_mtime, default=None)
    return None
