"""Failing examples explain the result: terms of sums, cards that count, lines of `ties`."""

import pytest

import cardlang
from tests.game_files import read_game

GAME = read_game("orchard_failure_reasons")


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
