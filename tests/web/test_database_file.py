"""Database file of a server: location, partial creation, damage, content."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cardlang.cli.commands.serve import find_default_data_file, open_store, write_records
from cardlang.ui.web import database as stores
from cardlang.ui.web.database import Store
from tests.web.pages import Serving
from tests.web.serving import ROOT, Server


def test_unfinished_database_is_recreated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before it had a secret."""
    monkeypatch.setattr(stores, "create_secret", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Store(tmp_path / "tables.db")
    monkeypatch.undo()
    assert Store(tmp_path / "tables.db").read_meta("house")


@pytest.mark.parametrize("at", [1, 2, 4])
def test_damaged_database_is_reported(tmp_path: Path, serving: Serving, at: int) -> None:
    """A page of it is overwritten: the second, one amid it, the last."""
    serving.lay("hearts", "random", "random", "random")
    serving.store.file.execute("pragma wal_checkpoint(truncate)")
    serving.store.close()
    path, page = tmp_path / "tables.db", 4096
    data = bytearray(path.read_bytes())
    start = page * (at if at < 4 else len(data) // page - 1)
    data[start : start + page] = b"\xa5" * page
    path.write_bytes(data)
    with pytest.raises(click.ClickException, match=r"damaged.*--data") as told:
        open_store(path)
    assert str(path) in told.value.message


@pytest.mark.parametrize("data", [b"no database" * 1000, b"\xff" * 5000])
def test_foreign_file_is_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "tables.db"
    path.write_bytes(data)
    with pytest.raises(click.ClickException, match="is not a cardlang file"):
        open_store(path)
    assert path.read_bytes() == data


def test_unwritable_record_folder_is_reported(tmp_path: Path, serving: Serving) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(click.ClickException, match=r"file/records cannot be written: not a directory\."):
        write_records(serving.store, tmp_path / "file" / "records")


@pytest.mark.parametrize("named", ["", "relative"])
def test_relative_state_folders_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    for variable in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, named)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert find_default_data_file().is_relative_to(tmp_path)


def test_missing_home_suggests_data_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", none)
    for variable in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert find_default_data_file() == tmp_path / "cardlang" / "tables.db"
    for variable in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable)
    with pytest.raises(click.ClickException, match="--data"):
        find_default_data_file()


# ---------------------------------------------------------------- one server for each file
def second(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run another server until it ends."""
    command = [sys.executable, "-m", "cardlang", "serve", *arguments]
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=180)


@pytest.mark.slow
def test_second_server_names_the_first(tmp_path: Path) -> None:
    """Whatever its port and host, and by whatever path it comes; the records can be read meanwhile."""
    server = Server(tmp_path)
    try:
        (tmp_path / "linked.db").symlink_to("tables.db")
        (tmp_path / "folder").symlink_to(tmp_path)
        first = f"process {server.process.pid}, http://127.0.0.1:{server.port}"
        for more in (
            ["--data", "tables.db"],
            ["--data", "tables.db", "--host", "0.0.0.0"],
            ["--data", str(tmp_path / "linked.db")],
            ["--data", "folder/tables.db", "--url", "https://cards.example.org"],
        ):
            ran = second(tmp_path, "--port", "0", *more)
            assert ran.returncode == 1 and "another server uses it" in ran.stderr and first in ran.stderr, more
            assert "Stop that server, or give this one its own file and port: --data FILE --port" in ran.stderr
        assert second(tmp_path, "--data", "tables.db", "--records", "records").returncode == 0
        server.kill()
        server.start()  # what was killed holds nothing
    finally:
        server.kill()


@pytest.mark.slow
def test_hard_linked_database_is_rejected(tmp_path: Path) -> None:
    """Two servers could each take one of them."""
    Store(tmp_path / "tables.db").close()
    (tmp_path / "again.db").hardlink_to(tmp_path / "tables.db")
    for name in ("tables.db", "again.db"):
        ran = second(tmp_path, "--port", "0", "--data", name)
        assert ran.returncode == 1 and "hard links" in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("option", [[], ["--records", "records"]])
def test_special_files_are_rejected_as_database(tmp_path: Path, option: list[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name, kind in (("pipe", "a pipe"), ("zero", "a device")):
        ran = second(tmp_path, "--port", "0", "--data", name, *option)
        assert ran.returncode == 1 and f"it is {kind}, not a file." in ran.stderr


def test_pipe_as_lock_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tables.db.lock")
    ran = second(tmp_path, "--port", "0", "--data", "tables.db")
    assert ran.returncode == 1 and "it is a pipe, not a file." in ran.stderr
