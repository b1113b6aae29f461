"""Help texts: short, complete, and with examples that run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from cardlang.cli import COMMANDS, cli
from tests.cli.conftest import Run


def examples(command: click.Command) -> list[str]:
    """Return the examples at the end of a command's help."""
    return re.findall(r"^ +cardlang (.*)$", command.epilog or "", re.MULTILINE)


COMMAND = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
EXAMPLES = [example for command in [cli, *COMMAND.values()] for example in examples(command)]
NOT_RUN = ("serve", "serve my_game --host 0.0.0.0", "replay", 'words my_game "step betting" --renew')
"""These go on until they are stopped, or need a match or wording that a person made."""


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_screen_of_80_columns(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*name.split(), "--help").stdout.splitlines()
    assert [line for line in lines if len(line) > 80 or re.search(r"[a-z]\.\.\.$", line)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_explained_in_one_or_two_sentences(name: str) -> None:
    options = [option for option in COMMAND[name].params if isinstance(option, click.Option)]
    assert [option.name for option in options if not (option.help or "").endswith(".")] == []
    assert [option.name for option in options if len(option.help or "") > 110] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_two_or_three_examples(name: str) -> None:
    assert 2 <= len(examples(COMMAND[name])) <= 3


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    name, *arguments = shlex.split(example)
    if example in NOT_RUN:
        COMMAND[name].make_context(name, arguments)
        return
    if name != "new":
        run("new", "my_game")
        run("new", "my_game_2")
        (tmp_path / "games").mkdir()
        shutil.copy("my_game.cardgame", "games")
    if name == "replay":
        run("play", "my_game", "--auto", "--record", "match.jsonl")
    result = run(name, *arguments)
    assert result.exit_code == 0, result.output
