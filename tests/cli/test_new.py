"""`cardlang new --from`: copies of a game with its libraries, without overwriting files."""

from pathlib import Path

import pytest

import cardlang
from tests.cli.conftest import DUEL, Run

LIBRARY = 'library "Prizes"\nuse coins\ndefine prize as 3\n'
BELOW = 'library "Coins"\nnumber your coins\n'


@pytest.fixture
def prized(duel: Path) -> Path:
    """Return a game next to two libraries. It uses one."""
    duel.write_bytes(("# First a word.\n" + DUEL.replace("kind Suit", "use prizes\nkind Suit", 1)).encode())
    duel.with_name("prizes.cardgame").write_text(LIBRARY)
    duel.with_name("coins.cardgame").write_text(BELOW)
    return duel


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tall_card", "tall_card_fan", "tall_tales", "tail_story", "hearts", "texas_holdem"])
def test_bundled_game_can_be_copied(run: Run, tmp_path: Path, name: str) -> None:
    assert run("new", tmp_path / "my-own_game", "--from", name).exit_code == 0
    game = cardlang.shipped()[name]
    endings = [end for end in (".cardgame", ".rules.md", ".theme.toml") if game.with_suffix(end).is_file()]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"my-own_game{end}" for end in endings]
    old = game.read_text("utf-8").splitlines()
    new = (tmp_path / "my-own_game.cardgame").read_text("utf-8").splitlines()
    changed = [line for line, before in zip(new, old, strict=True) if line != before]
    assert len(changed) == 1 and changed[0].startswith('game "My Own Game" for ')
    assert cardlang.load(tmp_path / "my-own_game.cardgame").title == "My Own Game"


def test_copy_includes_local_libraries(run: Run, prized: Path) -> None:
    there = prized.parent / "there"
    assert run("new", there / "mine", "--from", prized).exit_code == 0
    assert sorted(path.name for path in there.iterdir()) == ["coins.cardgame", "mine.cardgame", "prizes.cardgame"]
    assert (there / "coins.cardgame").read_text() == BELOW
    assert run("test", there / "mine").exit_code == 0
    assert run("new", there / "second", "--from", prized).exit_code == 0  # the same libraries serve both
    assert (there / "mine.cardgame").read_text().startswith('# First a word.\ngame "Mine" for 2 to 3 players\n')


@pytest.mark.parametrize("library", ["coins", "prizes"])
def test_copy_keeps_a_different_library(run: Run, prized: Path, library: str) -> None:
    there = prized.parent / "there"
    there.mkdir()
    (there / f"{library}.cardgame").write_text('library "Other"\n')
    result = run("new", there / "mine", "--from", prized)
    assert result.exit_code == 2 and f"{library}.cardgame is not the file that Duel uses" in result.stderr
    assert [path.name for path in there.iterdir()] == [f"{library}.cardgame"]
    assert (there / f"{library}.cardgame").read_text() == 'library "Other"\n'


def test_copy_rejects_a_shadowed_bundled_library(run: Run, tmp_path: Path) -> None:
    (tmp_path / "betting.cardgame").write_text('library "My betting"\n')
    assert run("new", tmp_path / "mine", "--from", "tall_card").exit_code == 2
    assert not (tmp_path / "mine.cardgame").exists()


def test_new_from_an_unknown_game_lists_the_games(run: Run, tmp_path: Path) -> None:
    result = run("new", tmp_path / "mine", "--from", "tallcard")
    assert result.exit_code == 2 and "Did you mean tall_card?" in result.stderr
    assert all(name in result.stderr for name in cardlang.shipped())
    assert not list(tmp_path.iterdir())


def test_new_does_not_overwrite_its_source(run: Run, duel: Path) -> None:
    assert run("new", duel, "--from", duel).exit_code == 2
    assert duel.read_text() == DUEL


def test_new_rejects_an_invalid_source(run: Run, duel: Path) -> None:
    duel.write_text(DUEL.replace("shuffle deck", "shuffle dekc"))
    result = run("new", duel.with_name("mine"), "--from", duel)
    assert result.exit_code == 1 and "Did you mean `deck`?" in result.stderr
    assert not duel.with_name("mine.cardgame").exists()


def test_new_reports_an_unwritable_folder(run: Run, prized: Path) -> None:
    prized.with_name("there").write_text("a file")
    result = run("new", prized.parent / "there" / "mine", "--from", prized)
    assert result.exit_code == 1 and "cannot be written" in result.stderr


def test_copy_is_atomic(run: Run, prized: Path) -> None:
    """The game comes last: where it cannot be written, its libraries go again."""
    there = prized.parent / "there"
    there.mkdir()
    (there / "mine.cardgame").symlink_to(prized.with_name("elsewhere"))
    result = run("new", there / "mine", "--from", prized)
    assert result.exit_code == 1 and "is a link to another place" in result.stderr
    assert [path.name for path in there.iterdir()] == ["mine.cardgame"]


def test_misspelt_file_and_command_are_suggested(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "raven.cardgame").write_text("")
    monkeypatch.chdir(tmp_path)
    assert "Did you mean raven.cardgame?" in run("play", "rven").stderr
    assert "Did you mean check?" in run("chek", "rven").stderr
