"""Ties broken by a number of the cards used, in a whole game."""

from __future__ import annotations

import pytest

import cardlang

TEXT = """
game "Pairs" for 2 players
kind Suit: Low (l), High (h)
ordered kind Rank: 1 to 4
cards Pack in deck
  1 of each Rank, Suit
zone deck seen by nobody
zone your hand
define your score as count of hand
define card's weight as 10 * rank
ranking Pair of all cards
  "Pair"
    2 Pack of one suit
  ties
    higher {line}
step play
  deal deck to players' hand
example "Ties" with Ann, Bob
  given
    Ann: hand [{better}]
    Bob: hand [{worse}]
  expect Pair of Ann's hand > Pair of Bob's hand
"""


@pytest.mark.parametrize(
    ("line", "better", "worse"),
    [
        ("highest of used's rank", "1h 4h", "2l 3l"),
        ("lowest of used's rank", "2h 3h", "1l 4l"),
        ("total of used's weight", "2h 4h", "1l 4l"),
        ("total of used's rank", "2h 4h", "1l 4l"),
        ("used's weight, highest first", "1h 4h", "2l 3l"),
    ],
)
def test_a_line_of_ties_compares_the_cards_used(line: str, better: str, worse: str) -> None:
    game = cardlang.loads(TEXT.format(line=line, better=better, worse=worse).lstrip())
    assert [example.run().passed for example in game.examples] == [True]


CHANGING = """
game "Tides" for 2 players
kind Suit: Low (l), High (h)
ordered kind Rank: 1 to 4
cards Pack in deck
  1 of each Rank, Suit
zone deck seen by nobody
zone your hand
Suit tide
define your score as count of hand
ranking Pair of all cards
  "Pair"
    2 Pack of one {trait}
  "Other"
    2 Pack
  {line}
step play
  deal deck to players' hand
example "The tide turns" with Ann, Bob
  given
    tide Low
    Ann: hand [1l 4l]
    Bob: hand [1h 4h]
  expect Pair of Ann's hand > Pair of Bob's hand
  given
    tide High
    Ann: hand [1l 4l]
    Bob: hand [1h 4h]
  expect Pair of Ann's hand < Pair of Bob's hand
"""


@pytest.mark.parametrize(
    ("trait", "line"),
    [
        ("suit", "ties\n    highest when any card in used has suit = tide"),
        ("rank", "wild where suit = tide as any Pack"),
    ],
)
def test_cached_hand_follows_changed_tracks(trait: str, line: str) -> None:
    """The same cards, with another suit that breaks the tie or is wild."""
    (example,) = cardlang.loads(CHANGING.format(trait=trait, line=line).lstrip()).examples
    outcome = example.run()
    assert outcome.passed, outcome.message
