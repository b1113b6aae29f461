"""What one's own hand is worth, and what is told beside it."""

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


BOARD = (
    (
        RANKED.replace("zone box", "zone board\nzone box")
        .replace("Standing of hand", "Standing of (hand, board)")
        .replace("(first of players)'s hand\n", "(first of players)'s hand\n  move [{board}] to board\n")
        .replace(
            "step play\n  each",
            "step play\n  do first-round\n  turn top 1 of box to board\n  do second-round\n\nstep first-round\n  each",
        )
    )
    + """
step second-round
  each player
    you may put 1 from your hand to box
"""
)


def on_board(cards: str, board: str) -> Match:
    match = cardlang.loads(BOARD.format(cards=cards, board=board)).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    return match


def detail(match: Match) -> str:
    (reading,) = match.table("Ann").readings
    return reading.detail


def test_a_rank_stands_alone_where_nothing_more_is_to_be_said() -> None:
    assert held("4a 4b 9a") == ("Pair of fours", "")
    assert held("1a 4b 9a")[1] == ""


def test_what_the_next_card_makes_of_a_hand_is_told_while_one_comes() -> None:
    """Of the eighteen cards Ann sees three: of the fifteen others the two threes and the two sixes follow 4 and 5."""
    match = on_board("4a 5b", "9a")
    assert detail(match) == "with the next card: Three in a row (4 of 15 cards)."
    match.choose("pass")
    assert match.decision is not None and "next card" not in detail(match)


def test_a_pair_that_lies_on_the_board_is_everybodys() -> None:
    assert detail(on_board("4a 7b", "9a 9b")).startswith("all of it is on the board: everybody has it.")
    assert "everybody" not in detail(on_board("4a 9b", "9a 7b"))


def test_what_a_wild_card_counts_as_is_told_with_the_hand() -> None:
    """A three that is wild, beside an eight and lower cards, makes a pair of eights."""
    text = RANKED.replace("    1 Numbers\n", "    1 Numbers\n  wild where value = 3 as any Numbers\n")
    match = cardlang.loads(text.format(cards="3a 8b 5a")).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    (reading,) = match.table("Ann").readings
    assert reading.text == "Pair of eights"
