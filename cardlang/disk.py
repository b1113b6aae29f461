"""Safe file access.

Reading opens only regular files, up to a size limit, so it never blocks. Writing is atomic: a kill, a full disk or
another process never leaves a partial file."""

from __future__ import annotations

import errno
import os
import stat
import sys
from io import FileIO
from pathlib import Path
from secrets import token_hex
from typing import IO, BinaryIO

KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}
NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening files without blocking and without taking over a terminal."""
PRIVATE = 0o600
"""Mode of files that only their owner may read."""
PUBLIC = 0o666
"""Mode of other new files, before the user's mask applies."""
LOCKED = 1 << 30
"""Offset of the byte that is locked on behalf of a whole file. It is past any data."""


def a_file(path: Path) -> Path:
    """Return the path if it is a regular file, or a link to one. Raise OSError otherwise.

    Pipes and devices may be endless or block, and cannot be read twice."""
    check_kind(path, path)
    return path


def check_kind(file: int | Path, path: Path) -> None:
    """Raise OSError unless an open file, or the file at a path, is a regular file."""
    kind = stat.S_IFMT(os.stat(file).st_mode)
    if kind != stat.S_IFREG:
        raise OSError(errno.EINVAL, f"it is {KINDS.get(kind, 'something else')}, not a file", str(path))


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raise OSError otherwise, even if the file is replaced in the meantime."""
    file = os.fdopen(os.open(a_file(path), os.O_RDONLY | NO_WAIT), "rb")
    try:
        check_kind(file.fileno(), path)
    except BaseException:
        file.close()
        raise
    return file


def read_start(path: Path, most: int) -> bytes:
    """Return up to `most` bytes from the start of a file. Raise OSError, even for a special file without data yet."""
    with open_file(path) as file:
        data: bytes | None = file.read(most)
    if data is None:
        raise OSError(errno.EINVAL, "it has nothing to read yet, as a pipe", str(path))
    return data


def replace(path: Path, data: bytes, mode: int = PUBLIC) -> None:
    """Replace a file atomically. Raise OSError and leave everything unchanged if that fails.

    The file is new: an existing file or link is not written to."""
    part = path.parent / f".{token_hex(8)}.part"
    try:
        with open(os.open(part, CREATE, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # otherwise a power cut may keep the new name but lose the content
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
"""Flags that create a new file and fail if it exists."""


if sys.platform == "win32":
    import msvcrt

    def lock(file: IO[bytes] | FileIO) -> None:
        """Lock an open file for this process until it is closed or the process ends. Others can still read it.

        Raise BlockingIOError if another process has locked it."""
        at = file.tell()
        file.seek(LOCKED)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
        finally:
            file.seek(at)

else:
    import fcntl

    def lock(file: IO[bytes] | FileIO) -> None:
        """Lock an open file for this process until it is closed or the process ends. Others can still read it.

        Raise BlockingIOError if another process has locked it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return  # a file system without locks: matches there must stay playable
