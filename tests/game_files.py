"""Test games that several lines of a test module share: the files in `games/`, and examples in a small game."""

import re
from pathlib import Path

GAMES = Path(__file__).with_name("games")


def read_game(name: str) -> str:
    """Return the text of `games/NAME.cardgame`."""
    return (GAMES / f"{name}.cardgame").read_text(encoding="utf-8")


EXAMPLE_DECLARATIONS, *PLAY_STEP = read_game("explanation").partition("step play\n")
EXAMPLE_PLAY_STEP = "".join(PLAY_STEP)


def build_example_game(example: str) -> str:
    """Return an example of an explanation as a game file: in a small game, unless it is a whole file already."""
    if re.match(r"(game|library) ", example):
        return example
    return (
        EXAMPLE_DECLARATIONS + example + ("" if re.search(r"^step play$", example, re.MULTILINE) else EXAMPLE_PLAY_STEP)
    )
