"""Dead ends of games for one player."""

from __future__ import annotations

import pytest

import cardlang
from interpreter.match.dead_ends import is_dead_end
from interpreter.match.match import Match

PATIENCE = """game "Back and Forth" for 1 players
use low-aces
zone left
zone right
flag used
number turns
define winners as players where used
step setup
  move deck where suit = Spades and rank = Ace to left
step play
  each player
    repeat until used
      you choose one
        option shift called "move it right" when left is not empty
          move left to right
        option back called "move it left" when right is not empty
          move right to left
{more}"""
DRAW = """        option draw called "draw a card" when deck is not empty
          turn top of deck to left
"""
FINISH = """        option finish called "finish" when right is not empty
          set used to yes
"""


TURN = """        option turn called "turn round" when turns < 3
          add 1 to turns
"""


@pytest.mark.parametrize(("more", "dead"), [("", True), (TURN, True), (DRAW, False), (FINISH, False)])
def test_no_move_of_a_dead_end_helps(more: str, dead: bool) -> None:
    """One card goes to and fro: a dead end, unless a card can be turned up or the match can be won."""
    match = cardlang.loads(PATIENCE.format(more=more)).start(1)
    assert isinstance(match, Match)
    assert is_dead_end(match) is dead


def test_only_games_for_one_have_dead_ends() -> None:
    match = cardlang.load("kuhn_poker").start(2)
    assert isinstance(match, Match)
    assert not is_dead_end(match)
