"""Orders that compare lists by their larger groups."""

import pytest

import cardlang
from tests.game_files import read_game

GAME = read_game("group_orders")
HANDS = (("1S 1M 9S", "3S 3M 2T", "8S 7S 6S"), ("1S 1M 9S", "1T 3S 3M", "2S 2M 9M"))


@pytest.mark.parametrize(
    ("how", "hands", "places"),
    [
        ("higher", HANDS[0], [2, 1, 3]),  # a pair of 3, a pair of 1, no pair
        ("lower", HANDS[0], [1, 2, 3]),  # a pair of 1, a pair of 3, no pair
        ("higher", HANDS[1], [3, 1, 2]),
        ("lower", HANDS[1], [1, 3, 2]),
    ],
)
def test_larger_groups_outrank_smaller_ones(how: str, hands: tuple[str, ...], places: list[int]) -> None:
    names = ("Ann", "Bob", "Cat")
    given = "".join(f"    {name}: hand [{hand}]\n" for name, hand in zip(names, hands, strict=True))
    order = [names[places.index(place)] for place in (1, 2, 3)]
    best = f"  expect (first of (players ranked by standing)) = {order[0]}\n"
    last = f"  expect (last of (players ranked by standing)) = {order[2]}\n"
    text = GAME.format(how=how) + 'example "Who is first" with Ann, Bob, Cat\n  given\n' + given + best + last
    for example in cardlang.loads(text).examples:
        outcome = example.run()
        assert outcome.passed, outcome.message
