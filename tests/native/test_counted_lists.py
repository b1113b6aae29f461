"""Step counts of list loops are the same in both engines, whatever the optimizer removes."""

from pathlib import Path

import pytest

import cardlang
from cardlang import storage
from interpreter.lower import work_bounds_and_unique_lists
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, find_constructs, follow, needs_either
from tests.native.test_engine_equality import RARE

pytestmark = needs_either
ASKING = read_game("asking")
QUESTIONS = {
    "any": "if any player has (reds > kept)",
    "every": "if every player has (reds > kept)",
    "is there a list": "if (players where reds > kept) is not empty",
    "something absent": "if your best-red < highest of (your left's hand where rank < 11)'s rank",
    "subsets of a size": "if count of (every 2 cards from your hand as pair when total of pair's rank > 10) > kept",
}
"""Each of these was found, or may be found, without going through all lists in it."""


@pytest.fixture(autouse=True)
def all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_bounds_and_unique_lists, "COUNTED_WORK_LIMIT", 1)


def count_equal_decisions(game: cardlang.Game, matches: int, most: int = 120) -> int:
    """Count decisions without differences, step counts included."""
    program, native = compile_game(game, game.seats[0]), build_engine(game, game.seats[0], QUICK)
    assert program.lowering.work_estimator.is_work_large
    return sum(follow(program, native, seed, most) for seed in range(matches))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_list_questions_take_equal_steps(question: str) -> None:
    assert count_equal_decisions(cardlang.loads(ASKING.replace("{question}", question)), 5) == 5 * 40


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cribbage", "tall_card", "seven_card_stud", "texas_holdem", RARE], ids=str)
def test_bundled_games_take_equal_steps(name: str | Path) -> None:
    assert count_equal_decisions(cardlang.load(storage.find_game_file(name) if isinstance(name, str) else name), 5) > 20


RANGES = read_game("ranges")


def test_nested_ranges_take_equal_steps() -> None:
    game = cardlang.loads(RANGES)
    program, native = compile_game(game, 3), build_engine(game, 3, QUICK)
    assert "counted()" in find_constructs(program)
    for seed in range(10):
        follow(program, native, seed, 100)
