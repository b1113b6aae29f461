"""Threads: matches and examples of one game share a program that is compiled once."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import cardlang
from cardlang.model import Game

THREADS = 6


def collect_results(game: Game, thread: int) -> list[object]:
    """Return the results of a match step by step, and check that the examples pass."""
    match, told = game.start(3, 5), []
    for _ in range(20):
        if match.decision is None:
            break
        told.append((match.scores, match.winners, match.places, match.decision.moves.texts))
        match.choose(0)
    assert all(example.run().passed for example in game.examples[thread % 3 :: 3])
    return told


@pytest.mark.slow
def test_threads_share_a_program_safely() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(3):
            game = cardlang.load("tall_card")
            with ThreadPoolExecutor(THREADS) as pool:
                told = list(pool.map(lambda thread: collect_results(game, thread), range(THREADS)))  # noqa: B023
            assert all(each == told[0] for each in told)
    finally:
        sys.setswitchinterval(before)


@pytest.mark.slow
def test_threads_parse_different_games() -> None:
    """The grammar is one for all of them."""
    texts = [path.read_text("utf-8") for path in cardlang.shipped().values()][:6]

    def load(number: int) -> str:
        text = texts[number % len(texts)].replace("game ", "game  ", 1) + f"\n# {number}\n"
        return cardlang.loads(text).title

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(load, range(12))) == [load(number) for number in range(12)]
