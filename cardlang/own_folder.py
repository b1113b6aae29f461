"""A folder of the user's cache that nobody else can write: what can be made again is kept there between runs.

Nothing is read or written where anybody else could have written; where the system cannot tell whose a folder is, there
is none."""

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
    """The user's cache folder, `$XDG_CACHE_HOME` or ~/.cache. Only a whole path counts: one that goes on from the
    working folder would lie wherever somebody has put a game. Raises FileNotFoundError if there is none."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    path = named if os.path.isabs(named) else os.path.expanduser("~/.cache")
    if not (CHECKS_OWNERS and os.path.isabs(path)):
        raise FileNotFoundError(path)
    return path


@contextmanager
def folder(*below: str) -> Iterator[int]:
    """A handle of cardlang's folder in the cache, or of one below it, which is made if it is not there. All that is
    done there is done by this handle, so that no other folder can be put in its place meanwhile. Raises OSError where
    there is none that can be trusted."""
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
    """What is known about an open file or folder. Raises PermissionError if others own it or may write it."""
    known = os.fstat(handle)
    if known.st_uid != os.geteuid() or known.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError
    return known


def opened(where: int, name: str) -> BinaryIO:
    """A file of the folder, for reading. Raises OSError if it is no plain file of ours."""
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
    """Puts a file into the folder, or leaves it as it was. What a kill leaves there has another ending."""
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
    """Of the files whose names are `ours`, takes away what is too much: the oldest of those with the ending, and
    whatever an end in the middle of writing, or an earlier version, has left."""
    times: dict[str, float] = {}
    for name in filter(ours.fullmatch, os.listdir(where)):
        with suppress(FileNotFoundError):  # another process was quicker
            times[name] = os.stat(name, dir_fd=where, follow_symlinks=False).st_mtime
    whole = sorted((name for name in times if name.endswith(ending)), key=times.__getitem__)
    left = [name for name in times if not name.endswith(ending) and not 0 <= time.time() - times[name] < HOUR]
    for name in [*whole[:-most], *left]:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=where)
