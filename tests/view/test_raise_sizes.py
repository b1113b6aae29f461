"""Names of raise sizes, and the cost of computing many."""

from __future__ import annotations

from typing import Any

import pytest

import cardlang
from interpreter.knowledge import taint_tracking
from interpreter.match import decision_description
from interpreter.narration import decision_text
from interpreter.view import action_menu
from interpreter.view.table_model import from_json
from tests.game_files import read_game

GAME = read_game("raises")


def name_sizes(words: str, most: int = 20) -> list[str]:
    """Return the names of the sizes, the smallest first."""
    match = cardlang.loads(GAME.format(most=most, words=words)).start(2, 1)
    table = match.table(0)
    assert table.ask is not None
    (amount,) = table.ask.amounts
    assert amount.amounts == tuple(range(1, most + 1))
    assert from_json(table.json()) == table
    return [amount.get_label(number) for number in amount.amounts]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("by {amount}", lambda n: f"By {n}"),
        ("to {pot + amount}", lambda n: f"To {7 + n}"),
        ("to {2 * amount - pot}", lambda n: f"To {2 * n - 7}"),
        ("to {lowest of (pot + amount, your chips)}", lambda n: f"To {min(7 + n, 20)}"),
        ("to {highest of (3 * amount, pot, your chips)}", lambda n: f"To {max(3 * n, 7, 20)}"),
        ("to {amount * amount}", lambda n: f"To {n * n}"),
        ("half: {amount / 2}", lambda n: f"Half: {n // 2 or ''}{'½' * (n % 2)}"),
        ("down to {whole of (amount / 3)}", lambda n: f"Down to {n // 3}"),
        ("from {pot} to {pot + amount}", lambda n: f"From 7 to {7 + n}"),
    ],
)
def test_raise_sizes_have_their_own_labels(words: str, said: Any) -> None:
    assert name_sizes(words) == [said(number) for number in range(1, 21)]


@pytest.mark.parametrize(
    "words", ["to {total of players' luck + amount}", "to {lowest of (amount, total of players' luck)}"]
)
def test_raise_labels_hide_secrets_of_others(words: str) -> None:
    """They have no words, only the name of the option."""
    assert name_sizes(words) == [f"Raise {number}" for number in range(1, 21)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("by {amount}", lambda n: f"By {n}"),
        ("by {amount}, paying {pot + amount}, of {pot}", lambda n: f"By {n}, paying {7 + n}, of 7"),
        ("to {2 * amount - pot} or {(pot - amount) * 3}", lambda n: f"To {2 * n - 7} or {3 * (7 - n)}"),
        ("{amount + your luck}", lambda n: f"{n + 3}"),
        ("to {lowest of (pot + amount, your chips)}", lambda n: f"Raise {n}"),
        ("to {amount * amount}", lambda n: f"Raise {n}"),
        ("half: {amount / 2}", lambda n: f"Raise {n}"),
        ("to {total of players' luck + amount}", lambda n: f"Raise {n}"),
    ],
)
def test_thousands_of_sizes_have_one_pattern(monkeypatch: pytest.MonkeyPatch, words: str, said: Any) -> None:
    described: list[object] = []
    build = decision_description.build_move_view
    monkeypatch.setattr(
        decision_description, "build_move_view", lambda *given: described.append(given[-1]) or build(*given)
    )
    assert name_sizes(words, 3000) == [said(number) for number in range(1, 3001)]
    assert len(described) == 4  # the first and last size, leaving and passing


def test_view_of_thousands_of_sizes_is_the_same_in_each_copy() -> None:
    match = cardlang.loads(GAME.format(most=3000, words="by {amount}")).start(2, 1)
    view, other = match.view(0), match.clone().view(0)
    assert view == other and hash(view.asking.moves) == hash(other.asking.moves)  # type: ignore[union-attr]
    assert view.asking.moves[2998:3000][1].label == "By 3000"  # type: ignore[union-attr]


def test_raise_labels_may_use_own_secrets() -> None:
    assert name_sizes("to {your luck + amount}") == [f"To {3 + number}" for number in range(1, 21)]


def test_large_sizes_are_exact() -> None:
    large = 2**45
    assert name_sizes(f"to {{{large} + amount}}", 3) == [f"To {large + number}" for number in (1, 2, 3)]


def test_raise_labels_need_few_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[object] = []

    def counted(*given: Any) -> tuple[Any, int]:
        worked.append(given)
        return taint_tracking.evaluate_with_knowers(*given)

    monkeypatch.setattr(decision_text, "evaluate_with_knowers", counted)
    assert name_sizes("to {lowest of (pot + amount, your chips)}", 10)[-1] == "To 10"
    few = len(worked)
    assert name_sizes("to {lowest of (pot + amount, your chips)}", 1000)[-1] == "To 1000"
    assert len(worked) == 2 * few > 0


def test_common_label_start_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    begun = action_menu.find_common_beginning

    def counted(labels: Any) -> str:
        looked.append(len(labels))
        return begun(labels)

    monkeypatch.setattr(action_menu, "find_common_beginning", counted)
    name_sizes("to {pot + amount}", 500)
    assert looked == [2]


def test_moves_of_a_decision_are_described_once(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[object] = []
    build = decision_description.build_move_view
    monkeypatch.setattr(
        decision_description, "build_move_view", lambda *given: described.append(given[-1]) or build(*given)
    )
    match = cardlang.loads(GAME.format(most=50, words="by {amount}")).start(2, 1)
    for _ in range(3):
        assert match.table(0).ask is not None and match.view(0).asking is not None
    assert len(described) == len(match.decision.moves if match.decision else ())
