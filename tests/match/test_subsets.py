"""Selections of cards: counting, enumeration and sampling."""

from __future__ import annotations

import pytest

import cardlang

TEXT = """
game "Selections" for 2 players
kind Suit: Low (l), High (h)
ordered kind Rank: 1 to 4
cards Pack in deck
  1 of each Rank, Suit
zone deck seen by nobody
zone your hand
define your score as {value}
step play
  deal deck to players' hand
"""


@pytest.mark.parametrize(
    ("value", "three", "none"),
    [
        ("count of (subsets of hand)", 7, 0),
        ("total of ((subsets of hand)'s size)", 3 * 1 + 3 * 2 + 1 * 3, 0),
        ("count of ((subsets of hand) where total of its rank = 3)", 2, 0),
        ("count of first of (subsets of hand)", 1, 0),
        ("count of last of (subsets of hand)", 3, 0),
        ("total of ((top 4 of (subsets of hand))'s size)", 3 + 3 * 2, 0),
        ("count of (reverse of (subsets of hand))", 7, 0),
        ("count of (subsets of (hand where rank < 3))", 3, 0),
    ],
)
def test_selections_of_three_cards_and_of_none(value: str, three: int, none: int) -> None:
    game = cardlang.loads(TEXT.format(value=value).lstrip())
    assert (game.evaluate("score", hand="1l 2l 3l"), game.evaluate("score", hand="")) == (three, none)
