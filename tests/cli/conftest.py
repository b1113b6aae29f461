"""Runs commands in this process, as a user types them."""

from __future__ import annotations

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
    """Runs a command line; the result has exit_code, stdout and stderr. A fault inside is raised."""

    def invoke(*arguments: str | Path, typed: str = "") -> Result:
        return CliRunner().invoke(cli, [str(each) for each in arguments], input=typed, catch_exceptions=False)

    return invoke


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """A small trick game."""
    path = tmp_path / "duel.cardgame"
    path.write_text(DUEL, encoding="utf-8")
    return path
