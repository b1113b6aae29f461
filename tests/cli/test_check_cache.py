"""Cache of `check`: a game without findings is checked again only after it or a library changes."""

from pathlib import Path
from typing import Any

import pytest

from cardlang import storage
from cardlang.cli.commands import check
from tests.game_files import read_game

GAME = read_game("faultless")
SCORING = 'library "Scoring"\n\nnumber your score\n\ndefine point as 1\n'
PAIRS = 'library "Pairs"\n\ndefine pair as 2\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a game with its libraries, and a private cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    for name, text in (("game", GAME), ("scoring", SCORING), ("pairs", PAIRS)):
        (tmp_path / f"{name}.cardgame").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def checked_games(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the games that were checked, not cached."""
    found: list[str] = []
    really = check.load_game
    monkeypatch.setattr(check, "load_game", lambda name: (found.append(name), really(name))[1])
    return found


def codes(folder: Path) -> list[str]:
    return [finding.code for finding in check.check_file(str(folder / "game.cardgame"))]


def test_unchanged_game_is_checked_once(folder: Path, checked_games: list[str]) -> None:
    assert codes(folder) == codes(folder) == []
    assert len(checked_games) == 1


@pytest.mark.parametrize("name", ["game", "scoring", "pairs"])
def test_changed_file_is_checked_again(folder: Path, checked_games: list[str], name: str) -> None:
    codes(folder)
    file = folder / f"{name}.cardgame"
    before = file.read_text(encoding="utf-8")
    file.write_text(before + "\nzone deck hand\n", encoding="utf-8")
    assert codes(folder) != []
    file.write_text(before, encoding="utf-8")
    assert codes(folder) == []
    assert len(checked_games) == 2


def test_changed_interpreter_checks_again(
    folder: Path, checked_games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_code_files, code = storage.list_code_files, tmp_path / "playing.py"
    monkeypatch.setattr(storage, "list_code_files", lambda _: list_code_files(str(tmp_path)))
    for text in ("", "more = 1"):
        code.write_text(text)
        codes(folder)
        codes(folder)
    assert len(checked_games) == 2


def test_missing_library_is_reported_despite_the_cache(folder: Path, checked_games: list[str]) -> None:
    codes(folder)
    (folder / "pairs.cardgame").unlink()
    assert codes(folder) != []


def test_cached_check_repeats_warnings(folder: Path, checked_games: list[str]) -> None:
    game = folder / "game.cardgame"
    game.write_text(GAME.replace("use pairs\n", "use pairs\n\nflag idle\n"), encoding="utf-8")
    assert codes(folder) == codes(folder) == ["W403"]


@pytest.mark.parametrize(
    "wrong",
    [True, [], {"scoring": 7}, {"nothing": ""}, {"../" * 2000: ""}, {"\0": ""}],
    ids=lambda wrong: repr(wrong)[:20],
)
def test_malformed_check_cache_is_ignored(
    folder: Path, checked_games: list[str], monkeypatch: pytest.MonkeyPatch, wrong: Any
) -> None:
    monkeypatch.setattr(storage, "read_cache_entry", lambda *_: wrong)
    codes(folder)
    assert len(checked_games) == 1
