"""Cache of failing examples: damaged entries are ignored."""

from pathlib import Path
from typing import Any

import pytest

from cardlang import storage
from cardlang.cli.commands import docs
from cardlang.cli.file_arguments import load_game
from interpreter.match import example_runner
from tests.game_files import read_game

GAME = read_game("held")
EXAMPLES = GAME.count("\nexample ")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the path of a game, with a private cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    path = tmp_path / "held.cardgame"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the games whose examples were played, not cached."""
    found: list[str] = []
    really = example_runner.run_example
    monkeypatch.setattr(
        example_runner, "run_example", lambda game, example: (found.append(game.title), really(game, example))[1]
    )
    return found


def list_failing_lines(game: str) -> list[int]:
    """Return the lines of failing examples."""
    return [GAME.count("\n", 0, start) for _, start in docs.find_failing_examples(load_game(game))]


def test_examples_are_run_once(game: str, replays: list[str]) -> None:
    assert list_failing_lines(game) == list_failing_lines(game) == [11]
    assert set(replays) == {"Held"} and len(replays) == EXAMPLES


@pytest.mark.parametrize("wrong", [7, {}, [["held", "x"]], [[1, 2]], [[["held"], 1]], ["ab"], [["held", 1, 2]], [None]])
def test_malformed_example_cache_is_ignored(game: str, replays: list[str], monkeypatch: Any, wrong: Any) -> None:
    monkeypatch.setattr(storage, "read_cache_entry", lambda *_: wrong)
    assert list_failing_lines(game) == [11]
    assert set(replays) == {"Held"} and len(replays) == EXAMPLES
