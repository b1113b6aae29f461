"""Libraries made of programs, kept in a folder of the user's cache that nobody else can write, so that each is made
once. What was altered since is made anew; where no such folder can be trusted, nothing is kept."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path

from cardlang.own_folder import folder, forget_oldest, home, opened, write

FOLDER = "native"
MOST = 100
"""How many are kept; the oldest go first."""
LARGEST = 64 * 1024 * 1024
NAME = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.so")
OURS = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{64}\.(so|[0-9a-f]{16})")


def key_of(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def find(key: str) -> Path | None:
    """Where the library kept under this key lies, if its owner is the user and its content is what was kept."""
    with suppress(OSError), folder(FOLDER) as here:
        for name in os.listdir(here):
            if name.startswith(key) and NAME.fullmatch(name) and digest(here, name) == name.split(".")[1]:
                return Path(home(), "cardlang", FOLDER, name)
    return None


def digest(here: int, name: str) -> str:
    """Of a file in the folder. Raises OSError if it is none of ours."""
    with opened(here, name) as file:
        return hashlib.sha256(file.read(LARGEST)).hexdigest()


def keep(key: str, library: Path) -> Path | None:
    """Keeps a library, as a whole or not at all; where it lies then. Two that do so at once do not disturb each
    other: what is there under its last name is whole."""
    try:
        content = library.read_bytes()
        with folder(FOLDER) as here:
            name = f"{key}.{hashlib.sha256(content).hexdigest()}.so"
            write(here, name, content)
            forget_oldest(here, OURS, ".so", MOST)
            return Path(home(), "cardlang", FOLDER, name)
    except OSError:
        return None
