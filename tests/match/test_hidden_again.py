"""`hide`, and names for the items of loops: knowledge, results, errors, and equal engines."""

from __future__ import annotations

import pytest

import cardlang
from tests.errors import find_error
from tests.game_files import read_game

GAME = read_game("memory")


def test_players_forget_hidden_cards() -> None:
    match = cardlang.loads(GAME).start(["Ann", "Bob"], seed=1)
    match.choose("A")
    assert any(match.state.known)
    for spot in "BCDEF":
        other = match.clone()
        other.choose(spot)
        if other.scores == match.scores:  # no pair
            assert not any(other.state.known)
            return
    raise AssertionError("five ranks make five pairs")


def test_players_know_the_other_cards_of_a_zone() -> None:
    text = GAME.replace("  shuffle deck\n", "  shuffle deck\n  reveal deck\n  hide deck where rank > 3\n", 1)
    match = cardlang.loads(text).start(["Ann", "Bob"], seed=1)
    assert sum(map(bool, match.state.known)) == 4 * 3  # four copies of ranks 1 to 3


def test_samples_differ_in_hidden_cards() -> None:
    match = cardlang.loads(GAME).start(["Ann", "Bob"], seed=1)
    match.choose("A")
    match.choose(next(spot for spot in "BCDEF" if match.clone().choose(spot) is None))
    worlds = {tuple(map(tuple, match.sample("Ann", seed).state.z)) for seed in range(20)}
    assert len(worlds) > 1


def test_named_players_leave_you_alone() -> None:
    example = """
example "Each other player with a point gets one from Ann" with Ann, Bob, Cat
  given
    Ann: score 5, pile [1 5 5]
    Bob: score 1
  do Ann's serving
  expect Ann's score = 4 and Bob's score = 2 and Cat's score = 0 and Ann's pile = [1]
"""
    (result,) = [each.run() for each in cardlang.loads(GAME + example).examples]
    assert result.passed, result.message


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        pytest.param("hide players' pile", "E214", id="a pile that all players see"),
        pytest.param("hide highest of players' pile by rank", "E214", id="a card that all players see"),
        pytest.param("hide 3", "E223", id="no cards"),
        pytest.param(
            "together each player as p\n    you may draw 1 from top of deck to your pile", "E214", id="together"
        ),
        pytest.param("each player as p\n    add 1 to your score", "E228", id="your, without a player"),
    ],
)
def test_misuse_is_one_error(lines: str, code: str) -> None:
    found = find_error(f"{GAME.partition('step play')[0]}step play\n  {lines}\n")
    assert found.code == code and found.hint


def test_number_can_be_low_in_runs() -> None:
    text = f"""{GAME}
ranking Runs of all cards
  "Run"
    3 Pack of consecutive rank with 5 lowest
example "5 1 2 is a run" with Ann, Bob
  expect [5 1 2] is Runs and [2 4 5] is not Runs
"""
    (result,) = [each.run() for each in cardlang.loads(text).examples]
    assert result.passed, result.message
