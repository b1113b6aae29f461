"""The lock that keeps a second server from the file of a first."""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path

from cardlang import disk


class Served(OSError):
    """A file that another server uses. `by`: who that is."""

    def __init__(self, by: str) -> None:
        super().__init__(f"another server uses it ({by})" if by else "another server uses it")


class ServerLock:
    """Reserves a file of tables for one server until `close`, or until its process ends in any way. A file next to the
    other one is locked, as SQLite has locks of its own on that, and says who holds it."""

    def __init__(self, path: Path) -> None:
        """Raises OSError; Served if another server has the file."""
        real = path.resolve()  # links to one file mean one lock
        if real.exists() and disk.a_file(real).stat().st_nlink > 1:
            raise OSError("it has several names (hard links), so two servers could use it")
        beside = real.with_name(f"{real.name}.lock")
        self.file = FileIO(os.open(beside, os.O_RDWR | os.O_CREAT | disk.NO_WAIT, disk.PRIVATE), "r+")
        try:
            disk.check_kind(self.file.fileno(), beside)
            disk.lock(self.file)
        except BlockingIOError:
            by = self.file.read(LONGEST).decode(errors="replace").strip()
            self.file.close()
            raise Served(by) from None
        except BaseException:
            self.file.close()
            raise
        self.name("")

    def name(self, address: str) -> None:
        """Writes down which server has the file."""
        self.file.seek(0)
        self.file.truncate()
        self.file.write(f"process {os.getpid()}{f', {address}' if address else ''}\n".encode())

    def close(self) -> None:
        self.file.close()


LONGEST = 200
"""So many bytes are read of who holds a lock."""
