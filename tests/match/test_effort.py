"""Rules that go through thousands of cards, and through them again for each: refused soon, and at their place."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import cardlang
from interpreter.errors import RuleError
from interpreter.lowering.effort import Effort
from interpreter.matches.match import Match
from tests.match.conftest import PATHS

BIG = """
game "Big" for 2 players
ordered kind Value: 1 to 100
kind Suit: {suits}
cards Pack in deck
  {copies} of each Value, Suit
zone deck seen by nobody
zone your hand
number your score
number card's mark
define card's above as count of (Pack where value > that card's value and suit = that card's suit)
define sum-of-all as total of Pack's above
order strength of card
  higher above
"""
SUITS = ", ".join(f"Suit{n}" for n in range(20))
LARGE = BIG.format(suits=SUITS, copies=5)
"""10,000 cards."""

COUNT = "set leader's score to count of"
MARK = "set that card's mark to count of (Pack where value > that card's value)"
SAME = "any card in Pack has (it's above = above and value = 101)"
HEAVY = {
    "counts in counts": f"{COUNT} (Pack where count of (Pack where value > 3) > 2 and above > 7)",
    "a total of counts": "set leader's score to sum-of-all",
    "an order": "set leader's score to (highest of Pack by strength)'s value",
    "any, for each": f"if every card in Pack has ({SAME})\n    finish game",
    "an option": "leader chooses one\n    option a with one from Pack, two from Pack when one's above > two's value",
    "a loop that counts": f"repeat\n    {COUNT} (Pack where value > leader's score)",
    "a loop through all": f"each card in Pack\n    {MARK}",
}
"""Each of these needs a hundred million comparisons or more."""


def started(step: str) -> Match:
    text = LARGE + f"player leader starts at first of players\nstep play\n  {step}\n"
    return cardlang.loads(text).start(2, 1)  # type: ignore[no-any-return]


@pytest.mark.parametrize("step", HEAVY.values(), ids=list(HEAVY))
def test_refused_soon(step: str) -> None:
    begun = time.process_time()
    with pytest.raises(RuleError):
        started(step)
    assert time.process_time() - begun < 20


def test_work_that_is_not_too_much_is_done() -> None:
    match = started("set leader's score to (first of Pack)'s above")
    assert match.scores == [99 * 5, 0]  # of one suit 99 values are higher than the first, five cards each


def test_asking_for_a_score_again_and_again_uses_nothing_up() -> None:
    body = "leader chooses one\n    option stop\n      finish game"
    text = LARGE.replace("number your score", "define your score as (first of Pack)'s above")
    match = cardlang.loads(f"{text}player leader starts at first of players\nstep play\n  {body}\n").start(2, 1)
    assert all(match.scores == [495, 495] for _ in range(800))  # 800 times 2 * 158 steps are more than there are


def test_who_is_winning_asked_for_in_a_loop_without_end() -> None:
    text = LARGE + "step play\n  repeat until count of winners = 5\n    set first of players's score to 1\n"
    with pytest.raises(RuleError, match="no decision"):
        cardlang.loads(text.replace("first of players's", "(first of players)'s")).start(2, 1)


@pytest.mark.parametrize("path", PATHS.values(), ids=list(PATHS))
def test_no_game_that_comes_with_cardlang_pays_for_it(path: Path) -> None:
    game = cardlang.load(path)
    assert not Effort(game, max(game.seats)).is_large()


SETS = """
game "Sets" for 2 players
ordered kind Value: 1 to 13
cards Pack in deck
  4 of each Value
zone deck seen by nobody
zone your hand
number your score
define tens of cards as count of ((subsets of cards) where total of its value = 10)
define your best as highest of ((subsets of hand) where {which}) by (tens of it)
step play
  set leader's score to count of leader's best
player leader starts at first of players
"""


@pytest.mark.parametrize(
    ("which", "large"), [("size = 4", False), ("size > 0 and size = 4", False), ("size > 4", True)]
)
def test_sets_of_so_many_cards_have_few_subsets(which: str, large: bool) -> None:
    assert Effort(cardlang.loads(SETS.format(which=which)), 2).is_large() == large
