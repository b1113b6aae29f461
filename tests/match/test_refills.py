"""Draws from a pile that empties and is refilled by a trigger."""

import pytest

import cardlang
from cardlang.model import Outcome
from interpreter.runtime.errors import RuleError
from tests.game_files import read_game

GAME = read_game("refills")
TURNS = {
    "draw top 3 of deck to your hand": "Ann's hand = [1 6 5]",
    "draw bottom 3 of deck to your hand": "Ann's hand = [1 2 3]",
    "draw first 3 of deck to your hand": "Ann's hand = [1 2 3]",
    "draw last 3 of deck to your hand": "Ann's hand = [1 6 5]",
    "draw random 3 of deck to your hand": "count of Ann's hand = 3 and [1] in Ann's hand",
    "draw top 3 of drawn-from to your hand": "Ann's hand = [1 6 5]",
    "draw top 3 of deck to your hand, lowest on top": "Ann's hand = [6 5 1]",
    "draw top 9 of deck to your hand": "count of Ann's hand = 6 and deck is empty and turned = 2",
    "draw (top 2 of deck, bottom 1 of deck) to your hand": "Ann's hand = [1 6 2]",
    "you draw 3 from top of deck to your hand": "Ann's hand = [1 6 5]",
    "you draw 2 from random of deck to your hand": "count of Ann's hand = 2 and [1] in Ann's hand",
    "deal top 5 of deck to players' hand": "Ann's hand = [1 5 3] and Bob's hand = [6 4] and entered = 25",
    "deal top 4 of deck to your others' hand": "Bob's hand = [1 6 5 4]",
    "draw top 1 of deck to your hand": "Ann's hand = [1] and deck = [2 3 4 5 6] and turned = 1",
    "draw top 0 of deck to your hand": "deck = [1] and turned = 0",
    "put top 3 of deck under table": "table = [6 5 1]",
}
"""The deck is [1], the pile [2 3 4 5 6], and the top is the last card."""


def outcome(turn: str, lines: str) -> Outcome:
    text = GAME.format(turn) + "".join(f"  {line}\n" for line in lines.splitlines())
    result: Outcome = cardlang.loads(text).examples[0].run()
    return result


@pytest.mark.parametrize("turn", TURNS)
def test_draw_continues_after_a_refill(turn: str) -> None:
    found = outcome(turn, f"given\n  deck [1], pile [2 3 4 5 6]\ndo Ann's turn\nexpect {TURNS[turn]}")
    assert found.passed, found.message


def test_triggers_fire_after_the_whole_draw() -> None:
    lines = "given\n  deck [1], pile [2 3 4]\ndo Ann's turn\nexpect Ann's score = 3 and entered = 9"
    found = outcome("draw top 3 of deck to your hand", lines)
    assert found.passed, found.message


CHOICES = {
    "deck [1], pile [2 3 4 5 6]": "Ann may draw 1, draw 2, draw 3",
    "deck [1], pile [2]": "Ann may not draw 3",
    "deck [], pile []": "Ann may not draw",
}


@pytest.mark.parametrize("given", CHOICES)
def test_draw_limit_includes_the_refill(given: str) -> None:
    found = outcome(
        "you draw 1 to 3 from top of deck to your hand",
        f"given\n  {given}\ndo Ann's turn\nexpect {CHOICES[given]}",
    )
    assert found.passed, found.message


def test_chosen_number_is_drawn_across_a_refill() -> None:
    lines = "given\n  deck [1], pile [2 3 4 5 6]\ndo Ann's turn\nAnn: 3\nexpect Ann's hand = [1 6 5]"
    found = outcome("you draw 1 to 3 from top of deck to your hand", lines)
    assert found.passed, found.message


def test_empty_pile_without_refill_gives_nothing() -> None:
    lines = "given\n  deck [], pile [], table [2 3]\ndo Ann's turn\nexpect Ann's hand is empty and pile = [2 3]"
    found = outcome("draw top 0 of deck to your hand\n  move table to pile\n  draw top 2 of deck to your hand", lines)
    assert found.passed, found.message


NEVER_ENDING = read_game("round_and_round")


def test_returned_cards_can_be_drawn_again() -> None:
    match = cardlang.loads(NEVER_ENDING.format(20)).start(2, 1)
    assert match.over and match.view().zone("hand", "Ann").count == 2


def test_endless_draw_is_an_error() -> None:
    with pytest.raises(RuleError, match="without a decision"):
        cardlang.loads(NEVER_ENDING.format("unlimited")).start(2, 1)
