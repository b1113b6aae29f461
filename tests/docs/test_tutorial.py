"""The tutorial, followed to the letter: every file is checked, every command is run, what it prints is compared."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardlang
from tests.docs.documents import Block, blocks, changed, check_console, failures, play_at_random

FILE = Path("harvest.cardgame")


def test_the_tutorial_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    good = ""
    for block in blocks("docs/tutorial.md"):
        if block.language == "cardgame":
            good = take_up(block, good)
        elif block.language == "console":
            check_console(block)
            FILE.write_text(good or FILE.read_text("utf-8"), "utf-8")


def take_up(block: Block, good: str) -> str:
    """Writes the game with a block's change; a mistake is written and forgotten."""
    if block.is_whole:
        assert block.text == FILE.read_text("utf-8"), "what `cardlang new` writes has changed"
    text = changed(good, block)
    FILE.write_text(text, "utf-8")
    if "broken" in block.words:
        with pytest.raises(cardlang.GameError):
            cardlang.load(FILE)
    elif "failing" in block.words:
        assert failures(cardlang.load(FILE))
    elif "mistake" in block.words:
        return good
    else:
        game = cardlang.load(FILE)
        assert not failures(game)
        play_at_random(game, 1)
    return text
