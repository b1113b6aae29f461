"""Rankings `of groups`: the split with the least remainder, and laying off on other groups."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from tests.game_files import read_game
from tests.hands.tables import Table, small_game

RUMMY = read_game("layout_ranking")


@pytest.fixture(scope="module")
def rummy() -> Table:
    return Table(small_game(RUMMY.format(wild=""), values="1 to 10"))


def find_least(table: Table) -> list[int]:
    return [int(table.column("value", face.number)) + 1 for face in table.game.faces]


def compute_remainder(table: Table, codes: str, wild: list[bool] | None = None) -> int:
    reading = table.reader.find_best_split(table.hand(codes), find_least(table), wild)
    assert sorted((*reading.used, *reading.rest)) == sorted(table.hand(codes))
    assert sum(find_least(table)[table.face[card]] for card in reading.rest) == -reading.strength[0]
    return -reading.strength[0]


def test_split_minimizes_the_remainder(rummy: Table) -> None:
    assert compute_remainder(rummy, "8p 8d 8b 9b 10b 2p 3p 4p 1d") == 8 + 8 + 1  # the run 8 9 10 beats the three 8s
    assert compute_remainder(rummy, "7p 7d 7b 8b 9b 10b 2p 2d") == 2 + 2
    assert compute_remainder(rummy, "1p 3p 5d") == 9
    assert compute_remainder(rummy, "1p 2p 3p 4p 5p") == 0
    assert compute_remainder(rummy, "") == 0


def test_split_has_titles_and_groups(rummy: Table) -> None:
    reading = rummy.reader.find_best_split(rummy.hand("8p 8d 8b 1p 2p 3p 10d"), find_least(rummy))
    assert sorted(reading.title.split(", ")) == ["Run", "Set"]
    assert sorted(map(len, reading.groups)) == [3, 3] and reading.rest == tuple(rummy.hand("10d"))


def test_splits_equal_brute_force(rummy: Table) -> None:
    for hand in rummy.hands(60, [7, 8, 9]):
        reading = rummy.reader.find_best_split(hand, find_least(rummy))
        assert -reading.strength[0] == find_least_slowly(rummy, frozenset(hand))


def find_least_slowly(table: Table, hand: frozenset[int]) -> int:
    """Return the least remainder of a hand, by trying every first meld, then the rest."""
    melds = [frozenset(m) for n in range(3, len(hand) + 1) for m in combinations(hand, n) if is_meld(table, m)]

    @cache
    def best(cards: frozenset[int]) -> int:
        alone = sum(table.of_card("value", card) + 1 for card in cards)
        return min([alone, *(best(cards - meld) for meld in melds if meld <= cards)])

    return best(hand)


def is_meld(table: Table, cards: tuple[int, ...]) -> bool:
    values = sorted(table.of_card("value", card) for card in cards)
    one_suit = len({table.of_card("suit", card) for card in cards}) == 1
    return len(set(values)) == 1 or (one_suit and values == list(range(values[0], values[0] + len(values))))


def test_layoffs_reduce_the_remainder(rummy: Table) -> None:
    other = rummy.reader.find_best_split(rummy.hand("8p 8d 1b 2b 3b 8b"), find_least(rummy))
    assert sorted(map(len, other.groups)) == [3, 3]
    mine = rummy.hand("4b 5b 7b 10p 9p")
    beside = rummy.reader.find_split_with_layoffs(mine, other, find_least(rummy))
    assert sorted(beside.rest) == sorted(rummy.hand("7b 10p 9p")) and beside.strength == (-26,)
    alone = rummy.reader.find_best_split(mine, find_least(rummy))
    assert alone.strength == (-35,) and alone < beside


def test_card_is_laid_off_or_melded(rummy: Table) -> None:
    other = rummy.reader.find_best_split(rummy.hand("1b 2b 3b"), find_least(rummy))
    beside = rummy.reader.find_split_with_layoffs(rummy.hand("4b 4p 4d 10p"), other, find_least(rummy))
    assert beside.strength == (-10,) and len(beside.groups) == 1
    beside = rummy.reader.find_split_with_layoffs(rummy.hand("4b 5b 6b 7b 10p"), other, find_least(rummy))
    assert beside.strength == (-10,)


def test_splits_use_wild_cards() -> None:
    table = Table(small_game(RUMMY.format(wild="wild where value = 1 as any Numbers"), values="1 to 10"))
    assert compute_remainder(table, "1p 9d 9b 5p", [True, False, False, False]) == 5
    assert compute_remainder(table, "1p 9d 9b 5p") == 1 + 9 + 9 + 5
    assert compute_remainder(table, "1p 7d 9d 10d 8d 5p", [True] + [False] * 5) == 5
