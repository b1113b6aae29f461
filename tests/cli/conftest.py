"""Runs commands in this process, as a user types them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.cli.main import cli
from tests.game_files import read_game

Run = Callable[..., Result]

DUEL = read_game("duel")


@pytest.fixture
def run() -> Run:
    """Return a function that runs a command line. Its result has exit_code, stdout and stderr."""

    def invoke(*arguments: str | Path, typed: str = "") -> Result:
        return CliRunner().invoke(cli, [str(each) for each in arguments], input=typed, catch_exceptions=False)

    return invoke


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """Write a small trick game."""
    path = tmp_path / "duel.cardgame"
    path.write_text(DUEL, encoding="utf-8")
    return path
