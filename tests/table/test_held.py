"""What one's own hand is worth, and where that stands among all ranks."""

from __future__ import annotations

import cardlang
from interpreter.matches.match import Match

RANKED = """\
game "Ranked" for 2 players

kind Suit: Ashes (a), Birches (b)
ordered kind Value: 1 to 9
cards Numbers in box
  1 of each Value, Suit
zone box seen by nobody
zone your hand seen by owner
number your score

ranking Standing of 3 cards, best first
  "Three in a row"
    3 Numbers of consecutive value
  "Pair"
    2 Numbers of one value
  "Single"
    1 Numbers

define your standing as Standing of hand
show your standing

step setup
  move [{cards}] to (first of players)'s hand

step play
  each player
    you may put 1 from your hand to box
"""


def held(cards: str) -> tuple[str, str]:
    match = cardlang.loads(RANKED.format(cards=cards)).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    (reading,) = match.table("Ann").readings
    return reading.text, reading.detail


def test_a_rank_has_its_place_among_all() -> None:
    assert held("4a 4b 9a") == ("Pair of fours", "1 of 3 Standings is better.")
    assert held("6a 5b 7a")[1] == "no Standing is better."
    assert held("1a 4b 9a")[1] == "2 of 3 Standings are better."


def test_what_a_wild_card_counts_as_is_told_with_the_hand() -> None:
    """A three that is wild, beside an eight and lower cards, makes a pair of eights."""
    text = RANKED.replace("    1 Numbers\n", "    1 Numbers\n  wild where value = 3 as any Numbers\n")
    match = cardlang.loads(text.format(cards="3a 8b 5a")).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    (reading,) = match.table("Ann").readings
    assert reading.text == "Pair of eights"
