"""`cardlang show`: games and libraries as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlang
from cardlang import storage
from tests.cli.conftest import DUEL, Run


@pytest.mark.parametrize("name", sorted(storage.find_bundled_libraries()))
def test_a_library_is_shown_by_its_name(run: Run, name: str) -> None:
    shown = run("show", name)
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"# {name}: a library, which a game takes in with `use {name}`\n")
    assert shown.stdout.endswith("\n\n" + storage.find_bundled_libraries()[name].read_text("utf-8"))
    assert all(run("show", name, "--stage", stage).exit_code == 0 for stage in ("tokens", "tree"))


def test_the_head_says_what_a_file_needs_and_offers(run: Run, tmp_path: Path) -> None:
    library = tmp_path / "dealing.cardgame"
    library.write_text(
        'library "Dealing"\nuse pack\nneeds your strength\nneeds round\nflag your out\nplayer dealer\n'
        "define deal-size as 4\nstep before-deal\nstep deal-all\n  shuffle deck\n"
    )
    assert run("show", library).stdout.splitlines()[:7] == [
        "# dealing: a library, which a game takes in with `use dealing`",
        "# uses: pack",
        "# needs: your strength, round",
        "# things: your out, dealer",
        "# steps: deal-all",
        "# definitions, empty steps: deal-size, before-deal",
        "",
    ]


def test_what_is_shown_is_a_file_again(run: Run, tmp_path: Path, duel: Path) -> None:
    duel.write_text(run("show", duel).stdout)
    assert cardlang.load(duel).title == "Duel" and duel.read_text().endswith("\n\n" + DUEL)
    shown = run("show", "betting").stdout
    (tmp_path / "betting.cardgame").write_text(shown)
    game = run("show", "tall_card").stdout
    (tmp_path / "game.cardgame").write_text(game)
    assert cardlang.load(tmp_path / "game.cardgame").sources[1].text == shown
    assert max(map(len, re.findall(r"^#.*", shown, re.MULTILINE))) <= 100


def test_a_game_comes_before_a_library_of_its_name(run: Run, duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(duel.parent)
    duel.rename("betting.cardgame")
    assert "# betting: a game\n" in run("show", "betting").stdout


def test_a_library_is_no_game(run: Run) -> None:
    for words in (["show", "betting", "--stage", "game"], ["play", "betting"], ["check", "betting"]):
        result = run(*words)
        assert result.exit_code == 2 and "betting is a library, not a game" in result.stderr


def test_a_library_that_is_not_there(run: Run, tmp_path: Path) -> None:
    result = run("show", "bettin")
    assert result.exit_code == 2 and "Did you mean betting?" in result.stderr
    (tmp_path / "bad.cardgame").write_text('library "Bad"\nzone\n')
    result = run("show", tmp_path / "bad.cardgame")
    assert result.exit_code == 1 and "bad.cardgame:2" in result.stderr
