"""Matches with neighbouring seeds are independent.

All numbers come from fixed seeds. The tolerance is five standard errors, which chance exceeds once in 1.7 million
tests."""

from itertools import pairwise
from math import sqrt

import pytest

import cardlang
from cardlang.analysis.simulation import play_match
from interpreter.native.engine import build_engine
from interpreter.runtime.rng import (
    MIX1,
    MIX2,
    STATE_STEP_INVERSE,
    WORD_MASK,
    below,
    derive_first_state,
    iter_move_words,
    shuffle,
)
from tests.game_files import read_game
from tests.match.test_random_numbers import make_state
from tests.native.following import needs_either

SEEDS = 20_000
LAGS = (1, 2, 3, 4, 13, 52, 64, 100, 1000)
ERRORS = 5
WORDS = WORD_MASK + 1
FAR = 1_000_000
"""No match draws so many numbers."""
HIGHER = read_game("higher")


def compute_correlation(numbers: list[float], lag: int) -> float:
    """Compute the correlation of each number with the one `lag` places later."""
    mean = sum(numbers) / len(numbers)
    off = [number - mean for number in numbers]
    return sum(a * b for a, b in zip(off, off[lag:], strict=False)) / sum(each * each for each in off)


def find_nearest_distance(firsts: list[int]) -> int:
    """Return the distance in words of the two closest states. All are on one circle, STEP apart."""
    places = sorted(first * STATE_STEP_INVERSE & WORD_MASK for first in firsts)
    places.append(places[0] + WORDS)
    return min(later - earlier for earlier, later in pairwise(places))


def test_streams_of_20_000_seeds_are_a_million_words_apart() -> None:
    firsts = [derive_first_state(seed, purpose) for seed in range(-50, SEEDS) for purpose in (MIX1, MIX2)]
    firsts += [derive_first_state(seed, MIX1) for seed in (1 << 63, (1 << 63) + 1, WORD_MASK - 60)]
    assert find_nearest_distance(firsts) > FAR


def test_deals_of_neighbouring_seeds_share_no_more_cards_than_any_two() -> None:
    """Two hands of 13 out of 52 have 13 · 13 / 52 cards in common; the variance is that of a hypergeometric number."""
    hands, decks = [], []
    for seed in range(SEEDS + max(LAGS)):
        deck = list(range(52))
        shuffle(make_state(seed), deck)
        hands.append(frozenset(deck[-13:]))
        decks.append(deck)
    error = sqrt(13 * 0.25 * 0.75 * 39 / 51 / SEEDS)
    for lag in LAGS:
        common = sum(len(hands[seed] & hands[seed + lag]) for seed in range(SEEDS)) / SEEDS
        assert abs(common - 3.25) < ERRORS * error
    # how many of the cards of one deck are in the same place in the other: 1, with a variance of 1
    for lag in LAGS[:3]:
        same = sum(a == b for seed in range(SEEDS) for a, b in zip(decks[seed], decks[seed + lag], strict=True))
        assert abs(same / SEEDS - 1) < ERRORS / sqrt(SEEDS)


def test_moves_of_neighbouring_seeds_are_independent_of_each_other_and_of_the_deals() -> None:
    words: list[float] = []  # two of the moves of a seed, two of its deal, then those of the next seed
    for seed in range(SEEDS // 2):
        moves, chance = iter_move_words(seed), make_state(seed)
        words += [next(moves) / WORDS, next(moves) / WORDS, below(chance, WORDS) / WORDS, below(chance, WORDS) / WORDS]
    for lag in range(1, 20):
        assert abs(compute_correlation(words, lag)) < ERRORS / sqrt(len(words))


def test_moves_that_are_drawn_for_many_matches_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of one environment at each step, and those of environments with neighbouring seeds."""
    pytest.importorskip("numpy", reason="numpy is not installed: pip install 'cardlang[ai]'")
    firsts: list[int] = []
    env = cardlang.vector("kuhn_poker", 2, engine="python", largest_number=1)
    monkeypatch.setattr(env.batch, "choose_random_actions", firsts.append)
    for seed in range(40):
        env.reset(seed)
        for env.step_count in range(100):
            env.random_actions()
    assert find_nearest_distance(firsts) > FAR


def results(count: int) -> list[float]:
    """Return the first player's lead over the second, by seed."""
    game = cardlang.loads(HIGHER)
    found = []
    for seed in range(count):
        one, other = play_match(game, 2, seed, "random", 10).scores
        assert one is not None and other is not None
        found.append(float(one - other))
    return found


def test_results_of_neighbouring_seeds_are_independent() -> None:
    found = results(SEEDS)
    for lag in LAGS:
        assert abs(compute_correlation(found, lag)) < ERRORS / sqrt(SEEDS)


@needs_either
def test_native_engine_deals_equal_hands() -> None:
    rows = build_engine(cardlang.loads(HIGHER), 2).play_matches(0, 2000, 10)
    assert [float(rows[at + 3] - rows[at + 4]) for at in range(0, len(rows), 5)] == results(2000)
