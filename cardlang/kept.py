"""On-disk cache of results about files. Parsing a long file takes most of the time of `check`.

The cache is in the user's cache folder and can be deleted at any time. Entries are plain data (JSON with a checksum),
never code. Callers check the structure, and treat a malformed entry as missing. Nothing is read from or written to
places where other users can write. If the system cannot show the owner of a folder, there is no cache."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from contextlib import closing, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cardlang.own_folder import folder, forget_oldest, opened, write

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]

MOST = 200
"""Maximum number of cached entries. The oldest are deleted first."""
LARGEST = 4 * 1024 * 1024
"""Maximum size of an entry in bytes. Larger ones are not cached."""
ENDING = ".kept"
OURS = re.compile(r"[0-9a-f]{64}\.\w+|__jinja2_[0-9a-f]+\.cache")
"""Names of files that this or an earlier version of cardlang puts into its folder."""


def find(*key: str) -> Plain:
    """Return the value cached under a key. Return None if there is none, or if it cannot be trusted or read."""
    try:
        with folder() as where, closing(opened(where, name_of(key))) as file:
            checksum, _, text = file.read(LARGEST + 1).partition(b"\n")
        found: Plain = json.loads(text) if hashlib.sha256(text).hexdigest().encode() == checksum else None
        return found
    except (OSError, ValueError, RecursionError, MemoryError):
        return None


def keep(value: Plain, *key: str) -> None:
    """Cache a value under a key, if there is a cache folder. The write is atomic."""
    with suppress(OSError, ValueError, RecursionError):  # a full disk; a value too deep; invalid UTF-8
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
        if len(text) < LARGEST - 100:
            with folder() as where:
                write(where, name_of(key), hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
                forget_oldest(where, OURS, ENDING, MOST)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def name_of(key: tuple[str, ...]) -> str:
    return digest(version() + "".join(map(digest, key))) + ENDING


@cache
def version() -> str:
    """Return a string that changes with the cardlang code, the parser library or the Python version."""
    lark = find_spec("lark")
    return "\n".join([sys.version, code_of(str(Path(__file__).parent)), code_of(lark.origin or "") if lark else ""])


def code_of(package: str) -> str:
    """Return the names, sizes and times of all program files in a folder, or of a single file."""
    found = []
    folders = [package]
    while folders:
        path = folders.pop()
        if os.path.isdir(path):
            folders += [each.path for each in os.scandir(path) if each.name.endswith((".py", ".lark")) or each.is_dir()]
        elif path:
            with suppress(FileNotFoundError):  # a dangling link, such as an editor's lock file
                known = os.stat(path)
                found.append(f"{path} {known.st_size} {known.st_mtime_ns} {known.st_ctime_ns}")
    return "\n".join(sorted(found))
