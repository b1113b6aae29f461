"""Choices of cards that must form a rank: exactly the valid selections are legal."""

from pathlib import Path
from random import Random

import pytest

import cardlang
from cardlang.model import Game
from interpreter.program.program import compile_game
from tests.game_files import read_game

CLASSICS = Path(__file__).parents[2] / "games" / "classics"


def list_random_choices(game: Game, players: int, seed: int, decisions: int) -> list[tuple[int, list[int]]]:
    """Return the players and legal moves of a random match."""
    program = compile_game(game, players)
    state, random = program.start(seed), Random(seed)
    asked = []
    while state.who >= 0 and len(asked) < decisions:
        asked.append((state.who, list(state.legal)))
        program.apply(state, state.legal[random.randrange(len(state.legal))])
    return asked


@pytest.mark.parametrize(
    ("name", "condition", "plainer"),
    [
        ("big_two", "batch is Combination", "not (batch is not Combination)"),
        ("rummy_500", "group is Meld", "not (group is not Meld)"),
    ],
)
def test_ranked_choices_equal_brute_force(name: str, condition: str, plainer: str) -> None:
    """Said otherwise, the condition is not known to be about a ranking, and every choice is tried."""
    text = (CLASSICS / f"{name}.cardgame").read_text("utf-8")
    assert text.count(condition) >= 2
    searched, tried = cardlang.loads(text), cardlang.loads(text.replace(condition, plainer))
    for seed in (1, 2):
        assert list_random_choices(searched, searched.seats[0], seed, 120) == list_random_choices(
            tried, tried.seats[0], seed, 120
        )


def test_ranked_choices_among_copies_equal_brute_force() -> None:
    """Equal cards are one move, so the search must go on when it has met only copies."""
    text = read_game("copies_ranked_choices")
    searched, tried = cardlang.loads(text), cardlang.loads(text.replace("batch is Match", "not (batch is not Match)"))
    for seed in range(5):
        assert list_random_choices(searched, 2, seed, 60) == list_random_choices(tried, 2, seed, 60)


PAIRS = read_game("pairs_ranked_choices")


def test_ranked_choice_checks_other_conditions() -> None:
    (example,) = cardlang.loads(PAIRS).examples
    outcome = example.run()
    assert outcome.passed, outcome.message


BIDS = read_game("bids")


def test_ranked_choice_explains_refusals() -> None:
    game = cardlang.loads(BIDS)
    outcome = game.examples[0].run()
    assert outcome.passed, outcome.message
    with pytest.raises(ValueError, match="from 0 to 3"):
        game.start(2, 1).choose("5")
