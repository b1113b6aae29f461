"""Several `wild` lines: each card stands for the values of its own line."""

import cardlang
from tests.game_files import read_game

GAME = read_game("two_wilds")


def title(hand: str) -> str:
    game = cardlang.loads(GAME)
    return str(game.evaluate("strength", hand=hand).title)


def test_the_second_line_has_its_own_meaning() -> None:
    assert title("2s 3s S") == "Flush"


def test_the_first_line_keeps_the_suit() -> None:
    assert title("2s 3s 6m") == "High"
    assert title("2s 2s 6m") == "Three"
