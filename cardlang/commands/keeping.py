"""Matches kept without being asked: where they lie, and which of them can go on.

Each is a record, `NAME.record`, in a folder of the user's own; `NAME.seats` beside it says who sits where, and that the
match goes on: it is taken away when the match is over, and the record stays to be looked at."""

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

from cardlang import disk
from cardlang.commands.seats import BOTS, Seat
from interpreter.errors import RecordingError
from interpreter.matches.match import Match

FINISHED = 20
"""So many matches that are over are kept; the oldest go first."""
RECORD, SEATS = ".record", ".seats"


@frozen
class Kept:
    """A match that can go on. `played`: when the last choice was made, in seconds since 1970; `busy`: another process
    plays it now."""

    record: Path
    title: str
    variant: str
    seats: tuple[Seat, ...]
    played: float
    busy: bool = False


def folder() -> Path:
    """Where matches are kept: `cardlang/matches` in $XDG_DATA_HOME (a whole path) or ~/.local/share. Raises OSError
    where that cannot be made, or others could read or change what lies there."""
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
    """Records a match from now on. None, without more ado, where that is not possible: then nothing is left of it."""
    told = {"title": match.game.title, "variant": match.game.variant or "", "seats": {s.name: s.kind for s in seats}}
    try:
        path = folder() / f"{datetime.now():%Y-%m-%d-%H%M%S}-{token_hex(4)}{RECORD}"
        match.record(path)
    except (OSError, RecordingError, RuntimeError):  # no home, no room, no right
        return None
    try:
        disk.replace(path.with_suffix(SEATS), json.dumps(told).encode(), disk.PRIVATE)
    except OSError:
        match.close()
        path.unlink(missing_ok=True)
        return None
    return path


def leave(match: Match, path: Path) -> None:
    """Tidies up behind a match that is over, or has not begun."""
    with suppress(OSError):
        if match.over or not match.choices:
            path.with_suffix(SEATS).unlink(missing_ok=True)
        if not match.choices:
            path.unlink(missing_ok=True)
        over = sorted(each for each in path.parent.glob("*" + RECORD) if not each.with_suffix(SEATS).exists())
        for each in over[:-FINISHED]:
            each.unlink(missing_ok=True)


def going_on() -> list[Kept]:
    """The matches that can go on, the one played last first."""
    try:
        found = [kept_at(path) for path in folder().glob("*" + SEATS)]
    except (OSError, RuntimeError):
        return []
    return sorted((each for each in found if each is not None), key=lambda each: -each.played)


def kept_at(seats: Path) -> Kept | None:
    """What a file of seats tells; None if it is none, or its record is gone."""
    record = seats.with_suffix(RECORD)
    try:
        told = json.loads(disk.read_start(seats, 100_000))
        names = [Seat(name, kind) for name, kind in told["seats"].items() if kind in (*BOTS, "you")]
        if not all(isinstance(each, str) for each in (told["title"], told["variant"])):
            return None
        played = disk.a_file(record).stat().st_mtime  # to open a pipe would wait for ever
        return Kept(record, told["title"], told["variant"], tuple(names), played, is_busy(record))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def is_busy(record: Path) -> bool:
    """Whether another process writes a record."""
    with FileIO(record) as file:
        try:
            disk.lock(file)
        except BlockingIOError:
            return True
    return False


def latest() -> Path | None:
    """The record of the match that was played last, over or not."""
    with suppress(OSError, RuntimeError):
        records = list(folder().glob("*" + RECORD))
        return max(records, key=lambda path: path.stat().st_mtime, default=None)
    return None
