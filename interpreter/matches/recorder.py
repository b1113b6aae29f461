"""Write the record of a match.

Every line is written immediately and never changed. If the process is killed or the disk is full, at most the current
choice is lost. Two processes never write to one record.
"""

from __future__ import annotations

import gc
import json
import os
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from warnings import warn

from cardlang import disk
from interpreter.errors import RecordingError
from interpreter.matches.allowing import carry_out
from interpreter.matches.origin import Snapshot
from interpreter.matches.record import Entry, Loader, Record, Told, checksum, entry_about, header, read, replay_record

if TYPE_CHECKING:
    from interpreter.matches.match import Match

NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class Keeper(Protocol):
    """Interface of recorders. `Recorder` writes to a file."""

    def write(self, entry: Entry) -> None: ...
    def undo(self, count: int) -> None: ...
    def is_at(self, path: Path) -> bool: ...
    def close(self) -> None: ...


class Recorder:
    """Writer that appends to a record that this process has locked.

    `check`: checksum of the last line. `size`: number of bytes so far.
    """

    def __init__(self, path: Path, file: FileIO, check: str, size: int) -> None:
        self.path, self.file, self.check, self.size = path, file, check, size

    def write(self, entry: Entry) -> None:
        """Append a line. Raise `RecordingError` if it fails; then the record is unchanged."""
        line, check = with_check(entry, self.check)
        self.append(line)
        self.check = check

    def undo(self, count: int) -> None:
        """Record that `count` choices were undone."""
        self.write({"undo": count})

    def append(self, data: bytes) -> None:
        """Append bytes after the last complete line. An incomplete line is cut off first."""
        try:
            self.file.seek(self.size)
            self.file.truncate()
            rest = memoryview(data)
            while rest:
                rest = rest[self.file.write(rest) :]
        except OSError as error:
            self.cut()
            raise RecordingError(self.path, error) from error
        self.size += len(data)

    def cut(self) -> None:
        """Remove an incomplete line if possible. Otherwise readers ignore it."""
        try:
            self.file.truncate(self.size)
        except OSError:
            return

    def is_at(self, path: Path) -> bool:
        """Return whether this record is at a path."""
        try:
            return os.path.samestat(path.stat(), os.fstat(self.file.fileno()))
        except OSError:
            return False

    def close(self) -> None:
        self.file.close()


def with_check(entry: Entry, before: str) -> tuple[bytes, str]:
    """Return a line and its checksum."""
    check = checksum(before, entry)
    return f"{json.dumps({**entry, 'check': check}, ensure_ascii=False)}\n".encode(), check


def whole(match: Match) -> tuple[bytes, str]:
    """Return the record of a match so far and the checksum of its last line."""
    if isinstance(match.origin, Snapshot):
        raise ValueError("A sampled match cannot be recorded.")
    line, check = with_check(header(match), "")
    lines = [line]
    state = match.origin.state()
    for made in match.choices:
        line, check = with_check(entry_about(match, state, made), check)
        lines.append(line)
        carry_out(match.names, state, made)
    return b"".join(lines), check


def save(match: Match, path: Path) -> None:
    """Write a complete record. Raise `RecordingError` if it fails; then an existing file is unchanged."""
    data, _ = whole(match)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device; a folder raises an error
        else:
            put(path, data)
    except OSError as error:
        raise RecordingError(path, error) from error


def begin(match: Match, path: Path) -> Recorder:
    """Write the record of a match so far and return a recorder to continue it.

    Raise `RecordingError` if it fails; then an existing file is unchanged.
    """
    data, check = whole(match)
    try:
        file = created(path)
        if file is None:
            put(path, data)
            return Recorder(path, held(path), check, len(data))
    except OSError as error:
        raise RecordingError(path, error) from error
    recorder = Recorder(path, file, "", 0)
    try:
        recorder.append(data)
    except RecordingError:
        recorder.close()
        path.unlink(missing_ok=True)
        raise
    recorder.check = check
    return recorder


def go_on(path: Path, loads: Loader, told: Told = warn) -> Match:
    """Resume a match from its record. Further choices are appended.

    `loads` and `told`: as in `interpreter.matches.record.resumed`. Raise `RecordError` or `RecordingError`.
    """
    try:
        file = held(path)
    except OSError as error:
        raise RecordingError(path, error) from error
    try:
        record = read_from(file, path)
        if record.torn:
            told(record.warning())
        match = replay_record(record, loads)
    except BaseException:
        file.close()
        raise
    match.record_with(Recorder(path, file, record.check, record.size))
    return match


def read_from(file: FileIO, path: Path) -> Record:
    with open(file.fileno(), "rb", closefd=False) as buffered:
        return read(buffered, path)


# ---------------------------------------------------------------- one process for each record
def created(path: Path) -> FileIO | None:
    """Create and lock a file that only its owner can read; return None if the file exists."""
    try:
        file = FileIO(os.open(path, NEW, disk.PRIVATE), "r+")
    except FileExistsError:
        return None
    lock(file)
    return file


def lock(file: FileIO) -> None:
    """Lock a file with `disk.lock`. Garbage-collect unused matches of this process first if they hold the lock."""
    try:
        disk.lock(file)
    except BlockingIOError:
        gc.collect()
        disk.lock(file)


def held(path: Path) -> FileIO:
    """Open and lock a file for this process. Raise `OSError`, or `BlockingIOError` if another process has it."""
    if not path.is_file() and path.exists():
        raise OSError("it is not a file")
    file = FileIO(path, "r+")
    try:
        lock(file)
        if not os.path.samestat(path.stat(), os.fstat(file.fileno())):
            raise BlockingIOError  # another process has just put a record of its own here
    except BaseException:
        file.close()
        raise
    return file


def put(path: Path, data: bytes) -> None:
    """Replace a record that no process is writing, or create it."""
    if not path.exists():
        disk.replace(path, data, disk.PRIVATE)
        return
    with held(path) as before:
        if os.name == "nt":
            before.close()  # Windows does not replace open files
        disk.replace(path, data, disk.PRIVATE)
