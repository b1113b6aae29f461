"""Failing examples explain the result: terms of sums, cards that count, lines of `ties`."""

from __future__ import annotations

import pytest

import cardlang

GAME = """game "Orchard" for 2 players
kind Fruit: Apple (A), Pear (P), Cherry (C)
ordered kind Value: 1 to 8
cards Pack in deck
  1 of each Value, Fruit
zone deck
zone your hand
number your coins
define your worth as total of hand's value
define your wealth as coins + worth - 1
define your score as
  0 when coins = 0
  otherwise wealth
define your bunch as Bunch of hand
define richest as highest of players by coins
ranking Bunch of 3 cards, best first
  "Pair"
    2 Pack of one value
  "Card"
    1 Pack
  ties
    highest when sweet
    higher used's value, highest first
    higher rest's value, highest first
    lower wilds
define Bunch's sweet as any card in used has fruit = Cherry
step play
  deal deck to players' hand
example "Tried" with Ann, Bob
  given
    Ann: hand [{}], coins 3
    Bob: hand [{}], coins 5
  expect {}
"""


@pytest.mark.parametrize(
    ("ann", "bob", "expected", "found"),
    [
        ("2A 5P", "1A", "Ann's worth = 8", "Ann's worth = 7 (2 + 5)"),
        ("2A 5P", "1A", "Ann's wealth = 8", "Ann's wealth = 9 (coins 3 + worth 7 - 1)"),
        ("2A 5P", "1A", "Ann's score = 8", "Ann's score = 9 (coins 3 + worth 7 - 1)"),
        ("2A 5P", "1A", "richest = Ann", "richest = Bob (Ann 3, Bob 5)"),
        ("2A 2P 5A", "1A", "Ann's bunch's title = \"Card\"", "Ann's bunch's title = Pair (by [2A 2P], beside [5A])"),
        (
            "2A 2P 5A",
            "3A 3P 1P",
            "Ann's bunch > Bob's bunch",
            "Ann's bunch = Pair (by [2A 2P], beside [5A]), Bob's bunch = Pair (by [3A 3P], beside [1P]); "
            "`higher used's value` decides",
        ),
        (
            "2A 2P 5A",
            "2C 1P 1A",
            "Bob's bunch > Ann's bunch",
            "Bob's bunch = Pair (by [1P 1A], beside [2C]), Ann's bunch = Pair (by [2A 2P], beside [5A]); "
            "`higher used's value` decides",
        ),
        ("2A 5P", "3C", "Ann's bunch > Bob's bunch", "`highest when sweet` decides"),
        ("5A 2P", "5P 3A", "Ann's bunch > Bob's bunch", "`higher rest's value` decides"),
        ("5A", "5P 3A", "Ann's bunch > Bob's bunch", "`higher rest's value` decides"),
        ("5A 3P", "5P 3A", "Ann's bunch > Bob's bunch", "no line of `ties` decides between them"),
        (
            "2A 2P",
            "8P 3A",
            "Bob's bunch > Ann's bunch",
            "Bob's bunch = Card (by [8P], beside [3A]), Ann's bunch = Pair",
        ),
    ],
)
def test_failing_comparison_names_the_deciding_terms(ann: str, bob: str, expected: str, found: str) -> None:
    outcome = cardlang.loads(GAME.format(ann, bob, expected)).examples[0].run()
    assert not outcome.passed
    assert found in outcome.found
    assert outcome.message == f"Expected {expected}, but found {outcome.found}."
