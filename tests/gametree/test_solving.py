"""Solutions of games with known solutions."""

from pathlib import Path

import pytest
from attrs import evolve

import cardlang
from interpreter.gametree.cfr_solver import Solution, get_move_probabilities, solve_sequence_form
from interpreter.gametree.sequence_form import (
    SequenceForm,
    SolvableGame,
    UnsolvableError,
    build_sequence_form,
    estimate_tree_size,
    prepare_game,
)
from tests.gametree.solved_games import ROCK, TAKING

GAMES = Path(__file__).parents[1] / "adapters" / "games"


def tree_of(name: str) -> SequenceForm:
    return build_sequence_form(prepare_game(cardlang.load(GAMES / f"{name}.cardgame")), 10_000)


def text(rules: str, results: str | None = None) -> SolvableGame:
    return prepare_game(cardlang.loads(rules), results)


def moves(solution: Solution, seat: int, *sees: str, heard: str | None = None) -> dict[str, float]:
    """Return the strategy of a player at the first decision with this view and last event."""
    for state in solution.tree.sides[seat].states:
        if state.visible_piles == sees and heard in (None, *state.choices[-1:]):
            return dict(zip(state.moves, get_move_probabilities(solution, seat, state), strict=True))
    raise AssertionError(f"nobody sees {sees}")


def test_kuhn_poker_costs_the_first_player_an_eighteenth() -> None:
    """Kuhn 1950: the first player bets a king three times as often as a jack, and the second calls with a queen and
    bluffs with a jack one time in three."""
    solution = solve_sequence_form(tree_of("kuhn_2"), 1e-5, 100_000)
    assert solution.value == pytest.approx(-1 / 18, abs=1e-5)
    assert solution.exploitability <= 1e-5
    jack, queen, king = (moves(solution, 0, f"Ann's hand [{face}]") for face in "JQK")
    assert jack["bet 1"] <= 1 / 3 + 1e-3 and king["bet 1"] == pytest.approx(3 * jack["bet 1"], abs=0.01)
    assert queen["check"] == pytest.approx(1, abs=0.01)
    assert moves(solution, 1, "Bob's hand [Q]", heard="Ann bets 1.")["call"] == pytest.approx(1 / 3, abs=0.01)
    assert moves(solution, 1, "Bob's hand [J]", heard="Ann checks.")["bet 1"] == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.slow
def test_leduc_poker_has_its_known_value() -> None:
    """-0.0856 is the value that is known. No rule reads a suit, so of 936 information states 288 are left."""
    tree = tree_of("leduc")
    assert [len(side.states) for side in tree.sides] == [144, 144]
    assert solve_sequence_form(tree, 4e-4, 10_000).value == pytest.approx(-0.0856, abs=1e-3)


@pytest.mark.slow
def test_merging_equal_cards_keeps_value_and_exploitability() -> None:
    setting = prepare_game(cardlang.load(GAMES / "leduc.cardgame"))
    apart = evolve(setting, classes=tuple((face.number,) for face in setting.game.faces))
    one, other = (solve_sequence_form(build_sequence_form(each, 10_000), 0, 30) for each in (setting, apart))
    assert other.tree.decisions > 4 * one.tree.decisions
    assert one.value == pytest.approx(other.value) and one.best_response_values == pytest.approx(
        other.best_response_values
    )


def test_simultaneous_choices_are_solved() -> None:
    solution = solve_sequence_form(build_sequence_form(text(ROCK), 100), 1e-3, 100_000)
    assert solution.value == pytest.approx(0, abs=2e-3)
    for seat, player in enumerate(("Ann", "Bob")):
        shares = moves(solution, seat, f"{player}'s hand [R] [P] [S]")
        assert [shares[f"play [{sign}]"] for sign in "RPS"] == pytest.approx([1 / 4, 1 / 2, 1 / 4], abs=0.01)


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8])
def test_perfect_information_game_is_solved(count: int) -> None:
    """Nim: whoever is left a multiple of four has lost, and each decision is known alone."""
    tree = build_sequence_form(text(TAKING.format(count=count)), 10_000)
    solution = solve_sequence_form(tree, 1e-6, 1000)
    assert solution.value == pytest.approx(-1 if count % 4 == 0 else 1, abs=1e-5)
    assert sum(len(side.states) for side in tree.sides) <= tree.decisions
    if count % 4:
        assert moves(solution, 0, f"heap {' '.join(['[C]'] * count)}")[str(count % 4)] == pytest.approx(1)


def test_constant_sum_games_are_solved() -> None:
    """With eight cards to share the second player is left one more than with a score that sums to nothing."""
    shared = ROCK.replace("number your score", "number your score starts at 0").replace(
        "step play\n", "step play\n  each player\n    add 4 to your score\n"
    )
    solution = solve_sequence_form(build_sequence_form(text(shared), 100), 1e-3, 100_000)
    assert solution.tree.total == 8 and solution.value == pytest.approx(4, abs=2e-3)
    assert solution.exploitability <= 1e-3


def test_tree_size_estimate_is_close() -> None:
    for name in ("kuhn_2", "leduc"):
        setting = prepare_game(cardlang.load(GAMES / f"{name}.cardgame"))
        assert estimate_tree_size(setting) == pytest.approx(build_sequence_form(setting, 10_000).decisions, rel=0.5)


# ---------------------------------------------------------------- what is not solved
def test_three_player_games_are_rejected() -> None:
    with pytest.raises(UnsolvableError, match="only games for two"):
        prepare_game(cardlang.load(GAMES / "kuhn_3.cardgame"))


def test_general_sum_games_are_rejected() -> None:
    setting = prepare_game(cardlang.load(GAMES / "goofspiel_3.cardgame"))
    with pytest.raises(UnsolvableError, match="--results place"):
        estimate_tree_size(setting)
    with pytest.raises(UnsolvableError, match="--results place"):
        build_sequence_form(setting, 10_000)
    assert estimate_tree_size(prepare_game(setting.game, "place")) > 100


def test_large_trees_are_rejected() -> None:
    with pytest.raises(UnsolvableError, match="more than 20 decisions"):
        build_sequence_form(prepare_game(cardlang.load(GAMES / "kuhn_2.cardgame")), 20)


def test_endless_games_are_rejected() -> None:
    endless = TAKING.format(count=3).replace(
        "repeat until heap is empty", "repeat until last = nobody and heap is empty"
    )
    endless = endless.replace("move top number of heap to gone", "set last to you")
    with pytest.raises(UnsolvableError, match="had not ended"):
        estimate_tree_size(text(endless))
