"""One mistake gives one error, on its line, with the fix."""

import pytest

import cardlang
from tests.errors import find_diagnostics, find_errors
from tests.game_files import read_game

GAME = read_game("orchard_single_errors")


@pytest.mark.parametrize(
    ("right", "wrong", "code", "line", "said"),
    [
        ("  5 when rank", "  when rank", "E103", 5, "Missing value before `when`."),
        ("  11 when rank", "  when rank", "E103", 6, "Missing value before `when`."),
        ("  each player\n    deal", "  each palyer\n    deal", "E203", 11, "Unknown kind `palyer`."),
        ("zone pile", 'zone called "Heap"', "E103", 3, "Missing name before `called`."),
        ("  together each player", "  together each plaeyr", "E203", 14, "Unknown kind `plaeyr`."),
    ],
)
def test_typo_gives_one_error(right: str, wrong: str, code: str, line: int, said: str) -> None:
    assert GAME.count(right) == 1
    cardlang.loads(GAME)
    errors = find_errors(GAME.replace(right, wrong))
    assert [(each.code, each.span.line, each.message) for each in errors] == [(code, line, said)]
    assert errors[0].hint


def test_indented_file_gives_one_error() -> None:
    """Whatever the width of the margin: the rest is read as if the file began at the left edge."""
    for margin in ("  ", "     "):
        wrong = "".join(f"{margin}{line}" for line in GAME.splitlines(keepends=True))
        errors = find_diagnostics(wrong)
        assert [(each.code, each.span.line, each.message) for each in errors] == [
            ("E113", 1, "The whole file is indented.")
        ]


def test_misspelt_declaration_gives_one_error() -> None:
    """Though nothing says who wins then, and no player has such a thing in an example."""
    game = read_game("orchard_misspelt")
    errors = find_errors(game)
    assert [(each.code, each.span.line, each.span.text) for each in errors] == [("E201", 3, "socre")]
    cardlang.loads(game.replace("socre", "score"))


def test_missing_heading_gives_one_error() -> None:
    """Though what stood under it stands deeper than all that is left, and the next line between two levels."""
    example = """example "A king counts 11" with Ann, Bob
  given
    pile [2h]
    Ann: hand [Kh]
  expect Ann's score = 11
"""
    cardlang.loads(GAME + example)
    errors = find_errors(GAME + example.replace("  given\n", ""))
    assert [(each.code, each.span.line) for each in errors] == [("E103", 17)]
