"""Reproducible output: no addresses, no order that depends on Python's hash seed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.game_files import read_game

GAME = read_game("moors_reproducible_output")
STAGES = ("tokens", "tree", "game", "program")


def run_show(game: Path | str, stage: str, seed: int) -> str:
    command = [sys.executable, "-m", "cardlang", "show", str(game), "--stage", stage]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert not found.stderr
    return found.stdout


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_show_output_is_reproducible(tmp_path: Path, stage: str) -> None:
    """The steps that cards bear become functions, which need names."""
    game = tmp_path / "moors.cardgame"
    game.write_text(GAME, encoding="utf-8")
    assert run_show(game, stage, 0) == run_show(game, stage, 1)
