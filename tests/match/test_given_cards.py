"""Examples can set cards' tracks."""

import pytest

import cardlang
from tests.errors import find_errors
from tests.game_files import read_game

GAME = read_game("orchard_given_cards")


def errors(row: str) -> list[tuple[str, str]]:
    return [(each.code, each.span.text) for each in find_errors(GAME.format(row, "Ann's score = 0"))]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            "[1A]: ripe yes, age 3, buyer Bob",
            "[1A]'s ripe and [1A]'s age = 3 and [1A]'s buyer = Bob",
        ),
        ("[1A 5P]: age 2", "[5P]'s age = 2 and total of Ann's hand's age = 2 and not [1A]'s ripe"),
    ],
)
def test_example_sets_marks_and_numbers_of_cards(row: str, expected: str) -> None:
    game = cardlang.loads(GAME.format(row, expected))
    assert game.examples[0].run().message == ""
    assert cardlang.from_json(game.json()).examples[0].run().passed


def test_given_errors_point_to_the_value() -> None:
    assert errors("[1A 9A]: age 3") == [("E208", "9A")]
    assert errors("[Ladder]: age 3") == [("E242", "[Ladder]")]
    assert errors("[1A]: score 3") == [("E202", "score")]
    assert errors("Ann: age 3") == [("E202", "age")]
