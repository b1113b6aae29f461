"""The file of a server: where it lies, begun by halves, damaged, and what is written of it."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from cardlang.commands.serve import open_store, usual_place, write_records
from cardlang.web import store as stores
from cardlang.web.store import Store
from tests.web.pages import Serving


def test_a_file_that_was_begun_and_left_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before it had a secret."""
    monkeypatch.setattr(stores, "new_secret", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Store(tmp_path / "tables.db")
    monkeypatch.undo()
    assert Store(tmp_path / "tables.db").meta("house")


@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_damaged_file_is_told_with_a_way_out(tmp_path: Path, serving: Serving, at: int) -> None:
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
def test_another_file_is_left_as_it_is(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "tables.db"
    path.write_bytes(data)
    with pytest.raises(click.ClickException, match="none of cardlang's files"):
        open_store(path)
    assert path.read_bytes() == data


def test_a_folder_for_records_that_cannot_be_made_is_told(tmp_path: Path, serving: Serving) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(click.ClickException, match=r"file/records cannot be written: not a directory\."):
        write_records(serving.store, tmp_path / "file" / "records")


@pytest.mark.parametrize("named", ["", "relative"])
def test_only_a_whole_path_says_where_tables_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    for variable in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, named)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert usual_place().is_relative_to(tmp_path)


def test_who_has_no_home_can_say_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", none)
    for variable in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert usual_place() == tmp_path / "cardlang" / "tables.db"
    for variable in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable)
    with pytest.raises(click.ClickException, match="--data"):
        usual_place()
