"""What was found out about files, kept between runs: to read a long file costs more than all the rest of `check`.

What is kept lies in the user's own folder for such things and may be thrown away at any time. A text is found again by
a digest of itself, of its name and of this package: another word or another version, and it is read anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

MOST = 200
"""How many files are kept; the oldest go first."""


@cache
def folder() -> Path:
    """Where it is kept: XDG_CACHE_HOME, on Windows LOCALAPPDATA, else ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path("~/.cache").expanduser()) / "cardlang"


@cache
def writable_folder() -> Path | None:
    """The folder, made if it was not there; None where nothing can be kept."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder() if os.access(folder(), os.W_OK) else None


@cache
def version() -> bytes:
    """A digest of the package as it is on this machine, and of Python."""
    digest = hashlib.sha256(sys.version.encode())
    package = Path(__file__).parent
    for path in sorted([*package.glob("*.*"), *package.glob("building/*.py"), *package.glob("nodes/*.py")]):
        found = path.stat()
        digest.update(f"{path.name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.digest()


def place(name: str, text: str) -> Path:
    digest = hashlib.sha256(version())
    digest.update(f"{name}\0{text}".encode("utf-8", "surrogatepass"))
    return folder() / f"{digest.hexdigest()}.nodes"


def find(name: str, text: str) -> Any:
    """What was kept of a text of that name; None if nothing was, or if it cannot be read any more."""
    try:
        return pickle.loads(place(name, text).read_bytes())
    except Exception:  # no such file, no home, or half a pickle, which can raise anything: the text is read again
        return None


def keep(name: str, text: str, found: Any) -> None:
    """Keeps what was read of a text, where there is a folder for it."""
    kept = writable_folder()
    if kept is None:
        return
    with suppress(OSError, RecursionError):  # a full disk; nodes too deep for a pickle
        whole = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
        unfinished = place(name, text).with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(whole)
        unfinished.replace(unfinished.with_suffix(".nodes"))
        forget_oldest(kept)


def forget_oldest(kept: Path) -> None:
    files = sorted(kept.glob("*.nodes"), key=lambda path: path.stat().st_mtime_ns)
    for path in files[:-MOST]:
        path.unlink(missing_ok=True)
