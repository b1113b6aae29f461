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


@pytest.mark.parametrize(("more", "dead"), [("", True), (DRAW, False), (FINISH, False)])
def test_dead_end_has_only_moves_that_lead_back(more: str, dead: bool) -> None:
    """One card goes to and fro: a dead end, unless a card can be turned up or the match can end."""
    match = cardlang.loads(PATIENCE.format(more=more)).start(1)
    assert isinstance(match, Match)
    assert is_dead_end(match) is dead


def test_only_games_for_one_have_dead_ends() -> None:
    match = cardlang.load("kuhn_poker").start(2)
    assert isinstance(match, Match)
    assert not is_dead_end(match)
