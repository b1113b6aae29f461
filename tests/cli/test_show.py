"""`cardlang show`: games and libraries as text."""

import re
from pathlib import Path

import pytest

import cardlang
from cardlang import storage
from tests.cli.conftest import DUEL, Run


@pytest.mark.parametrize("name", sorted(storage.find_bundled_libraries()))
def test_show_prints_a_library(run: Run, name: str) -> None:
    shown = run("show", name)
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"# {name}: a library, which a game takes in with `use {name}`\n")
    assert shown.stdout.endswith("\n\n" + storage.find_bundled_libraries()[name].read_text("utf-8"))
    assert all(run("show", name, "--stage", stage).exit_code == 0 for stage in ("tokens", "tree"))


def test_show_summarizes_needs_and_declarations(run: Run, tmp_path: Path) -> None:
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


def test_shown_text_is_a_valid_file(run: Run, tmp_path: Path, duel: Path) -> None:
    duel.write_text(run("show", duel).stdout)
    assert cardlang.load(duel).title == "Duel" and duel.read_text().endswith("\n\n" + DUEL)
    shown = run("show", "betting").stdout
    (tmp_path / "betting.cardgame").write_text(shown)
    game = run("show", "tall_card").stdout
    (tmp_path / "game.cardgame").write_text(game)
    assert cardlang.load(tmp_path / "game.cardgame").sources[1].text == shown
    assert max(map(len, re.findall(r"^#.*", shown, re.MULTILINE))) <= 100


def test_local_game_takes_precedence_over_a_library(run: Run, duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(duel.parent)
    duel.rename("betting.cardgame")
    assert "# betting: a game\n" in run("show", "betting").stdout


def test_library_is_rejected_as_a_game(run: Run) -> None:
    for words in (["show", "betting", "--stage", "game"], ["play", "betting"], ["check", "betting"]):
        result = run(*words)
        assert result.exit_code == 2 and "betting is a library, not a game" in result.stderr


def test_unknown_library_suggests_a_similar_name(run: Run, tmp_path: Path) -> None:
    result = run("show", "bettin")
    assert result.exit_code == 2 and "Did you mean betting?" in result.stderr
    (tmp_path / "bad.cardgame").write_text('library "Bad"\nzone\n')
    result = run("show", tmp_path / "bad.cardgame")
    assert result.exit_code == 1 and "bad.cardgame:2" in result.stderr
