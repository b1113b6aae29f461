"""What was found out about files, kept between runs: to read a long file costs more than all the rest of `check`.

What is kept lies in the user's own cache folder and may be thrown away at any time. It is plain data (JSON behind its
checksum), never code, and whoever asks for it checks its form: what has the wrong one counts as not kept. Nothing is
read or written where anybody else could have written: where the system cannot tell whose a folder is, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]

MOST = 200
"""How many files are kept; the oldest go first."""
LARGEST = 4 * 1024 * 1024
"""Bytes of a file; what needs more is not kept."""
HOUR = 3600
ENDING = ".kept"
OURS = re.compile(r"[0-9a-f]{64}\.\w+|__jinja2_[0-9a-f]+\.cache")
"""The files that cardlang puts, or once put, into its folder."""
CHECKS_OWNERS = {os.open, os.mkdir, os.unlink, os.rename, os.stat} <= os.supports_dir_fd and hasattr(os, "geteuid")


def find(*key: str) -> Plain:
    """What was kept under these words; None if nothing was, or if it cannot be trusted or read any more."""
    try:
        with folder() as where, closing(opened(where, name_of(key))) as file:
            checksum, _, text = file.read(LARGEST + 1).partition(b"\n")
        found: Plain = json.loads(text) if hashlib.sha256(text).hexdigest().encode() == checksum else None
        return found
    except (OSError, ValueError, RecursionError, MemoryError):
        return None


def keep(value: Plain, *key: str) -> None:
    """Keeps a value under these words, where there is a folder for it: as a whole or not at all."""
    with suppress(OSError, ValueError, RecursionError):  # a full disk; a value too deep, or not text in UTF-8
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
        if len(text) < LARGEST - 100:
            with folder() as where:
                write(where, name_of(key), hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
                forget_oldest(where)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def name_of(key: tuple[str, ...]) -> str:
    return digest(version() + "".join(map(digest, key))) + ENDING


@cache
def version() -> str:
    """Which package and which parser these are on this machine, and which Python."""
    lark = find_spec("lark")
    return "\n".join([sys.version, code_of(str(Path(__file__).parent)), code_of(lark.origin or "") if lark else ""])


def code_of(package: str) -> str:
    """Which programs lie in a folder, or which one is at a path: their names, sizes and times, without reading them."""
    found = []
    folders = [package]
    while folders:
        path = folders.pop()
        if os.path.isdir(path):
            folders += [each.path for each in os.scandir(path) if each.name.endswith((".py", ".lark")) or each.is_dir()]
        elif path:
            with suppress(FileNotFoundError):  # the mark of an editor, that leads nowhere
                known = os.stat(path)
                found.append(f"{path} {known.st_size} {known.st_mtime_ns} {known.st_ctime_ns}")
    return "\n".join(sorted(found))


# ---------------------------------------------------------------- a folder that nobody else can write
def home() -> str:
    """The user's cache folder, `$XDG_CACHE_HOME` or ~/.cache. Only a whole path counts: one that goes on from the
    working folder would lie wherever somebody has put a game. Raises FileNotFoundError if there is none."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    path = named if os.path.isabs(named) else os.path.expanduser("~/.cache")
    if not (CHECKS_OWNERS and os.path.isabs(path)):
        raise FileNotFoundError(path)
    return path


@contextmanager
def folder() -> Iterator[int]:
    """A handle of the folder for what is kept, which is made if it is not there. All that is done there is done by
    this handle, so that no other folder can be put in its place meanwhile. Raises OSError where there is none that
    can be trusted."""
    path = home()
    os.makedirs(path, 0o700, exist_ok=True)
    above = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        trust(above)
        with suppress(FileExistsError):
            os.mkdir("cardlang", 0o700, dir_fd=above)
        here = os.open("cardlang", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
    finally:
        os.close(above)
    try:
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
    """Puts a file into the folder, or leaves it as it was."""
    unfinished = f"{name.removesuffix(ENDING)}.{secrets.token_hex(8)}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=where)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.rename(unfinished, name, src_dir_fd=where, dst_dir_fd=where)
    except BaseException:
        os.unlink(unfinished, dir_fd=where)
        raise


def forget_oldest(where: int) -> None:
    """Takes away what is too much: the oldest files, and whatever an end in the middle of writing, or an earlier
    version, has left."""
    times: dict[str, float] = {}
    for name in filter(OURS.fullmatch, os.listdir(where)):
        with suppress(FileNotFoundError):  # another process was quicker
            times[name] = os.stat(name, dir_fd=where, follow_symlinks=False).st_mtime
    whole = sorted((name for name in times if name.endswith(ENDING)), key=times.__getitem__)
    left = [name for name in times if not name.endswith(ENDING) and not 0 <= time.time() - times[name] < HOUR]
    for name in [*whole[:-MOST], *left]:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=where)
