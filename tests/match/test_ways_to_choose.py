"""Selections of cards: counting, enumeration and sampling."""

import pytest

import cardlang
from tests.game_files import read_game

TEXT = read_game("selections")


@pytest.mark.parametrize(
    ("value", "three", "none"),
    [
        ("count of (every 1 or more cards from hand as lot)", 7, 0),
        ("count of (every 0 or more cards from hand as lot)", 8, 1),
        ("count of (every up to 2 cards from hand as lot)", 7, 1),
        ("count of (every 2 cards from hand as pair)", 3, 0),
        ("count of (every 2 to 9 cards from hand as lot)", 4, 0),
        ("count of (every 4 cards from hand as lot)", 0, 0),
        ("count of (every 3 to 2 cards from hand as lot)", 0, 0),
        ("total of (count of lot for every 1 or more cards from hand as lot)", 3 * 1 + 3 * 2 + 1 * 3, 0),
        ("total of (count of lot for every lot from (every 1 or more cards from hand as some))", 3 + 3 * 2 + 3, 0),
        ("count of (every 1 or more cards from hand as lot when total of lot's rank = 3)", 2, 0),
        ("count of ((every 1 or more cards from hand as lot) where total of its rank = 3)", 2, 0),
        ("count of first of (every 1 or more cards from hand as lot)", 1, 0),
        ("count of last of (every 1 or more cards from hand as lot)", 3, 0),
        ("count of (reverse of (every 1 or more cards from hand as lot))", 7, 0),
        ("count of (every 1 or more cards from hand where rank < 3 as lot)", 3, 0),
        ("count of (highest of (every 2 cards from hand as pair) by (total of it's rank))", 2, 0),
        ("total of (highest of (every 2 cards from hand as pair) by (total of it's rank))'s rank", 5, 0),
        ("count of (every c from hand when count of (hand where rank > c's rank) = 1)", 1, 0),
        (
            "total of (10 * a's rank + b's rank for every a from hand, b from hand when a != b)",
            12 + 13 + 21 + 23 + 31 + 32,
            0,
        ),
        (
            "total of (a's rank * total of b's rank for every a from hand, 2 cards from (hand where it != a) as b)",
            5 + 8 + 9,
            0,
        ),
        ("total of (b's rank for every a from hand, b from a's above)", 2 + 3 + 3, 0),
        ("count of (every 2 players from players as both)", 1, 1),
    ],
)
def test_selections_of_three_cards_and_of_none(value: str, three: int, none: int) -> None:
    game = cardlang.loads(TEXT.format(value=value).lstrip())
    assert (game.evaluate("score", hand="1l 2l 3l"), game.evaluate("score", hand="")) == (three, none)
