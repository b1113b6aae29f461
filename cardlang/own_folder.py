"""Cache folder of the user that other users cannot write to.

Nothing is read from or written to places where other users can write. If the system cannot show the owner of a folder,
there is no cache folder."""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

HOUR = 3600
CHECKS_OWNERS = {os.open, os.mkdir, os.unlink, os.rename, os.stat} <= os.supports_dir_fd and hasattr(os, "geteuid")


def home() -> str:
    """Return the user's cache folder: `$XDG_CACHE_HOME` or ~/.cache. Raise FileNotFoundError if there is none.

    Only an absolute path counts. A relative path would depend on the working folder, which may hold another person's
    game."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    path = named if os.path.isabs(named) else os.path.expanduser("~/.cache")
    if not (CHECKS_OWNERS and os.path.isabs(path)):
        raise FileNotFoundError(path)
    return path


@contextmanager
def folder(*below: str) -> Iterator[int]:
    """Open cardlang's cache folder, or a subfolder, and create it if it is missing. Yield its file descriptor.

    All accesses use the descriptor, so the folder cannot be swapped in the meantime. Raise OSError if there is no
    trustworthy folder."""
    path = home()
    os.makedirs(path, 0o700, exist_ok=True)
    here = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        trust(here)
        for name in ("cardlang", *below):
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=here)
            above, here = here, os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(above)
            trust(here)
        yield here
    finally:
        os.close(here)


def trust(handle: int) -> os.stat_result:
    """Return the status of an open file or folder. Raise PermissionError if others own it or can write to it."""
    known = os.fstat(handle)
    if known.st_uid != os.geteuid() or known.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError
    return known


def opened(where: int, name: str) -> BinaryIO:
    """Open a file of the folder for reading. Raise OSError if it isn't a regular file of this user."""
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=where)
    file = os.fdopen(handle, "rb")
    try:
        if not stat.S_ISREG(trust(handle).st_mode):
            raise PermissionError
    except BaseException:
        file.close()
        raise
    return file


def write(where: int, name: str, content: bytes) -> None:
    """Write a file of the folder atomically. A kill leaves only a partial file with a different ending."""
    unfinished = f"{name.rpartition('.')[0]}.{secrets.token_hex(8)}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=where)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.rename(unfinished, name, src_dir_fd=where, dst_dir_fd=where)
    except BaseException:
        os.unlink(unfinished, dir_fd=where)
        raise


def forget_oldest(where: int, ours: re.Pattern[str], ending: str, most: int) -> None:
    """Delete surplus files whose names match `ours`: the oldest with the ending, and leftovers.

    Leftovers come from interrupted writes and earlier versions."""
    times: dict[str, float] = {}
    for name in filter(ours.fullmatch, os.listdir(where)):
        with suppress(FileNotFoundError):  # another process deleted it first
            times[name] = os.stat(name, dir_fd=where, follow_symlinks=False).st_mtime
    whole = sorted((name for name in times if name.endswith(ending)), key=times.__getitem__)
    left = [name for name in times if not name.endswith(ending) and not 0 <= time.time() - times[name] < HOUR]
    for name in [*whole[:-most], *left]:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=where)
