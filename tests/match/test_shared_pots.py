"""Library `halves`: high and low hands share each pot; equal engines."""

from __future__ import annotations

import cardlang
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import follow

GAME = cardlang.loads(read_game("high_and_low"))


def test_high_and_low_share_each_pot() -> None:
    results = [example.run() for example in GAME.examples]
    assert len(results) == 4 and all(result.passed for result in results), [result.message for result in results]


def test_engines_agree_and_no_chip_is_lost() -> None:
    program, engine = compile_game(GAME, 3), build_engine(GAME, 3)
    assert sum(follow(program, engine, seed, 500) for seed in range(20)) > 100
    match = GAME.start(3, 5)
    while match.decision is not None:
        match.choose(0)
    assert sum(score for score in match.scores if score is not None) <= 300
