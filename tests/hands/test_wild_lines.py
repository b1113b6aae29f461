"""Several `wild` lines: each card stands for the values of its own line."""

import cardlang
from tests.game_files import read_game

GAME = read_game("two_wilds")


def title(hand: str) -> str:
    game = cardlang.loads(GAME)
    return str(game.evaluate("strength", hand=hand).title)


def test_second_wild_line_applies() -> None:
    assert title("2s 3s S") == "Flush"


def test_first_wild_line_keeps_the_suit() -> None:
    assert title("2s 3s 6m") == "High"
    assert title("2s 2s 6m") == "Three"
