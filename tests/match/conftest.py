"""Games for match tests, loaded once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from warnings import warn

import pytest

import cardlang
from cardlang.model import Game
from interpreter.match import resume
from interpreter.match.match import Match
from interpreter.match.record import WarningHandler

GAMES = Path(__file__).parents[2] / "games"
PATHS = {path.stem: path for path in [*GAMES.glob("*.cardgame"), *GAMES.glob("classics/*.cardgame")]}


@cache
def load(name: str) -> Game:
    return cardlang.load(PATHS[name])


def play_decisions(name: str, players: int, seed: int, decisions: int) -> Match:
    """Return a match after a number of random decisions, or at its end."""
    match = load(name).start(players, seed)
    random = Random(seed)
    for _ in range(decisions):
        if match.decision is None:
            break
        match.choose(random.randrange(len(match.decision.moves)))
    return match


def go_on(path: Path, told: WarningHandler = warn) -> Match:
    """Resume the match of a record, and keep recording there."""
    return resume.resume_with_recording(path, cardlang.loads, told)


THIEVES = """\
game "Thieves" for 2 to 3 players

kind Suit: Cups (c), Swords (s)
ordered kind Rank: 1 to 6

cards Pack in stock
  1 of each Rank, Suit

zone stock seen by nobody
zone your hand seen by owner
zone your loot called "hoard" plural "hoards"
secret number your plan
number your score called "coin" plural "coins"

step setup
  shuffle stock
  each player
    deal top 4 of stock to your hand

step play
  each player
    you choose aim from 1 to 3
    set your plan to aim
  each player
    you take 1 from your left's hand to your hand
  each player
    you discard up to 2 from your hand to your loot
    add count of your loot to your score
"""


@pytest.fixture(scope="session")
def thieves() -> Game:
    return cardlang.loads(THIEVES, "thieves.cardgame")
