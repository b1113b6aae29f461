"""Comparison of poker games with PokerKit."""

import pytest

pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed: pip install pokerkit")

from tests.adapters.poker import compare_hands, play_hands  # noqa: E402


@pytest.mark.slow
def test_hand_comparisons_equal_pokerkit() -> None:
    results = compare_hands(pokerkit, 2000, seed=1)
    assert results.total() == 2000 and len(results) >= 7


def test_no_limit_hands_equal_pokerkit() -> None:
    decisions, notes = play_hands(pokerkit, 60, seed=0)
    assert decisions > 300 and set(notes) <= {
        "raise there only, after a first all-in that is less than the big blind",
        "odd chips of several pots with the same winners",
    }
