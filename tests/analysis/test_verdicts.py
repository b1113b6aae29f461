"""Verdicts and figures of matches with known outcomes."""

from fractions import Fraction

import pytest

import cardlang
from cardlang.analysis.balance.match_stats import RecordingProgram, SeatRotation, record_match
from cardlang.analysis.balance.match_totals import MATCH_PARTS, MatchTotals, add_match
from cardlang.analysis.balance.report_statistics import Balance, Cost, compute_distribution, estimate_share
from cardlang.analysis.balance.verdicts import (
    PlayedMatches,
    compute_balance,
    compute_lead_stats,
    judge_equality,
    judge_random_move_cost,
)
from tests.analysis.games import ALONE, ENDLESS, FIRST


def measure_balance(text: str, bots: str, matches: int, cap: int = 10_000) -> Balance:
    """Play matches of these bots, one letter each: r for random, e for easy."""
    game = cardlang.loads(text)
    kinds = tuple({"r": "random", "e": "easy"}[bot] for bot in bots)
    program, sums = RecordingProgram(game, len(bots)), MatchTotals()
    for number in range(matches):
        add_match(sums, record_match(program, SeatRotation(kinds), number, 1 + number, cap, measures_cost=True))
    names = "Ann", "Bob", "Cat"
    return compute_balance(game, [PlayedMatches(tuple(zip(names, kinds, strict=False)), matches, 1, cap, sums)])


def test_first_seat_advantage_is_found() -> None:
    (found,) = measure_balance(FIRST, "ee", 40).chapters
    assert [each.count for each in found.seats.wins] == [40, 0]
    assert found.seats.fair == 0.5
    assert found.seats.verdict.kind == "bad"
    assert "seat 1 wins 100.0%" in found.seats.verdict.text


def test_cost_of_random_moves_equals_arithmetic() -> None:
    """Of the two moves one wins (1), the other is shared (1/2): 1 - 3/4."""
    (found,) = measure_balance(FIRST, "rr", 20).chapters
    cost = found.skill.cost
    assert cost is not None
    assert (cost.decisions, cost.best, cost.any, cost.cost, cost.low, cost.high) == (20, 1, 0.75, 0.25, 0.25, 0.25)


def test_better_bot_wins_from_every_seat() -> None:
    """The one who thinks wins all matches in seat 1, and those that the other gives away in seat 2."""
    (found,) = measure_balance(FIRST, "er", 400).chapters
    ann, bob = found.skill.players
    assert (ann.wins.of, bob.wins.of) == (400, 400)
    assert ann.wins.count + bob.wins.count == 400 + found.shared
    given = found.shared
    assert ann.wins.count == 200 + given and bob.wins.count == 200
    assert found.skill.verdict.kind == "good"
    assert found.skill.verdict.text.startswith("Skill matters: Ann (easy) wins")


def test_unused_rules_are_listed() -> None:
    found = measure_balance(FIRST, "rr", 30)
    assert {each.what for each in found.unused} >= {
        "the option `never` was never chosen",
        "this case was never used: 5 when lap > 0",
        "with 2 players, always left in box: Good and Bad",
    }
    assert found.unused_verdict.kind == "bad"


def test_wins_by_option_are_counted() -> None:
    found = measure_balance(FIRST, "rr", 100)
    uses = {each.name: each for each in found.uses if each.kind == "option"}
    win, lose = uses["win"], uses["lose"]
    assert win.won == win.players == win.matches == win.times
    assert lose.won == lose.players == lose.matches == found.chapters[0].shared
    assert uses["never"].matches == 0 and uses["never"].ratio is None
    assert win.matches + lose.matches == 100
    # a player wins: the first always, the other if it is shared
    assert win.expected == pytest.approx(win.players * (100 + lose.matches) / 200)


def test_margins_equal_arithmetic() -> None:
    """Who wins has 2 more than the other, or all have nothing."""
    (found,) = measure_balance(FIRST, "rr", 50).chapters
    assert found.scores is not None
    assert found.scores.margins.counts == ((0, found.shared), (2, 50 - found.shared))


def test_endless_matches_are_not_wins() -> None:
    (found,) = measure_balance(ENDLESS, "rr", 5, cap=30).chapters
    assert (found.matches, found.over, found.capped) == (5, 0, 5)
    assert found.course is None and found.scores is None
    assert found.length.kind == "bad" and "5 matches (100.0%) hit the move limit" in found.length.text
    assert found.seats.verdict.kind == "few"


def test_endless_matches_name_the_main_action() -> None:
    """Nobody but rests, so that all decisions are that."""
    only = ENDLESS.replace("    option move\n      add 1 to your score\n", "")
    (found,) = measure_balance(only, "rr", 5, cap=30).chapters
    assert "In these, 100.0% of all decisions were “rest”." in found.length.text


def test_options_of_one_name_are_distinguished() -> None:
    text = FIRST.replace("    option lose\n", "    option lose\n      do mover's second\n")
    text = text.replace(
        "define worth", "step your second\n  you choose one\n    option win\n    option stay\ndefine worth"
    )
    names = {each.name for each in measure_balance(text, "rr", 5).uses if each.kind == "option"}
    assert names == {"win (turn)", "win (second)", "lose", "never", "stay"}


def test_shown_cases_are_not_counted() -> None:
    text = FIRST + "define your sign as\n  1 when lap > 0\n  otherwise 3\nshow your sign\n"
    cases = [each.name for each in measure_balance(text, "rr", 5).uses if each.kind == "case"]
    assert sorted(cases) == ["5 when lap > 0", "otherwise 2"]


def test_solo_game_has_no_seat_comparison() -> None:
    (found,) = measure_balance(ALONE, "r", 10).chapters
    assert found.skill.cost is None and found.skill.verdict.kind == "plain"
    assert found.seats.verdict.text == "This is a solo game, so there are no opponents to compare."


def test_share_verdicts_follow_the_error() -> None:
    """Of 10,000 matches half is 5,000 with a standard error of 50."""

    def verdict(first: int, of: int) -> str:
        return judge_equality(
            ["a", "b"], [estimate_share(first, of, 2), estimate_share(of - first, of, 2)], 0.5, 2, "seats", of
        ).kind

    assert verdict(5000, 10_000) == "good"
    assert verdict(5300, 10_000) == "bad"  # 6 standard errors
    assert verdict(52, 100) == "few"
    assert verdict(5150, 10_000) == "few"  # 3, by chance once in 185 for two seats: seen, but not sure


def test_weak_verdict_asks_for_more_matches() -> None:
    text = judge_equality(
        ["a", "b"], [estimate_share(5150, 10_000, 2), estimate_share(4850, 10_000, 2)], 0.5, 2, "seats", 10_000
    ).text
    assert int(text.rpartition("--games ")[2].rstrip(".")) > 10_000


def test_quantiles_are_observed_values() -> None:
    """Of 1, 2, 2, 3, 10 the middle is 2; a quarter of the way from the first to the fifth is the second."""
    found = compute_distribution({3: 1, 1: 1, 10: 1, 2: 2})
    assert (found.lowest, found.quarter, found.median, found.three_quarters, found.highest) == (1, 2, 2, 3, 10)
    assert found.mean == pytest.approx(18 / 5)
    assert compute_distribution({}).matches == 0


def test_lead_statistics_equal_arithmetic() -> None:
    """Four matches: two led from the beginning, one from the half on, one only at the end, from behind."""
    sums = MatchTotals()
    for part in range(MATCH_PARTS + 1):
        for ahead in (True, True, part >= 10, part == MATCH_PARTS):
            sums["ahead"][part, "ahead" if ahead else "behind"] += 1
    sums["decided"].update({(0,): 2, (10,): 1, (20,): 1})
    sums["changes"].update({(0,): 2, (1,): 2})
    found = compute_lead_stats(sums, 1)
    assert found is not None
    assert (found.ahead[0], found.ahead[10], found.behind[19]) == (0.5, 0.75, 0.25)
    assert (found.ahead[20], found.behind[20]) == (1, 0)
    assert (found.comebacks.count, found.comebacks.of) == (1, 4)
    assert found.changes.mean == 0.5


def test_few_comebacks_are_not_praised() -> None:
    """Of 1,000 matches 10 are won from behind, though all are open to the end: at most 2% or so, not 10%."""
    sums = MatchTotals()
    sums["ahead"].update(
        {(MATCH_PARTS // 2, "ahead"): 990, (MATCH_PARTS // 2, "behind"): 10, (MATCH_PARTS, "ahead"): 1000}
    )
    sums["decided"][MATCH_PARTS,] = 1000
    found = compute_lead_stats(sums, 1)
    assert found is not None and found.verdict.kind == "bad"
    sums["ahead"].update({(MATCH_PARTS // 2, "ahead"): -900, (MATCH_PARTS // 2, "level"): 900})
    found = compute_lead_stats(sums, 1)
    assert found is not None and found.verdict.kind == "plain" and "In 90.0% of matches" in found.verdict.text


def test_cost_verdict_scales_with_decisions() -> None:
    """Up to a tenth of a point: thrice is 0.3 points, of two players a twentieth of their half is 2.5; fifty times it
    is 5."""
    cost = Cost(1000, 0.5, 0.5, -0.001, -0.003, 0.001)
    assert judge_random_move_cost(cost, 2, 3).kind == "bad"
    often = judge_random_move_cost(cost, 2, 50)
    assert often.kind == "few" and "shows no cost (−0.3 to 0.1 percentage points" in often.text


def test_endless_matches_give_no_choice_praise() -> None:
    (found,) = measure_balance(ENDLESS, "rr", 5, cap=30).chapters
    assert found.choices.forced.count == 0 and found.choices.verdict.kind == "plain"


def test_score_statistics_accept_fractions() -> None:
    from cardlang.analysis.balance.verdicts import compute_score_stats

    sums = MatchTotals()
    sums["scores"].update({("75/2", 1): 1, (10, 0): 2, (-3, 0): 1})
    found = compute_score_stats(sums)
    assert found is not None
    assert found.counts == ((-3, 1), (10, 2), ("75/2", 1))
    assert (found.winners_mean, found.others_mean) == (37.5, float(Fraction(17, 3)))
