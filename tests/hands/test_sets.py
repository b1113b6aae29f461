"""Selections that make a rank: the ranking's result against trying every selection."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.hands.tables import Table, small_game
from tests.hands.test_patterns import ODD, ODD_RANKING, POKER, odd_condition, values

MELDS = """
ranking Meld of groups
  "Set"
    3 or more Numbers of one value
  "Run"
    3 or more Numbers of one suit and consecutive value
  lower total of rest's value
"""
PLAIN = POKER.format(low=" with Top lowest", wild="")
CASES = {
    "plain": lambda: Table(small_game(PLAIN), values),
    "copies": lambda: Table(small_game(PLAIN, "2 of each Value, Suit"), values),
    "groups": lambda: Table(small_game(MELDS, "2 of each Value, Suit")),
    **{pattern: lambda pattern=pattern: odd(pattern) for pattern in ODD},
}


def odd(pattern: str) -> Table:
    ranking = ODD_RANKING.format(size="all", pattern=pattern).partition("  wild")[0]
    return Table(small_game(ranking, values="1 to 4, Top (T)"), holds=odd_condition)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_rank_sets_equal_brute_force(case: str) -> None:
    table = CASES[case]()
    some = 0
    for hand in table.hands(20, [2, 6, 8, 10]):
        for low, high in ((1, 5), (3, 3), (4, 8)):
            found = {frozenset(cards) for cards in table.reader.find_rank_sets(hand, low, high)}
            sizes = range(low, high + 1)
            tried = (frozenset(cards) for size in sizes for cards in combinations(hand, size))
            assert found == {cards for cards in tried if table.reader.is_rank(sorted(cards))}
            some += len(found)
    assert some > 50


def test_rank_set_search_is_bounded() -> None:
    """No four of the eighteen cards have four suits, and there are too many to try them all."""
    ranking = '\nranking Meld of all cards\n  "Suits"\n    5 Numbers of distinct suit\n'
    table = Table(small_game(ranking, "3 of each Value, Suit"))
    assert list(table.reader.find_rank_sets(table.cards, 1, 5)) == []
