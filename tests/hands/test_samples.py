"""Samples in a ranking match their rank."""

import pytest

import cardlang
from interpreter.program.sample_hand_check import check_ranking_samples
from tests.game_files import EXAMPLE_DECLARATIONS, EXAMPLE_PLAY_STEP, read_game

RANKING = """\
ranking Hand of 3 cards
  "Pair" like {pair}
    2 Pack of one value
  "Run" like {run}
    3 Pack of consecutive value
define your strength as Hand of hand
"""


def findings(pair: str, run: str) -> list[tuple[str, str]]:
    game = cardlang.loads(EXAMPLE_DECLARATIONS + RANKING.format(pair=pair, run=run) + EXAMPLE_PLAY_STEP)
    return [(finding.code, finding.message) for finding in check_ranking_samples(game)]


def test_correct_samples_give_no_finding() -> None:
    assert findings("[4c 4h]", "[1c 2c 3h]") == []


def test_sample_of_another_rank_is_an_error() -> None:
    game = cardlang.loads(EXAMPLE_DECLARATIONS + RANKING.format(pair="[4c 4h]", run="[2c 2h 3h]") + EXAMPLE_PLAY_STEP)
    (finding,) = check_ranking_samples(game)
    assert finding.message == "This sample of `Run` counts as `Pair`."
    assert finding.span.text == "[2c 2h 3h]"
    assert finding.related[0][0].text == '"Pair"'
    assert not finding.warning


def test_sample_without_a_rank_is_an_error() -> None:
    assert findings("[4c 5h]", "[1c 2c 3h]") == [("E303", "This sample of `Pair` counts as no rank at all.")]


def test_sample_with_too_many_copies_is_an_error() -> None:
    assert findings("[4c 4c]", "[1c 2c 3h]") == [("E303", "The game has 1 of `4c`, but this sample shows 2.")]


@pytest.mark.parametrize("name", ["tall_card", "tall_card_fan"])
def test_samples_of_bundled_games_are_correct(name: str) -> None:
    game = cardlang.load(name)
    assert any(rank.like for ranking in game.rankings.values() for rank in ranking.ranks)
    assert check_ranking_samples(game) == []


WILD = read_game("samples_wild")


def found_with_wilds(three: str, pair: str, high: str, wild: str = "it is Jokers") -> list[str]:
    game = cardlang.loads(
        EXAMPLE_DECLARATIONS + WILD.format(three=three, pair=pair, high=high, wild=wild) + EXAMPLE_PLAY_STEP
    )
    return [finding.message for finding in check_ranking_samples(game)]


def test_samples_are_read_with_wild_cards() -> None:
    assert found_with_wilds("4c 4h X", "4c X", "4c") == []
    assert found_with_wilds("4c X X", "3c 4c X", "2c 4c 6c") == []


def test_sample_promoted_by_a_wild_card_is_an_error() -> None:
    assert found_with_wilds("4c 4h X", "4c 4h X", "4c X") == [
        "This sample of `Pair` counts as `Three`.",
        "This sample of `High` counts as `Pair`.",
    ]


def test_samples_ignore_wild_cards_of_play() -> None:
    """Nobody leads before the game begins, and the score of nobody is no number."""
    assert found_with_wilds("4c 4h X", "4c 4h", "4c", "it is Jokers or leader = owner") == []
    assert found_with_wilds("4c 4h X", "4c 4h", "4c", "it is Jokers and leader = owner") == [
        "This sample of `Three` counts as `Pair`."
    ]


def test_samples_apply_wild_conditions_on_the_card() -> None:
    game = cardlang.loads(
        EXAMPLE_DECLARATIONS
        + WILD.format(three="4c 4h X", pair="4c X", high="4c", wild="value = 9")
        + EXAMPLE_PLAY_STEP
    )
    (ranking,) = game.rankings.values()
    nine = {face.number for face in game.faces if face.code in ("9c", "9h")}
    messages = [found.message for found in check_ranking_samples(game, lambda condition, var, face: face in nine)]
    assert messages == ["This sample of `Three` counts as `Pair`.", "This sample of `Pair` counts as `High`."]
    assert ranking.wilds
