"""Files read and written with care: none that is read holds up the reader (regular files alone, and no more of them
than is asked for), and a kill, a full disk or another process never leaves half of one that is written."""

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
"""Opens nothing that keeps one waiting, and takes no terminal over."""
PRIVATE = 0o600
"""The mode of a file that only its owner may read."""
PUBLIC = 0o666
"""The mode of other new files, less what the user's mask takes away."""
LOCKED = 1 << 30
"""Where the byte lies that stands for a whole file that is locked: behind all that is ever written."""


def a_file(path: Path) -> Path:
    """Return the path if a file is there, or a link to one. Raises OSError. Pipes and devices may have no end, or wait
    for ever for a beginning, and what is read of them cannot be read again."""
    check_kind(path, path)
    return path


def check_kind(file: int | Path, path: Path) -> None:
    """Raise OSError unless an open file, or what is at a path, is a regular file."""
    kind = stat.S_IFMT(os.stat(file).st_mode)
    if kind != stat.S_IFREG:
        raise OSError(errno.EINVAL, f"it is {KINDS.get(kind, 'something else')}, not a file", str(path))


def open_file(path: Path) -> BinaryIO:
    """Open a regular file to read it. Raises OSError. What took its place meanwhile is not waited for either."""
    file = os.fdopen(os.open(a_file(path), os.O_RDONLY | NO_WAIT), "rb")
    try:
        check_kind(file.fileno(), path)
    except BaseException:
        file.close()
        raise
    return file


def read_start(path: Path, most: int) -> bytes:
    """Return the first bytes of a file, at most so many. Raises OSError, also for one of the system's that has no
    bytes yet."""
    with open_file(path) as file:
        data: bytes | None = file.read(most)
    if data is None:
        raise OSError(errno.EINVAL, "it has nothing to read yet, as a pipe", str(path))
    return data


def replace(path: Path, data: bytes, mode: int = PUBLIC) -> None:
    """Puts a file with this content in place of what was there, or leaves all as it was. The file is new: what was
    there, a link too, is not written to. Raises OSError."""
    part = path.parent / f".{token_hex(8)}.part"
    try:
        with open(os.open(part, CREATE, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave the new name and not what it stands for
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
"""A file that nobody else has made."""


if sys.platform == "win32":
    import msvcrt

    def lock(file: IO[bytes] | FileIO) -> None:
        """Keeps an open file to this process until it is closed, also by a kill; others can read it. Raises
        BlockingIOError if another process has it."""
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
        """Keeps an open file to this process until it is closed, also by a kill; others can read it. Raises
        BlockingIOError if another process has it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return  # a file system without locks: a match there must be playable, too
