"""Atomic files, and locks between processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardlang import storage

ROOT = Path(__file__).parents[1]
posix = pytest.mark.skipif(os.name == "nt", reason="modes and links differ")


def test_file_is_replaced_atomically(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data in (b"first", b"", b"\r\n\x00"):
        storage.replace_file(path, data)
        assert path.read_bytes() == data
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("fault", ["fsync", "replace"])
def test_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, fault, fails)
    with pytest.raises(OSError, match="No space left"):
        storage.replace_file(path, b"after")
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["file"]


@posix
def test_leftovers_of_killed_processes_are_deleted(tmp_path: Path) -> None:
    names = [".0123456789abcdef.part", ".fedcba9876543210.part", ".notes.part", "0123456789abcdef.part"]
    for name in names:
        (tmp_path / name).write_bytes(b"half")
    for name in names[:1] + names[2:]:
        os.utime(tmp_path / name, (1, 1))
    storage.replace_file(tmp_path / "file", b"whole")
    assert sorted(os.listdir(tmp_path)) == sorted([*names[1:], "file"]), "the second may still be written"


@posix
@pytest.mark.parametrize(("asked", "found"), [(storage.PRIVATE_FILE_MODE, 0o600), (storage.PUBLIC_FILE_MODE, 0o640)])
def test_new_file_has_the_right_mode(tmp_path: Path, asked: int, found: int) -> None:
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        storage.replace_file(path, b"text", asked)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == found


@posix
def test_link_is_replaced_not_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"theirs")
    link.symlink_to(target)
    storage.replace_file(link, b"ours")
    assert target.read_bytes() == b"theirs"
    assert link.read_bytes() == b"ours" and not link.is_symlink()


HOLD = """
import sys
from cardlang import storage
file = open(sys.argv[1], "r+b")
try:
    storage.lock_file(file)
except BlockingIOError:
    print("refused", flush=True)
else:
    print("locked", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip


def test_lock_holds_until_its_process_ends(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"text")
    first = holder(path)
    try:
        assert first.stdout is not None and first.stdout.readline().strip() == b"locked"
        assert holder(path).communicate(timeout=60)[0].strip() == b"refused"
        assert path.read_bytes() == b"text"
    finally:
        first.kill()
        first.communicate(timeout=60)
    assert holder(path).communicate(timeout=60)[0].strip() == b"locked"
