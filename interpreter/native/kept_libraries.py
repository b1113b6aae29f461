"""Cache compiled libraries in a private folder of the user's cache.

An altered library is rebuilt. Without a trusted folder, nothing is cached."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path

from cardlang.own_folder import folder, forget_oldest, home, opened, write

FOLDER = "native"
MOST = 100
"""Maximum number of cached libraries; the oldest are deleted first."""
LARGEST = 64 * 1024 * 1024
NAME = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.so")
OURS = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.(so|[0-9a-f]{16})")


def key_of(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def find(key: str) -> Path | None:
    """Return the path of the cached library for a key, if the user owns it and its content is unchanged."""
    with suppress(OSError), folder(FOLDER) as here:
        for name in os.listdir(here):
            if name.startswith(key) and NAME.fullmatch(name) and digest(here, name) == name.split(".")[1]:
                return Path(home(), "cardlang", FOLDER, name)
    return None


def digest(here: int, name: str) -> str:
    """Return the digest of a file in the folder. Raise `OSError` if the file is not from this cache."""
    with opened(here, name) as file:
        return hashlib.sha256(file.read(LARGEST)).hexdigest()


def keep(key: str, library: Path) -> Path | None:
    """Store a library atomically, and return its path; None if that fails.

    Concurrent writers do not disturb each other: a file under its final name is complete."""
    try:
        content = library.read_bytes()
        with folder(FOLDER) as here:
            name = f"{key}.{hashlib.sha256(content).hexdigest()}.so"
            write(here, name, content)
            forget_oldest(here, OURS, ".so", MOST)
            return Path(home(), "cardlang", FOLDER, name)
    except OSError:
        return None
