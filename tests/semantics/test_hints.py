"""Hints of errors are the fix: they load in place of the error."""

from __future__ import annotations

import re

import pytest

import cardlang
from tests.docs.documents import ROOT
from tests.errors import find_diagnostics, find_error
from tests.semantics.mini import GAME, errors

GOBLINS = (ROOT / "docs/examples/goblin_band.cardgame").read_text("utf-8")


def check_condition(condition: str) -> list[cardlang.Diagnostic]:
    """Return the errors of a condition about a player and a card `chosen`."""
    return errors(f"step a\n  each player\n    you choose chosen from your hand\n    if {condition}\n      do round\n")


@pytest.mark.parametrize(
    ("condition", "fix"),
    [
        ("chosen's rank = 3 or 2", "chosen's rank in (3, 2)"),
        ("chosen's rank = 2 or 3 or King", "chosen's rank in (2, 3, King)"),
        ("chosen's rank != 2 or 3", "chosen's rank not in (2, 3)"),
        ("your out and chosen's suit = Clubs or Hearts", "chosen's suit in (Clubs, Hearts)"),
        ("chosen's suit is not Clubs", "chosen's suit != Clubs"),
        ("any card in your hand has suit = Clubs or Hearts", "suit in (Clubs, Hearts)"),
        ("leader = you or leader's left", "leader in (you, leader's left)"),
        ("your score > 3 and 5", "your score > 3 and your score > 5"),
        ("3 or 2 = your score", "your score in (3, 2)"),
        ("[2c] or [3c] in your hand", "[2c] in your hand or [3c] in your hand"),
        ("your score = 3 or 4 and your out", "… = 4"),
        ("chosen = Clubs", "chosen's suit = Clubs"),
        ("Clubs != chosen", "chosen's suit != Clubs"),
        ("chosen in (Clubs, Hearts)", "chosen's suit in (Clubs, Hearts)"),
        ("chosen = 30", "chosen's power = 30"),
        ("chosen = 3", "chosen's rank = 3"),
        ('chosen = "Joker"', 'chosen\'s title = "Joker"'),
        ("your hand = Clubs", "any card in your hand has suit = Clubs"),
        ("your hand = 3", "count of your hand = 3"),
        ("any card in your hand has it = 30", "power = 30"),
    ],
)
def test_hint_compares_what_the_condition_leaves_out(condition: str, fix: str) -> None:
    (found,) = check_condition(condition)
    assert f"`{fix}`" in found.hint
    assert "…" in fix or "has" in condition or check_condition(fix) == []


@pytest.mark.parametrize(
    ("right", "wrong", "hint"),
    [
        ('title = "Bouncer"', "title = Bouncer", 'title = "Bouncer"'),
        ('title = "Bouncer"', "it is Bouncer", 'title = "Bouncer"'),
        ('title = "Bouncer"', 'name = "Bouncer"', "`title`"),
        ("take goblin to your band", "take Bouncer to your band", 'title = "Bouncer"'),
        ("put goblin under deck", "put goblin under dekc", "Did you mean `deck`?"),
        ("take goblin to your band", "take goblin to your bnad", "Did you mean `band`?"),
        ("take goblin to your band", "take goblin to your seta", "`zone your seta`"),
        ("discard bouncer to discards", "discard bouncer to graveyard", "`zone graveyard`"),
        ("  to theft", "  to stealing", "Announcements are `hiring`, `theft`."),
        ("Mischief, 2, 1 ", "Mischief, 7, 1 ", "Its values are 1 to 5."),
        ("fair [Pickpocket]", "fair Pickpocket", "`[Pickpocket]`"),
        ("From whom do you take", "From whom does {yo} take", "Did you mean `you`?"),
        ("From whom do you take", "From whom {elephant} take", "Remove them to show the word itself."),
    ],
)
def test_hint_names_what_the_game_has(right: str, wrong: str, hint: str) -> None:
    assert right in GOBLINS
    found = find_error(GOBLINS.replace(right, wrong, 1))
    assert hint in found.hint


def test_declared_name_is_suggested_before_a_builtin_name() -> None:
    text = re.sub(r"\bhand\b", "nest", GAME) + "define your x as count of nset\ndefine your y as seta\n"
    hints = [found.hint for found in find_diagnostics(text)]
    assert hints == ["Did you mean `nest`?", "Did you mean `seat`?"]


@pytest.mark.parametrize("said", ["take 2 coins", "gain 2 coins", "you get 2 coins"])
def test_step_of_a_card_has_a_player(said: str) -> None:
    step = 'step arrival "Take 2 coins."\n      '
    found = find_error(GOBLINS.replace(f"{step}add 2 to your coins", step + said, 1))
    assert "`add 2 to your coins`" in found.message and "each player" not in found.message


def test_template_without_values_is_said_once() -> None:
    assert find_error(GOBLINS.replace("  cancel\n", "  cancel (2)\n", 1)).hint.count("`cancel`") == 1


@pytest.mark.parametrize(
    ("right", "wrong", "fix"),
    [
        ("Cost: 1 to 5", "Cost: 1-5", "`1 to 5`"),
        ("Cost: 1 to 5", "Cost: 1 to five", "`5`"),
        ('4 of "Busker"', 'four of "Busker"', "`4`"),
        ("add 2 to your coins", "add 2 x count of fair to your coins", "`*`"),
        ("as total of band's applause", "as sum of band's applause", "`total of band's applause`"),
        (
            "repeat until count of fair = 4 or deck is empty",
            "repeat up to 3 times until deck is empty",
            "`repeat until deck is empty, up to 3 times`",
        ),
    ],
)
def test_habits_of_notation_have_a_fix(right: str, wrong: str, fix: str) -> None:
    assert right in GOBLINS
    found = find_diagnostics(GOBLINS.replace(right, wrong, 1))[0]
    assert fix in f"{found.message} {found.hint}"


def test_step_has_text_but_no_display_name() -> None:
    (found,) = errors('step count-up called "Count the points"\n  do round\n')
    assert found.span.text == "called" and "without `called`" in found.message
