"""Files read so that none holds up the reader: regular files alone, and no more of them than is asked for."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


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
