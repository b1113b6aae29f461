"""Cards that a choice of several can start with."""

from collections.abc import Sequence

from interpreter.runtime.legal_card_combinations import find_possible_items


def adds_up_to_six(cards: Sequence[int]) -> bool:
    return sum(cards) == 6


def test_possible_items_belong_to_a_valid_choice() -> None:
    assert find_possible_items([1, 2, 4, 5, 9], 2, 2, adds_up_to_six) == [1, 2, 4, 5]
    assert find_possible_items([1, 2, 3, 9], 3, 3, adds_up_to_six) == [1, 2, 3]
    assert find_possible_items([9, 10], 1, 2, adds_up_to_six) == []


def test_useless_combinations_are_skipped() -> None:
    tried: list[tuple[int, ...]] = []

    def test(cards: Sequence[int]) -> bool:
        tried.append(tuple(cards))
        return True

    assert find_possible_items(range(5), 1, 5, test) == [0, 1, 2, 3, 4]
    assert tried == [(0,), (1,), (2,), (3,), (4,)]
