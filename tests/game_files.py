"""Test games that several lines of a test module share: the files in `games/`."""

from pathlib import Path

GAMES = Path(__file__).with_name("games")


def read_game(name: str) -> str:
    """Return the text of `games/NAME.cardgame`."""
    return (GAMES / f"{name}.cardgame").read_text(encoding="utf-8")
