"""Lock file that prevents two servers from using one database."""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path

from cardlang import storage


class FileInUseError(OSError):
    """Error for a file in use by another server.

    `owner`: description of that server."""

    def __init__(self, owner: str) -> None:
        super().__init__(f"another server uses it ({owner})" if owner else "another server uses it")


class DatabaseLock:
    """Exclusive lock on a file of tables until `close` or the end of the process.

    The lock is on a separate file next to it, because SQLite has its own locks. That file names the owner."""

    def __init__(self, path: Path) -> None:
        """Acquire the lock. Raise `FileInUseError` if another server holds it, or `OSError` for other failures."""
        real = path.resolve()  # symbolic links to one file share a lock
        if real.exists() and storage.require_regular_file(real).stat().st_nlink > 1:
            raise OSError("it has several names (hard links), so two servers could use it")
        lock_path = real.with_name(f"{real.name}.lock")
        self.file = FileIO(
            os.open(lock_path, os.O_RDWR | os.O_CREAT | storage.NONBLOCKING_OPEN_FLAGS, storage.PRIVATE_FILE_MODE), "r+"
        )
        try:
            storage.check_is_regular_file(self.file.fileno(), lock_path)
            storage.lock_file(self.file)
        except BlockingIOError:
            by = self.file.read(MAX_OWNER_BYTES).decode(errors="replace").strip()
            self.file.close()
            raise FileInUseError(by) from None
        except BaseException:
            self.file.close()
            raise
        self.write_owner("")

    def write_owner(self, address: str) -> None:
        """Write the identity of this server to the lock file."""
        self.file.seek(0)
        self.file.truncate()
        self.file.write(f"process {os.getpid()}{f', {address}' if address else ''}\n".encode())

    def close(self) -> None:
        self.file.close()


MAX_OWNER_BYTES = 200
"""Maximum number of bytes read from the lock file."""
