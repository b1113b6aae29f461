"""What an option or a choice offers: numbers between bounds, and conditions on what is tested."""

from __future__ import annotations

import cardlang
from interpreter.matches.match import Match

START = """
game "Offers" for 2 players
kind Suit: Clubs (c)
ordered kind Rank: 1 to 4
cards Pack in deck
  1 of each Rank, Suit
zone deck seen by nobody
zone your hand
number your chips starts at 7
define your score as chips
"""


def texts(body: str) -> list[str]:
    match: Match = cardlang.loads(START + body).start(2, 1)
    assert match.decision is not None
    return list(match.decision.moves.texts)


def test_a_number_chosen_is_whole_where_its_bounds_are_halves() -> None:
    body = """
step play
  each player
    add 1 / 2 to your chips
    you choose one
      option bet with amount from your chips / 3 to your chips
        subtract amount from your chips
"""
    # From 7.5 / 3 = 2.5 to 7.5.
    assert texts(body) == [f"bet {amount}" for amount in range(3, 8)]


def test_a_value_between_halves_is_whole() -> None:
    body = """
step play
  each player
    you choose amount from 1 to your chips / 2
      subtract amount from your chips
"""
    assert texts(body) == ["1", "2", "3"]


def test_two_options_ask_the_same_of_the_card_tested() -> None:
    body = """
define card's worth as rank + 1
step play
  each player
    deal top 2 of deck to your hand
    you choose one
      option low with chosen from your hand where worth > 1
        discard chosen to deck
      option high with chosen from your hand where worth > 2 and worth < 6
        discard chosen to deck
"""
    # The first player is dealt 4c and 3c: both are worth less than 6.
    assert texts(body) == ["low [4c]", "low [3c]", "high [4c]", "high [3c]"]
