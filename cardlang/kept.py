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
import sys
from contextlib import closing, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cardlang.own_folder import folder, forget_oldest, opened, write

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]

MOST = 200
"""How many files are kept; the oldest go first."""
LARGEST = 4 * 1024 * 1024
"""Bytes of a file; what needs more is not kept."""
ENDING = ".kept"
OURS = re.compile(r"[0-9a-f]{64}\.\w+|__jinja2_[0-9a-f]+\.cache")
"""The files that cardlang puts, or once put, into its folder."""


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
                forget_oldest(where, OURS, ENDING, MOST)


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
