"""Test games in `tests/games`: their examples pass, and both engines play the same matches."""

from __future__ import annotations

import pytest

import cardlang
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, follow, needs_either

PLAYED = {
    "both_engines": (2, 3),
    "harbour": (2, 3),
    "high_and_low": (3,),
    "memory": (2, 3, 20),
    "nine_flags": (2,),
    "settling": (2, 4),
    "spell_duel": (3,),
}
"""Player counts of games."""


@pytest.mark.parametrize("name", ["harbour", "high_and_low", "nine_flags", "spell_duel"])
def test_examples_pass(name: str) -> None:
    outcomes = [example.run() for example in cardlang.loads(read_game(name), name).examples]
    assert outcomes and [each.message for each in outcomes if not each.passed] == []


@needs_either
@pytest.mark.parametrize(("name", "players"), [(name, n) for name in PLAYED for n in PLAYED[name]])
def test_both_engines_play_the_same_matches(name: str, players: int) -> None:
    game = cardlang.loads(read_game(name), name)
    program, engine = compile_game(game, players), build_engine(game, players, QUICK)
    assert sum(follow(program, engine, seed, 300) for seed in range(15)) > 100


def test_high_and_low_hands_win_no_more_than_the_chips() -> None:
    match = cardlang.loads(read_game("high_and_low")).start(3, 5)
    while match.decision is not None:
        match.choose(0)
    assert sum(score for score in match.scores if score is not None) <= 300
