"""Output of commands: control and invisible characters are escaped, wherever the text comes from."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import Result

import cardlang
from cardlang.english.control_characters import INVISIBLE_PATTERN
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from interpreter.match.match import Match, start
from tests.cli.conftest import DUEL, Run

BAD = "\x1b[31m\x9b31m\x9d\x07\x7f\u202e\u2066\u200b\u2028"
SHOWN = r"\x1b[31m\x9b31m\x9d\x07\x7f\u202e\u2066\u200b\u2028"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="File names there have no control characters.")


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """Write a game file with control characters in its name."""
    path = tmp_path / f"a{BAD}\n\udcff.cardgame"
    path.write_text(DUEL, encoding="utf-8")
    return path


def is_seen(result: Result) -> bool:
    return not INVISIBLE_PATTERN.search((result.stdout + result.stderr).replace("\n", "").replace("\t", ""))


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "--format", "concise"],
        ["check", "--format", "json"],
        ["test"],
        ["play", "--auto", "--trace"],
        ["docs"],
        ["docs", "--format", "html"],
        ["show", "--stage", "game"],
        ["show", "--stage", "tree"],
        ["simulate", "--games", "1"],
        ["simulate", "--games", "1", "--json"],
        ["odds", "lead-suit"],
        ["cards", "--variant", BAD],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("mistake", ["", "from your playble", f'"{BAD}'], ids=["good", "broken", "hostile"])
def test_file_names_and_lines_are_escaped(run: Run, bad: Path, arguments: list[str], mistake: str) -> None:
    bad.write_text(DUEL.replace("from your playable", mistake or "from your playable"), "utf-8", "surrogatepass")
    result = run(arguments[0], bad, *arguments[1:])
    assert is_seen(result), result.output
    if mistake and not {"json", "tree"} & {*arguments}:
        assert SHOWN + r"\n\udcff.cardgame" in result.output


def test_json_keeps_file_names_unescaped(run: Run, bad: Path) -> None:
    bad.write_text(DUEL.replace("from your playable", "from your playble"), encoding="utf-8")
    result = run("check", bad, "--format", "json")
    assert json.loads(result.stdout)["diagnostics"][0]["file"] == str(bad)


@pytest.mark.parametrize(
    "arguments",
    [
        [BAD],
        [f"--{BAD}"],
        ["check", BAD],
        ["check", f"--{BAD}", "duel"],
        ["check", "duel", "--format", BAD],
        ["test", "duel", "--with", BAD],
        ["play", "duel", "--players", BAD],
        ["play", "duel", "--seat", BAD],
        ["play", "duel", "--seat", f"Ann={BAD}"],
        ["play", "duel", "--seat", f"{BAD[:4]}=random"],
        ["play", "duel", "--seat", "A\u202e=random", "--auto"],
        ["play", "--resume", BAD],
        ["replay", BAD],
        ["odds", "duel", BAD],
        ["odds", "duel", "lead-suit", "--given", BAD],
        ["odds", "duel", "lead-suit", "--cards", BAD],
        ["explain", BAD],
        ["new", BAD],
        ["cards", "duel", "-o", f"duel.cardgame/{BAD}"],
    ],
    ids=ascii,
)
def test_arguments_are_escaped(run: Run, duel: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(duel.parent)
    result = run(*arguments)
    assert result.exit_code in (1, 2) and is_seen(result), result.output


@pytest.mark.parametrize("name", ["A\x9b", "A\u202e", "A\u200b", "A\nB", "A\u2028", "\ud800"])
def test_invisible_player_names_are_rejected(name: str) -> None:
    game = cardlang.loads(DUEL)
    with pytest.raises(ValueError, match="visible characters"):
        start(game, [name, "Bob"], 1)


def test_player_names_in_any_script_are_allowed(run: Run, duel: Path) -> None:
    names = ["דוד", "👩\u200d🚀", "Zoe\u0308"]
    result = run("play", duel, "--auto", *(word for name in names for word in ("--seat", f"{name}=random")))
    assert result.exit_code == 0 and all(name in result.stdout for name in names)


def test_typed_moves_are_escaped(run: Run, duel: Path) -> None:
    result = run("play", duel, "--seed", "1", typed=f"{BAD}\nwhy {BAD}\nquit\n")
    assert is_seen(result) and SHOWN in result.stdout


def test_full_screen_has_no_control_characters() -> None:
    match = cardlang.loads(DUEL).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    drawn = BoardRenderer(
        match.table("Ann"), CardStyles(match.game), 80, message=f"Nothing is called {BAD}."
    ).fit_to_height(24)
    assert not any(INVISIBLE_PATTERN.search(span.text) for line in drawn.lines for span in line)
    assert SHOWN in "".join(span.text for line in drawn.lines for span in line)
