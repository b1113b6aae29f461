"""Coverage of confidence intervals: they contain the true share as often as they promise."""

from math import comb, sqrt

import cardlang
from cardlang.analysis.balance.match_totals import MatchTotals
from cardlang.analysis.balance.report_statistics import estimate_share
from cardlang.analysis.balance.verdicts import count_independent_shares
from cardlang.lint.playtest.playtest_findings import compute_binomial_p_value
from interpreter.native.engine import build_engine
from tests.game_files import read_game
from tests.native.following import needs_either

FAIR = read_game("fair")
"""No decision matters, and the totals are never equal."""
GAMES, RUNS = 600, 2000


@needs_either
def test_intervals_cover_the_fair_share() -> None:
    """Seats rotate, and each run begins a thousand seeds after the one before. How often Wilson's interval holds 1/2
    is a sum of binomial chances, near 95 %: wins of a match are whole numbers."""
    engine, covered, unlike = build_engine(cardlang.loads(FAIR), 2), 0, 0
    for run in range(RUNS):
        masks = engine.play_matches(1 + 1000 * run, GAMES, 10)[2::5]
        won = sum((mask == 1) == (number % 2 == 0) for number, mask in enumerate(masks))
        covered += is_held(won)
        unlike += compute_binomial_p_value(GAMES, won, 0.5) < 0.05
    held = sum(comb(GAMES, won) for won in range(GAMES + 1) if is_held(won)) / 2**GAMES
    assert 0.94 < held < 0.96 and 0.94 < covered / RUNS < 0.96
    assert abs(covered / RUNS - held) < 4 * sqrt(held * (1 - held) / RUNS)
    assert 0.03 < unlike / RUNS < 0.06  # at most one run of twenty: the test is exact


def is_held(won: int) -> bool:
    interval = estimate_share(won, GAMES)
    return interval.low <= 0.5 <= interval.high


def build_totals(alone: tuple[int, int], shared: int, of: int) -> MatchTotals:
    found = MatchTotals()
    for player, count in enumerate(alone):
        found["sat"][player, 0] = of
        found["won"][player, 0] = count + shared
    found["matches"]["shared",] = shared
    return found


def test_dependent_shares_count_once() -> None:
    assert count_independent_shares(build_totals((320, 280), 0, 600), 0, 2) == 1  # one wins where the other does not
    assert count_independent_shares(build_totals((0, 0), 150, 600), 0, 2) == 1  # they win together
    assert (
        count_independent_shares(build_totals((100, 100), 100, 400), 0, 2) == 2
    )  # of those that one wins, the other wins half
    assert count_independent_shares(build_totals((40, 0), 0, 40), 0, 2) == 2  # one always wins: nothing can be told
    # r = (100 · 600 - 350 · 350) / (350 · 250): by hand -5/7
    assert abs(count_independent_shares(build_totals((250, 250), 100, 600), 0, 2) - (2 - (5 / 7) ** 2)) < 1e-12
    assert count_independent_shares(build_totals((1, 2), 3, 10), 0, 3) == 3
