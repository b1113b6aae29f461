"""Matches and examples of one game in several threads: what each needs of the program is made once and whole."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import cardlang
from cardlang.game import Game

THREADS = 6


def played(game: Game, thread: int) -> list[object]:
    """What a match tells on its way; and that the examples pass."""
    match, told = game.start(3, 5), []
    for _ in range(20):
        if match.decision is None:
            break
        told.append((match.scores, match.winners, match.places, match.decision.moves.texts))
        match.choose(0)
    assert all(example.run().passed for example in game.examples[thread % 3 :: 3])
    return told


def test_threads_do_not_disturb_each_other() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(3):
            game = cardlang.load("tall_card")
            with ThreadPoolExecutor(THREADS) as pool:
                told = list(pool.map(lambda thread: played(game, thread), range(THREADS)))  # noqa: B023
            assert all(each == told[0] for each in told)
    finally:
        sys.setswitchinterval(before)
