"""Runs commands in this process, as a user types them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.cli.main import cli

Run = Callable[..., Result]

DUEL = """\
game "Duel" for 2 to 3 players
kind Suit: Sun (S), Moon (M)
ordered kind Value: 1 to 9
cards Pack in deck
  1 of each Value, Suit
zone deck seen by nobody
zone table
zone your hand seen by owner
number your score called "trick" plural "tricks"
player leader starts at first of players
define lead-suit as first of table's suit
define your playable called "playable cards" as first possible of
  hand where suit = lead-suit "Follow suit if you can."
  hand "Otherwise play any card."
order strength of card
  those where suit = lead-suit
  higher value
step setup
  shuffle deck
  each player
    deal top 2 of deck to your hand
step play
  repeat until leader's hand is empty
    do trick
step trick
  each player from leader
    you play 1 from your playable to table
  set leader to (highest of table by strength)'s owner
  add 0.5 to leader's score
  remove table to deck
variant "Long" "Four cards each."
  step setup
    shuffle deck
    each player
      deal top 4 of deck to your hand
example "The suit led is followed" with Ann, Bob
  given
    leader Ann
    Ann: hand [5S]
    Bob: hand [8S 9M]
  do trick
  expect Bob may not play [9M] because "Follow suit if you can."
  Bob: play [8S]
  expect leader = Bob and Bob's score = 0.5
"""


@pytest.fixture
def run() -> Run:
    """Runs a command line; the result has exit_code, stdout and stderr. A fault inside is raised."""

    def invoke(*arguments: str | Path, typed: str = "") -> Result:
        return CliRunner().invoke(cli, [str(each) for each in arguments], input=typed, catch_exceptions=False)

    return invoke


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """A small trick game."""
    path = tmp_path / "duel.cardgame"
    path.write_text(DUEL, encoding="utf-8")
    return path
