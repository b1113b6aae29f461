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
from typing import IO

KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}
PRIVATE = 0o600
"""The mode of a file that only its owner may read."""
PUBLIC = 0o666
"""The mode of other new files, less what the user's mask takes away."""
LOCKED = 1 << 30
"""Where the byte lies that stands for a whole file that is locked: behind all that is ever written."""


def a_file(path: Path) -> Path:
    """The path, if a file lies there, or a link to one. Raises OSError. Pipes and devices may have no end, or wait for
    ever for a beginning, and what is read of them cannot be read again."""
    kind = stat.S_IFMT(path.stat().st_mode)
    if kind != stat.S_IFREG:
        raise OSError(errno.EINVAL, f"it is {KINDS.get(kind, 'something else')}, not a file", str(path))
    return path


def read_start(path: Path, most: int) -> bytes:
    """What a file begins with, so many bytes at most. Raises OSError."""
    with a_file(path).open("rb") as file:
        return file.read(most)


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
