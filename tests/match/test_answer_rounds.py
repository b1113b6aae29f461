"""Library `stack`: players answer again after each card that takes effect; equal engines."""

from __future__ import annotations

import cardlang
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import follow

GAME = cardlang.loads(read_game("spell_duel"))


def test_players_answer_again_after_each_card() -> None:
    results = [example.run() for example in GAME.examples]
    assert len(results) == 6 and all(result.passed for result in results), [result.message for result in results]


def test_engines_agree_on_answer_rounds() -> None:
    program, engine = compile_game(GAME, 3), build_engine(GAME, 3)
    assert sum(follow(program, engine, seed, 500) for seed in range(20)) > 100
