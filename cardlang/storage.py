"""Cache folder of the user, and safe file reads and writes.

The cache is in the user's cache folder and can be deleted at any time. Entries are plain data (JSON with a checksum),
never code. Callers check the structure, and treat a malformed entry as missing. Nothing is read from or written to
places where other users can write. If the system cannot show the owner of a folder, there is no cache.

Reading opens only regular files, up to a size limit, so it never blocks. Writing is atomic: a kill, a full disk or
another process never leaves a partial file.
"""

from __future__ import annotations

import errno
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
from io import FileIO
from pathlib import Path
from secrets import token_hex
from typing import IO, BinaryIO

SECONDS_PER_HOUR = 3600
CAN_CHECK_OWNERS = {os.open, os.mkdir, os.unlink, os.rename, os.stat} <= os.supports_dir_fd and hasattr(os, "geteuid")


def find_user_cache_folder() -> str:
    """Return the user's cache folder: `$XDG_CACHE_HOME` or ~/.cache. Raise FileNotFoundError if there is none.

    Only an absolute path counts. A relative path would depend on the working folder, which may hold another person's
    game."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    path = named if os.path.isabs(named) else os.path.expanduser("~/.cache")
    if not (CAN_CHECK_OWNERS and os.path.isabs(path)):
        raise FileNotFoundError(path)
    return path


@contextmanager
def open_cache_folder(*subfolders: str) -> Iterator[int]:
    """Open cardlang's cache folder, or a subfolder, and create it if it is missing. Yield its file descriptor.

    All accesses use the descriptor, so the folder cannot be swapped in the meantime. Raise OSError if there is no
    trustworthy folder."""
    path = find_user_cache_folder()
    os.makedirs(path, 0o700, exist_ok=True)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        check_ownership(folder)
        for name in ("cardlang", *subfolders):
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=folder)
            above, folder = folder, os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(above)
            check_ownership(folder)
        yield folder
    finally:
        os.close(folder)


def check_ownership(handle: int) -> os.stat_result:
    """Return the status of an open file or folder. Raise PermissionError if others own it or can write to it."""
    known = os.fstat(handle)
    if known.st_uid != os.geteuid() or known.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError
    return known


def open_cache_file(folder_fd: int, name: str) -> BinaryIO:
    """Open a file of the folder for reading. Raise OSError if it isn't a regular file of this user."""
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder_fd)
    file = os.fdopen(handle, "rb")
    try:
        if not stat.S_ISREG(check_ownership(handle).st_mode):
            raise PermissionError
    except BaseException:
        file.close()
        raise
    return file


def write_cache_file(folder_fd: int, name: str, content: bytes) -> None:
    """Write a file of the folder atomically. A kill leaves only a partial file with a different ending."""
    unfinished = f"{name.rpartition('.')[0]}.{secrets.token_hex(8)}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder_fd)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.rename(unfinished, name, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
    except BaseException:
        os.unlink(unfinished, dir_fd=folder_fd)
        raise


def delete_oldest_files(folder_fd: int, pattern: re.Pattern[str], suffix: str, max_files: int) -> None:
    """Delete surplus files whose names match `pattern`: the oldest with the ending, and leftovers.

    Leftovers come from interrupted writes and earlier versions."""
    times: dict[str, float] = {}
    for name in filter(pattern.fullmatch, os.listdir(folder_fd)):
        with suppress(FileNotFoundError):  # another process deleted it first
            times[name] = os.stat(name, dir_fd=folder_fd, follow_symlinks=False).st_mtime
    finished_files = sorted((name for name in times if name.endswith(suffix)), key=times.__getitem__)
    left = [
        name for name in times if not name.endswith(suffix) and not 0 <= time.time() - times[name] < SECONDS_PER_HOUR
    ]
    for name in [*finished_files[:-max_files], *left]:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder_fd)


# ---------------------------------------------------------------- cache entries
JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
MAX_CACHE_ENTRIES = 200
"""Maximum number of cached entries. The oldest are deleted first."""
MAX_CACHE_ENTRY_BYTES = 4 * 1024 * 1024
"""Maximum size of an entry in bytes. Larger ones are not cached."""
CACHE_FILE_SUFFIX = ".kept"
CACHE_FILE_PATTERN = re.compile(r"[0-9a-f]{64}\.\w+|__jinja2_[0-9a-f]+\.cache")
"""Names of files that this or an earlier version of cardlang puts into its folder."""


def read_cache_entry(*key: str) -> JsonValue:
    """Return the value cached under a key. Return None if there is none, or if it cannot be trusted or read."""
    try:
        with open_cache_folder() as where, closing(open_cache_file(where, build_cache_file_name(key))) as file:
            checksum, _, text = file.read(MAX_CACHE_ENTRY_BYTES + 1).partition(b"\n")
        entry: JsonValue = json.loads(text) if hashlib.sha256(text).hexdigest().encode() == checksum else None
        return entry
    except (OSError, ValueError, RecursionError, MemoryError):
        return None


def write_cache_entry(value: JsonValue, *key: str) -> None:
    """Cache a value under a key, if there is a cache folder. The write is atomic."""
    with suppress(OSError, ValueError, RecursionError):  # a full disk; a value too deep; invalid UTF-8
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
        if len(text) < MAX_CACHE_ENTRY_BYTES - 100:
            with open_cache_folder() as where:
                write_cache_file(
                    where, build_cache_file_name(key), hashlib.sha256(text).hexdigest().encode() + b"\n" + text
                )
                delete_oldest_files(where, CACHE_FILE_PATTERN, CACHE_FILE_SUFFIX, MAX_CACHE_ENTRIES)


def compute_text_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def build_cache_file_name(key: tuple[str, ...]) -> str:
    return compute_text_digest(describe_code_version() + "".join(map(compute_text_digest, key))) + CACHE_FILE_SUFFIX


@cache
def describe_code_version() -> str:
    """Return a string that changes with the cardlang code, the parser library or the Python version."""
    lark = find_spec("lark")
    return "\n".join(
        [sys.version, list_code_files(str(Path(__file__).parent)), list_code_files(lark.origin or "") if lark else ""]
    )


def list_code_files(package: str) -> str:
    """Return the names, sizes and times of all program files in a folder, or of a single file."""
    file_stamps = []
    folders = [package]
    while folders:
        path = folders.pop()
        if os.path.isdir(path):
            folders += [
                entry.path for entry in os.scandir(path) if entry.name.endswith((".py", ".lark")) or entry.is_dir()
            ]
        elif path:
            with suppress(FileNotFoundError):  # a dangling link, such as an editor's lock file
                known = os.stat(path)
                file_stamps.append(f"{path} {known.st_size} {known.st_mtime_ns} {known.st_ctime_ns}")
    return "\n".join(sorted(file_stamps))


PACKAGE_FOLDER = Path(__file__).parent
LIBRARY_FOLDER = PACKAGE_FOLDER / "library"
RULES_SUFFIX = ".rules.md"
"""Suffix of a file with the rulebook that an author wrote, next to its game."""
GAME_SUFFIX = ".cardgame"
THEME_SUFFIX = ".theme.toml"
"""Suffix of a file with the look of the cards, next to its game."""
SPREADSHEET_SUFFIXES = (".csv", ".tsv", ".xlsx")
"""Suffixes of files with cards, next to their game."""


# ---------------------------------------------------------------- files
def find_games_folder() -> Path:
    """Return the folder of the bundled games: inside an installed package, or next to it in a checkout."""
    inside = PACKAGE_FOLDER / "games"
    return inside if inside.is_dir() else PACKAGE_FOLDER.parent / "games"


def shipped() -> dict[str, Path]:
    """Return the bundled games.

    Returns:
        The file of each game by its name.

    Examples:
        >>> cardlang.shipped()["hearts"].name
        'hearts.cardgame'
    """
    directory = find_games_folder()
    files = [*sorted(directory.glob("*.cardgame")), *sorted((directory / "classics").glob("*.cardgame"))]
    return {file.stem: file for file in files}


def find_bundled_libraries() -> dict[str, Path]:
    """Return the bundled libraries by name."""
    return {file.stem: file for file in sorted(LIBRARY_FOLDER.glob("*.cardgame"))}


def find_game_file(path: str | Path) -> Path:
    """Return the file at a path, with or without its ending, or else the bundled game of that name."""
    file, ended = Path(path), Path(f"{path}.cardgame")
    if ended.is_file() and not file.is_file():
        return ended
    if file.exists() or file.name != str(path):
        return file
    return shipped().get(file.name.removesuffix(".cardgame"), file)


FILE_TYPE_NAMES = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}
NONBLOCKING_OPEN_FLAGS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening files without blocking and without taking over a terminal."""
PRIVATE_FILE_MODE = 0o600
"""Mode of files that only their owner may read."""
PUBLIC_FILE_MODE = 0o666
"""Mode of other new files, before the user's mask applies."""
LOCK_OFFSET = 1 << 30
"""Offset of the byte that is locked on behalf of a whole file. It is past any data."""


def require_regular_file(path: Path) -> Path:
    """Return the path if it is a regular file, or a link to one. Raise OSError otherwise.

    Pipes and devices may be endless or block, and cannot be read twice."""
    check_is_regular_file(path, path)
    return path


def check_is_regular_file(file: int | Path, path: Path) -> None:
    """Raise OSError unless an open file, or the file at a path, is a regular file."""
    kind = stat.S_IFMT(os.stat(file).st_mode)
    if kind != stat.S_IFREG:
        raise OSError(errno.EINVAL, f"it is {FILE_TYPE_NAMES.get(kind, 'something else')}, not a file", str(path))


def open_regular_file(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raise OSError otherwise, even if the file is replaced in the meantime."""
    file = os.fdopen(os.open(require_regular_file(path), os.O_RDONLY | NONBLOCKING_OPEN_FLAGS), "rb")
    try:
        check_is_regular_file(file.fileno(), path)
    except BaseException:
        file.close()
        raise
    return file


def read_file_start(path: Path, max_bytes: int) -> bytes:
    """Return up to `max_bytes` bytes from the start of a file.

    Raise OSError, even for a special file without data yet."""
    with open_regular_file(path) as file:
        data: bytes | None = file.read(max_bytes)
    if data is None:
        raise OSError(errno.EINVAL, "it has nothing to read yet, as a pipe", str(path))
    return data


def replace_file(path: Path, data: bytes, mode: int = PUBLIC_FILE_MODE) -> None:
    """Replace a file atomically. Raise OSError and leave everything unchanged if that fails.

    The file is new: an existing file or link is not written to. Leftovers of killed processes are deleted."""
    part = path.parent / f".{token_hex(8)}.part"
    try:
        with open(os.open(part, CREATE_FLAGS, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # otherwise a power cut may keep the new name but lose the content
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    if CAN_CHECK_OWNERS:
        with suppress(OSError):
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                delete_oldest_files(folder, PART_PATTERN, CACHE_FILE_SUFFIX, 0)
            finally:
                os.close(folder)


PART_PATTERN = re.compile(r"\.[0-9a-f]{16}\.part")
"""Names of files that `replace_file` has not finished."""

CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
"""Flags that create a new file and fail if it exists."""

if sys.platform == "win32":
    import msvcrt

    def lock_file(file: IO[bytes] | FileIO) -> None:
        """Lock an open file for this process until it is closed or the process ends. Others can still read it.

        Raise BlockingIOError if another process has locked it."""
        at = file.tell()
        file.seek(LOCK_OFFSET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
        finally:
            file.seek(at)

else:
    import fcntl

    def lock_file(file: IO[bytes] | FileIO) -> None:
        """Lock an open file for this process until it is closed or the process ends. Others can still read it.

        Raise BlockingIOError if another process has locked it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return  # a file system without locks: matches there must stay playable
