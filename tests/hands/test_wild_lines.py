"""Several `wild` lines: each card stands for the values of its own line."""

import cardlang

GAME = """
game "Two wilds" for 2 players
kind Suit: Sun (s), Moon (m)
ordered kind Rank: 2 to 6
kind Joke: Small (S), Big (B)
cards Pack in deck
  2 of each Rank, Suit
cards Jokers in deck
  1 of each Joke
zone deck seen by nobody
zone your hand seen by owner
define your strength as Combination of hand
define your score as count of hand
ranking Combination of 3 cards
  "Flush"
    3 Pack of one suit
  "Three"
    3 Pack of one rank
  "High"
    1 Pack
  wild where rank = 6 as any Rank
  wild where it is Jokers as any Pack
step play
  each player
    you choose one
      option stop
"""


def title(hand: str) -> str:
    game = cardlang.loads(GAME)
    return str(game.evaluate("strength", hand=hand).title)


def test_the_second_line_has_its_own_meaning() -> None:
    assert title("2s 3s S") == "Flush"


def test_the_first_line_keeps_the_suit() -> None:
    assert title("2s 3s 6m") == "High"
    assert title("2s 2s 6m") == "Three"
