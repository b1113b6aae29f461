"""Games for match tests, loaded once."""

from functools import cache
from pathlib import Path
from random import Random
from warnings import warn

import pytest

import cardlang
from cardlang.model import Game
from interpreter.match import record_resume
from interpreter.match.match import Match
from interpreter.match.match_record import WarningHandler
from tests.game_files import read_game

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
    return record_resume.resume_with_recording(path, cardlang.loads, told)


THIEVES = read_game("thieves")


@pytest.fixture(scope="session")
def thieves() -> Game:
    return cardlang.loads(THIEVES, "thieves.cardgame")
