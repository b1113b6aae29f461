"""Caching of hands by card classes: only cards that a ranking can't tell apart share a result."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from interpreter.hands import hand_evaluator
from interpreter.hands.hand_evaluator import MatchCache, classify_cards, find_unordered_limit
from interpreter.runtime.errors import RuleError
from tests.hands.tables import Table, small_game
from tests.hands.test_sets import CASES

RUN = '\nranking Run of all cards\n  "Run"\n    3 or more Numbers of consecutive value\n'
EVEN = '\nranking Even of 2 cards\n  "Two"\n    2 Numbers where value <= 2\n  "Three"\n    3 Numbers\n'
MANY = """
ranking Many of all cards
  "Suits"
    2 or more Numbers plus 2 or more Numbers together of distinct suit
"""


def names(table: Table) -> list[set[str]]:
    found: dict[int, set[str]] = {}
    for card, number in enumerate(classify_cards(table.reader)):
        found.setdefault(number, set()).add(table.game.faces[table.face[card]].code)
    return list(found.values())


def test_card_classes_ignore_unused_traits() -> None:
    table = Table(small_game(RUN, "2 of each Value, Suit"))
    assert names(table) == [{f"{value}{suit}" for suit in "pdb"} for value in "12345T"]
    even = Table(small_game(EVEN), holds=lambda table, _, face: table.column("value", face) <= 2)
    assert len(names(even)) == 2


@pytest.mark.parametrize("case", CASES)
def test_cached_hands_equal_fresh_ones(case: str) -> None:
    """In every order, with cards named twice, and for all small hands of a few cards."""
    table, chance = CASES[case](), Random(3)
    known = MatchCache(table.reader)
    hands = [list(hand) for size in range(1, 5) for hand in combinations(table.cards[:9], size)]
    hands += table.hands(150, [2, 3, 4, 5, 7, 9])
    hands += [[*hand, chance.choice(hand)] for hand in hands[::3]]
    for hand in hands:
        chance.shuffle(hand)
        assert known.is_rank(hand) == table.reader.is_rank(hand)
    assert 0 < sum(known.cached_results.values()) < len(known.cached_results) < len(hands)


def test_repeated_card_counts_once() -> None:
    """A six that counts low as well begins and ends the run, if there are two of them."""
    table = Table(small_game(RUN.replace("value\n", "value with Top lowest\n")))
    known, run = MatchCache(table.reader), table.hand("1p 2p 3p 4p 5p Tp Td")
    assert known.is_rank(run)
    assert not known.is_rank([*run[:-1], run[-2]])


def test_hand_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_evaluator, "MATCH_CACHE_SIZE", 10)
    table = Table(small_game(RUN))
    known = MatchCache(table.reader)
    for hand in table.hands(100, [3, 4]):
        assert known.is_rank(hand) == table.reader.is_rank(hand)
        assert len(known.cached_results) <= 10


def test_large_hands_are_cached_by_order() -> None:
    """One group, high and low, or none: 3 ways a card, and 100,000 are looked at. So much order makes no difference."""
    table = Table(small_game(RUN, "3 of each Value, Suit"))
    assert find_unordered_limit(table.reader) == 10
    known = MatchCache(table.reader)
    cards = table.cards[::4][:11]
    for hand in (cards[:10], cards[9::-1], cards, cards[::-1]):
        known.is_rank(hand)
    assert len(known.cached_results) == 3


def test_unreadable_hands_are_not_cached() -> None:
    table = Table(small_game(MANY, "9 of each Value, Suit"))
    known = MatchCache(table.reader)
    with pytest.raises(RuleError):
        known.is_rank(table.cards[:40])
    assert not known.cached_results
