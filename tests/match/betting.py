"""Betting matches and searches for tests of bots, in both engines."""

import pytest

from interpreter.bots.betting_model import BettingPolicy, build_betting_policy
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider, wait_for_engine
from tests.native.following import needs_either
from tests.shipped import load

ENGINES = [None, pytest.param(wait_for_engine, marks=needs_either)]


def play_holdem(*moves: str, seed: int = 1) -> tuple[Match, BettingPolicy]:
    """Return a match of Texas Hold'em for two players: the dealer has put in 1 of 200, the other player 2."""
    match = load("texas_holdem").start(2, seed)
    for move in moves:
        match.choose(move)
    betting = build_betting_policy(match.program)
    assert betting is not None
    return match, betting


def run_search(match: Match, engines: EngineProvider | None) -> list[tuple[int, int, float]]:
    search = PlayoutPlayer(2, 4, engines=engines).build_search(match)
    search.find_best_move()
    return [(tried.index, tried.games, tried.lead_sum) for tried in search.tried]
