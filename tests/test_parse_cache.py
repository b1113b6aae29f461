"""Parse cache: reused while valid, never code, never from folders others can write to."""

import json
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import pytest

import cardlang
from cardlang import game_files, storage
from cardlang.diagnostics import Source
from cardlang.syntax import ast as n
from cardlang.syntax import parser

TEXT = 'game "Kept" for 2 players\n\nnumber your score starts at 9\n\nzone deck seen by nobody\n'
FILE = "kept.cardgame"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create a cache folder. What this run has parsed is forgotten before and after."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    game_files.parse_with_caches.cache_clear()
    yield tmp_path / "home" / "cardlang"
    game_files.parse_with_caches.cache_clear()


def read(text: str = TEXT) -> n.File:
    game_files.parse_with_caches.cache_clear()
    return game_files.parse_source(Source(FILE, text))[0]


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the pieces of text that are really parsed."""
    found: list[str] = []
    really = parser.parse_text
    monkeypatch.setattr(parser, "parse_text", lambda text, rule: (found.append(text), really(text, rule))[1])
    return found


def get_cache_file(folder: Path) -> Path:
    (file,) = folder.glob("*.kept")
    return file


def forge(file: Path, change: Callable[[Any], Any]) -> None:
    """Replace a cached value, with a valid checksum."""
    value = change(json.loads(file.read_bytes().partition(b"\n")[2]))
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    file.write_bytes(sha256(text).hexdigest().encode() + b"\n" + text)


def are_equal_nodes(one: Any, other: Any) -> bool:
    """Return whether nodes and their positions are equal."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(are_equal_nodes, one, other))
    if not isinstance(one, n.Node):
        return bool(one == other)
    names = [each.name for each in attrs.fields(type(one)) if each.name != "span"]
    places = (one.span.start, one.span.end) == (other.span.start, other.span.end)
    return places and all(are_equal_nodes(getattr(one, name), getattr(other, name)) for name in names)


# ---------------------------------------------------------------- what is read again
def test_unchanged_file_is_parsed_once(folder: Path, readings: list[str]) -> None:
    first, second = read(), read()
    assert len(readings) == 3
    assert are_equal_nodes(first, second)
    assert second.span.source.text == TEXT


@pytest.mark.slow
@pytest.mark.parametrize("path", cardlang.shipped().values(), ids=lambda path: path.stem)
def test_cached_parse_equals_a_fresh_one(folder: Path, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    first = read(text)
    assert are_equal_nodes(first, read(text))
    games = []
    for _ in range(2):
        game_files.parse_with_caches.cache_clear()
        games.append(cardlang.load(path))
    assert games[0] == games[1]
    moved = text.replace("\n\n", '\n\n"One more note."\n\n', 1)
    assert are_equal_nodes(parser.parse_file(Source(FILE, moved))[0], read(moved))


def test_only_changed_items_are_parsed(folder: Path, readings: list[str]) -> None:
    read()
    changed = TEXT.replace("9", "10")
    file = read(changed)
    assert readings[3:] == ["number your score starts at 10\n"]
    assert [item.span.text for item in file.items] == changed.splitlines()[2::2]
    read(TEXT.replace("9", "9 # nine") + "\nflag done\n")
    assert readings[4:] == ["number your score starts at 9\n", "flag done\n"]


def test_item_errors_are_not_cached(folder: Path, readings: list[str]) -> None:
    wrong = TEXT.replace("number", "nubmer")
    for _ in range(2):
        game_files.parse_with_caches.cache_clear()
        assert [each.code for each in game_files.parse_source(Source(FILE, wrong))[1]] == ["E102"]
    assert readings.count("zone deck seen by nobody\n") == 1


def test_dependent_item_is_parsed_again(folder: Path) -> None:
    """`zoen deck` is a value of the kind `zoen`; without that kind it is a zone with a misspelt word."""
    text = 'game "Kept" for 2 players\n\nkind zoen: Red, Blue\n\nzoen deck\n'
    assert not game_files.parse_source(Source(FILE, text))[1]
    game_files.parse_with_caches.cache_clear()
    without = Source(FILE, text.replace("kind zoen: Red, Blue\n", ""))
    assert [each.code for each in game_files.parse_source(without)[1]] == ["E102"]


# ---------------------------------------------------------------- what is no longer whole, or never was
class Trap:
    """Run when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("trapped",)


WRONG = {
    "nothing": b"",
    "a pickle": pickle.dumps(Trap()),
    "half": b"0" * 64 + b'\n{"text": "',
    "no text": b"\xff\xfe",
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_damaged_cache_is_ignored(
    folder: Path, readings: list[str], wrong: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    read()
    for content in (wrong, sha256(wrong).hexdigest().encode() + b"\n" + wrong):
        get_cache_file(folder).write_bytes(content)
        before = len(readings)
        assert len(read().items) == 2
        assert len(readings) == before + 3
    assert not (tmp_path / "trapped").exists()


def deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def replace_at(at: tuple[int | str, ...], value: Any) -> Callable[[Any], Any]:
    """Return a function that replaces a cached value."""

    def change(found: Any) -> Any:
        part = found
        for step in at[:-1]:
            part = part[step]
        part[at[-1]] = value
        return found

    return change


FORGED = {
    "a list": lambda _: [],
    "a number": lambda _: 7,
    "too deep": lambda _: deep(100_000),
    "too large": lambda _: b"[" + b"0," * storage.MAX_CACHE_ENTRY_BYTES + b"0]",
    "no pieces": replace_at(("pieces",), 3),
    "pieces of another form": replace_at(("pieces", 1), {"rule": "item"}),
    "an unknown rule": replace_at(("pieces", 1, 0), "file"),
    "no node": replace_at(("pieces", 1, 4), []),
    "an unknown class": replace_at(("pieces", 1, 4, 0), 9999),
    "a class below zero": replace_at(("pieces", 1, 4, 0), -1),
    "another class": lambda found: (found["pieces"][1].__setitem__(4, found["pieces"][0][4]), found)[1],
    "a class that is a list": replace_at(("pieces", 1, 4, 0), [1]),
    "a class that is a fraction": replace_at(("pieces", 1, 4, 0), 1.5),
    "before the text": replace_at(("pieces", 1, 4, 1), -5),
    "behind the text": replace_at(("pieces", 1, 4, 2), 10**30),
    "a field too few": lambda found: (found["pieces"][1][4].pop(), found)[1],
    "a flag that is a word": replace_at(("pieces", 1, 4, 3), "yes"),
    "a name that is a number": replace_at(("pieces", 1, 4, 6), 5),
    "a node within itself too deep": replace_at(("pieces", 1, 4), json.loads("[" * 900 + "]" * 900)),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_malformed_cache_is_ignored(folder: Path, readings: list[str], change: Callable[[Any], Any]) -> None:
    first = read()
    forge(get_cache_file(folder), change)
    assert are_equal_nodes(read(), first)
    assert len(readings) > 3


def test_cached_positions_outside_the_text_are_ignored(folder: Path) -> None:
    first = read()
    forge(get_cache_file(folder), replace_at(("pieces", 1, 2), 10**9))
    assert are_equal_nodes(read(), first)


# ---------------------------------------------------------------- whose it is
def test_cache_is_private(folder: Path) -> None:
    os.umask(before := os.umask(0))
    os.umask(0)
    try:
        read()
    finally:
        os.umask(before)
    for path in (folder.parent, folder):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE(get_cache_file(folder).stat().st_mode) == 0o600


@pytest.mark.parametrize("which", ["folder", "its parent", "file"])
@pytest.mark.parametrize("mode", [0o020, 0o002])
def test_world_writable_cache_is_not_read(folder: Path, readings: list[str], which: str, mode: int) -> None:
    read()
    path = {"folder": folder, "its parent": folder.parent, "file": get_cache_file(folder)}[which]
    path.chmod(path.stat().st_mode | mode)
    read()
    assert len(readings) == 6


def test_foreign_cache_is_not_read(folder: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    read()
    files = {path: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    read()
    assert len(readings) == 6
    assert {path: path.read_bytes() for path in folder.iterdir()} == files


def test_no_cache_without_file_owners(folder: Path, readings: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "CAN_CHECK_OWNERS", False)
    read(), read()
    assert len(readings) == 6
    assert not folder.parent.exists()


def test_linked_cache_is_not_followed(folder: Path, readings: list[str]) -> None:
    read()
    file = get_cache_file(folder)
    file.rename(folder / "elsewhere")
    file.symlink_to(folder / "elsewhere")
    read()
    assert len(readings) == 6
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")
    read()
    assert len(readings) == 9


def test_pipe_in_the_cache_does_not_hang(folder: Path, readings: list[str]) -> None:
    read()
    file = get_cache_file(folder)
    file.unlink()
    os.mkfifo(file)
    read()
    assert len(readings) == 6


def test_relative_cache_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    read()
    assert not (tmp_path / "here").exists()
    assert get_cache_file(tmp_path / "me/.cache/cardlang")
    monkeypatch.setenv("HOME", "here")
    read()
    assert not (tmp_path / "here").exists()


def test_unwritable_cache_folder_is_tolerated(folder: Path, readings: list[str]) -> None:
    folder.parent.write_text("a file where the folder should be")
    for _ in range(2):
        assert len(read().items) == 2
    assert len(readings) == 6


# ---------------------------------------------------------------- nothing is left behind
@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "Ctrl-C"])
def test_failed_cache_write_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise fault

    monkeypatch.setattr(os, "rename", fails)
    try:
        read()
    except KeyboardInterrupt:
        assert isinstance(fault, KeyboardInterrupt)
    assert not list(folder.iterdir())


def test_oversized_cache_write_leaves_no_file(folder: Path) -> None:
    text = TEXT + "\nstep play\n  each player\n    add 1 to your score\n"
    program = (
        "import resource, signal, cardlang\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        f"print(len(cardlang.loads({text!r}).zones))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (found.stdout, found.stderr) == ("1\n", "")
    assert not list(folder.iterdir())


def test_oldest_cache_entries_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "MAX_CACHE_ENTRIES", 3)
    for count in range(2, 8):
        read(TEXT.replace("2", str(count)))
    assert len(list(folder.glob("*"))) == 3
    assert storage.read_cache_entry("items", FILE, 'game "Kept" for 7 players') is not None


def test_leftovers_of_a_kill_are_removed(folder: Path) -> None:
    folder.mkdir(parents=True)
    ours = [f"{'a' * 64}.4711", f"{'b' * 64}.nodes", f"__jinja2_{'c' * 40}.cache"]
    for name in (*ours, "notes.txt"):
        (folder / name).write_text("")
    read()
    assert len(list(folder.iterdir())) == 5, "It may still be being written."
    for name in (*ours, "notes.txt"):
        os.utime(folder / name, (0, 0))
    read(TEXT + "\n")
    assert {path.name for path in folder.iterdir()} == {get_cache_file(folder).name, "notes.txt"}


@pytest.mark.parametrize("name", ["big_two", "tail_story", "market_street"])
def test_rulebook_from_the_cache_is_equal(folder: Path, name: str) -> None:
    from cardlang.rulebook.render import render_rulebook_markdown

    sheets = set()
    for _ in range(2):
        game_files.parse_with_caches.cache_clear()
        sheets.add(render_rulebook_markdown(cardlang.load(name)))
    assert len(sheets) == 1 and list(folder.glob("*.kept"))


def test_dangling_link_among_sources_is_ignored(tmp_path: Path) -> None:
    """Editors mark with one what is being edited."""
    (tmp_path / "program.py").write_text("")
    before = storage.list_code_files(str(tmp_path))
    (tmp_path / ".#program.py").symlink_to("somebody@somewhere")
    assert storage.list_code_files(str(tmp_path)) == before != ""
    (tmp_path / "program.py").write_text("pass")
    assert storage.list_code_files(str(tmp_path)) != before
