"""Files kept between runs: read once, read again whenever anything is wrong with what was kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import cardlang
from cardlang import kept, parser
from cardlang.source import Source

TEXT = 'game "Kept" for 2 players\n\nnumber your score starts at 9\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new folder to keep files in; what this run has read is forgotten before and after."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    forget()
    yield tmp_path / "home" / "cardlang"
    forget()


def forget() -> None:
    for each in (kept.folder, kept.writable_folder, cardlang.parsed):
        each.cache_clear()


def read(text: str = TEXT) -> cardlang.nodes.File:
    cardlang.parsed.cache_clear()
    return cardlang.parse(Source("kept.cardgame", text))[0]


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were really read."""
    found: list[str] = []
    really = parser.parse_file
    monkeypatch.setattr(parser, "parse_file", lambda source: (found.append(source.text), really(source))[1])
    return found


def test_a_file_is_read_once(folder: Path, readings: list[str]) -> None:
    first, second = read(), read()
    assert readings == [TEXT]
    assert [item.span.text for item in second.items] == [item.span.text for item in first.items]
    assert second.span.source.text == TEXT


def test_another_word_is_read_anew(folder: Path, readings: list[str]) -> None:
    read()
    read(TEXT.replace("9", "8"))
    assert len(readings) == 2


def test_a_file_with_mistakes_is_not_kept(folder: Path, readings: list[str]) -> None:
    for _ in range(2):
        read(TEXT.replace("number", "nubmer"))
    assert len(readings) == 2
    assert not list(folder.glob("*"))


@pytest.mark.parametrize("wrong", [b"", b"\x80", b"cos\nnothing\n."])
def test_what_cannot_be_read_any_more_is_read_anew(folder: Path, readings: list[str], wrong: bytes) -> None:
    read()
    (file,) = folder.glob("*.nodes")
    file.write_bytes(wrong)
    assert len(read().items) == 1
    assert len(readings) == 2


def test_without_a_folder_nothing_is_kept(folder: Path, readings: list[str]) -> None:
    folder.parent.write_text("a file where the folder should be")
    for _ in range(2):
        assert len(read().items) == 1
    assert len(readings) == 2


def test_the_oldest_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 3)
    for count in range(2, 8):
        read(TEXT.replace("9", str(count)))
    assert len(list(folder.glob("*"))) == 3
    assert kept.find("kept.cardgame", TEXT.replace("9", "7")) is not None
