"""Tutorials: every block is entered, every command is run, and its output is compared."""

from pathlib import Path

import pytest

import cardlang
from tests.docs.documents import ROOT, Block, blocks, change_game, check_console, failures, play_at_random
from tests.docs.screens import check_screen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("document", "name"), [("docs/tutorial.md", "harvest.cardgame"), ("docs/tutorial-cards.md", "goblin_band.cardgame")]
)
def test_tutorial_can_be_followed(document: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert follow(blocks(document), Path(name)) == (ROOT / "docs" / "examples" / name).read_text("utf-8")


def follow(page: list[Block], file: Path) -> str:
    """Do what a page says in the working folder and return the game it ends with."""
    good = ""
    for block in page:
        if block.language == "cardgame":
            good = type_in(block, good, file)
        elif block.language == "console":
            (check_screen if "screen" in block.words else check_console)(block)
            file.write_text(good or file.read_text("utf-8"), "utf-8")
    return good


def type_in(block: Block, good: str, file: Path) -> str:
    """Write the game with a block's change and return the game to go on with: a mistake is forgotten."""
    if block.is_whole and file.exists():
        assert block.text == file.read_text("utf-8"), "what `cardlang new` writes has changed"
    text = change_game(good, block)
    file.write_text(text, "utf-8")
    if "mistake" in block.words:
        return good
    if "broken" in block.words:
        with pytest.raises(cardlang.GameError):
            cardlang.load(file)
        return text
    game = cardlang.load(file)
    assert bool(failures(game)) == ("failing" in block.words)
    play_at_random(game, 1)
    return text
