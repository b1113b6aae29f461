"""Face-down cards: picked by position, and marked without revealing them."""

import pytest

import cardlang
from cardlang.ui.terminal.line_mode import print_places
from interpreter.match.match import Match
from tests.game_files import read_game

GAME = read_game("rows")


@pytest.fixture
def match() -> Match:
    return cardlang.loads(GAME, "rows.cardgame").start(players=["Ann", "Bob"], seed=1)


def test_hidden_cards_are_picked_by_position(match: Match) -> None:
    """What is already picked is not named before it lies open."""
    assert match.decision is not None and match.decision.prompt == "Turn 2 cards."
    match.choose("turn #2")
    assert match.decision.prompt == "Turn 2 cards. So far: #2."


def test_marks_show_members_and_players(match: Match) -> None:
    first, second, _ = match.view("Bob").zone("row", "Ann").cards
    assert first.marks == (("side", "Left"), ("finder", "Ann"))
    assert second.marks == (("side", "Middle"), ("finder", "Ann"))


def test_plain_table_prints_marks_of_hidden_cards(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    print_places(match.table("Bob"))
    assert "row hidden (side Left, finder Ann) hidden (side Middle, finder Ann)" in capsys.readouterr().out
