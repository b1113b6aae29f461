"""Libraries made of programs, kept in a folder of the user's cache that nobody else can write, so that each is made
once. What was altered since is made anew; where no such folder can be trusted, nothing is kept."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cardlang.kept import folder, home, trust

FOLDER = "native"
MOST = 100
"""How many are kept; the oldest go first."""
LARGEST = 64 * 1024 * 1024
NAME = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.so")
OURS = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.(so|[0-9a-f]{16})")


def key_of(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


@contextmanager
def opened() -> Iterator[int]:
    """A handle of the folder. Raises OSError where there is none that can be trusted."""
    with folder() as above:
        with suppress(FileExistsError):
            os.mkdir(FOLDER, 0o700, dir_fd=above)
        here = os.open(FOLDER, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
        try:
            trust(here)
            yield here
        finally:
            os.close(here)


def find(key: str) -> Path | None:
    """Where the library kept under this key lies, if its owner is the user and its content is what was kept."""
    with suppress(OSError), opened() as here:
        for name in os.listdir(here):
            if name.startswith(key) and NAME.fullmatch(name) and digest(here, name) == name.split(".")[1]:
                return Path(home(), "cardlang", FOLDER, name)
    return None


def digest(here: int, name: str) -> str:
    """Of a file in the folder. Raises OSError if it is none of ours."""
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
    with os.fdopen(handle, "rb") as file:
        trust(handle)
        return hashlib.sha256(file.read(LARGEST)).hexdigest()


def keep(key: str, library: Path) -> Path | None:
    """Keeps a library, as a whole or not at all; where it lies then. Two that do so at once do not disturb each
    other: what is there under its last name is whole."""
    try:
        content = library.read_bytes()
        with opened() as here:
            name = f"{key}.{hashlib.sha256(content).hexdigest()}.so"
            write(here, name, content)
            forget_oldest(here)
            return Path(home(), "cardlang", FOLDER, name)
    except OSError:
        return None


def write(here: int, name: str, content: bytes) -> None:
    unfinished = f"{name.removesuffix('.so')}.{secrets.token_hex(8)}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=here)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.rename(unfinished, name, src_dir_fd=here, dst_dir_fd=here)
    except BaseException:
        os.unlink(unfinished, dir_fd=here)
        raise


def forget_oldest(here: int) -> None:
    times: dict[str, float] = {}
    for name in filter(OURS.fullmatch, os.listdir(here)):
        with suppress(FileNotFoundError):  # another process was quicker
            times[name] = os.stat(name, dir_fd=here, follow_symlinks=False).st_mtime
    for name in sorted(times, key=times.__getitem__)[:-MOST]:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=here)
