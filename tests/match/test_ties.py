"""Ties broken by a number of the cards used, in a whole game."""

import pytest

import cardlang
from tests.game_files import read_game

TEXT = read_game("pairs_ties")


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


CHANGING = read_game("tides")


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
