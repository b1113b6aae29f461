"""Automatically saved matches of the user.

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

from cardlang import storage
from cardlang.cli.match_options import BOT_KINDS, Seat
from cardlang.diagnostics import GameError
from cardlang.diagnostics.source_limits import read_source
from cardlang.storage import find_game_file
from interpreter.match.match import Match
from interpreter.match.match_record import MAX_LINE_BYTES
from interpreter.runtime.errors import RecordingError

MAX_FINISHED_RECORDS = 20
"""Number of finished matches to keep. The oldest are deleted first."""
RECORD_SUFFIX, SEATS_SUFFIX = ".record", ".seats"


@frozen
class SavedMatch:
    """Unfinished match that can be resumed.

    `last_played` is the time of the last choice, in seconds since 1970. `busy` means that another process plays it now.
    `game_file` is the path of the game, empty if unknown.
    """

    record: Path
    title: str
    variant: str
    seats: tuple[Seat, ...]
    last_played: float
    busy: bool = False
    game_file: str = ""


def get_matches_folder() -> Path:
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


def save_match(match: Match, seats: list[Seat]) -> Path | None:
    """Record a match from now on. Return None, and leave no files, if that is not possible."""
    try:
        fields = {
            "title": match.game.untranslated.title,
            "variant": match.game.variant or "",
            "seats": {seat.name: seat.kind for seat in seats},
            "file": str(find_game_file(match.game.sources[0].name).resolve()),
        }
        path = get_matches_folder() / f"{datetime.now():%Y-%m-%d-%H%M%S}-{token_hex(4)}{RECORD_SUFFIX}"
        match.record(path)
    except (OSError, RecordingError, RuntimeError):  # no home folder, disk space or permission
        return None
    try:
        storage.replace_file(path.with_suffix(SEATS_SUFFIX), json.dumps(fields).encode(), storage.PRIVATE_FILE_MODE)
    except OSError:
        match.close()
        path.unlink(missing_ok=True)
        return None
    return path


def delete_unneeded_match_files(match: Match, path: Path) -> None:
    """Clean up the files of a match that is over or never began, and delete the oldest finished records."""
    with suppress(OSError):
        if match.over or not match.choices:
            path.with_suffix(SEATS_SUFFIX).unlink(missing_ok=True)
        if not match.choices:
            path.unlink(missing_ok=True)
        over = sorted(
            record for record in path.parent.glob("*" + RECORD_SUFFIX) if not record.with_suffix(SEATS_SUFFIX).exists()
        )
        for record in over[:-MAX_FINISHED_RECORDS]:
            record.unlink(missing_ok=True)


def find_unfinished_matches() -> list[SavedMatch]:
    """Return the matches that can be resumed, the last played first."""
    try:
        matches = [read_saved_match(path) for path in get_matches_folder().glob("*" + SEATS_SUFFIX)]
    except (OSError, RuntimeError):
        return []
    return sorted((saved for saved in matches if saved is not None), key=lambda saved: -saved.last_played)


def read_saved_match(seats: Path) -> SavedMatch | None:
    """Read a seats file. Return None if its format is wrong or its record is missing."""
    record = seats.with_suffix(RECORD_SUFFIX)
    try:
        fields = json.loads(storage.read_file_start(seats, 100_000))
        names = [Seat(name, kind) for name, kind in fields["seats"].items() if kind in (*BOT_KINDS, "you")]
        file = fields.get("file", "")
        if not all(isinstance(text, str) for text in (fields["title"], fields["variant"], file)):
            return None
        played = storage.require_regular_file(record).stat().st_mtime  # opening a pipe would block
        return SavedMatch(
            record, fields["title"], fields["variant"], tuple(names), played, is_record_in_use(record), file
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def has_old_rules(saved: SavedMatch) -> bool:
    """Return whether the game file has changed since the match began. Return False if that is unknown."""
    try:
        header = json.loads(storage.read_file_start(saved.record, MAX_LINE_BYTES).partition(b"\n")[0])
        return bool(saved.game_file) and read_source(Path(saved.game_file)).text != header["files"][0]["text"]
    except (OSError, GameError, ValueError, TypeError, LookupError, RecursionError):
        return False


def is_record_in_use(record: Path) -> bool:
    """Return whether another process writes a record."""
    with FileIO(record) as file:
        try:
            storage.lock_file(file)
        except BlockingIOError:
            return True
    return False


def find_latest_record() -> Path | None:
    """Return the record of the match that was played last, finished or not."""
    with suppress(OSError, RuntimeError):
        records = list(get_matches_folder().glob("*" + RECORD_SUFFIX))
        return max(records, key=lambda path: path.stat().st_mtime, default=None)
    return None
