"""Work limits: rules that loop over thousands of cards fail soon, at their line."""

import time

import pytest

import cardlang
from interpreter.lower.work_bounds_and_unique_lists import WorkEstimator
from interpreter.match.match import Match
from interpreter.runtime.errors import RuleError
from tests.errors import find_errors
from tests.game_files import read_game
from tests.match.conftest import PATHS

BIG = read_game("big")
SUITS = ", ".join(f"Suit{n}" for n in range(20))
LARGE = BIG.format(suits=SUITS, copies=5)
"""10,000 cards."""

COUNT = "set leader's score to count of"
MARK = "set that card's mark to count of (Pack where value > that card's value)"
SAME = "any card in Pack has (it's above = above and value = 101)"
HEAVY = {
    "counts in counts": f"{COUNT} (Pack where count of (Pack where value > 3) > 2 and above > 7)",
    "a total of counts": "set leader's score to sum-of-all",
    "an order": "set leader's score to (highest of Pack by strength)'s value",
    "any, for each": f"if every card in Pack has ({SAME})\n    finish game",
    "an option": "leader chooses one\n    option a with one from Pack, two from Pack when one's above > two's value",
    "a loop that counts": f"repeat\n    {COUNT} (Pack where value > leader's score)",
    "a loop through all": f"each card in Pack\n    {MARK}",
}
"""Each of these needs a hundred million comparisons or more."""


def start_match(step: str) -> Match:
    text = LARGE + f"player leader starts at first of players\nstep play\n  {step}\n"
    return cardlang.loads(text).start(2, 1)  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("step", HEAVY.values(), ids=list(HEAVY))
def test_huge_loops_fail_soon(step: str) -> None:
    begun = time.process_time()
    with pytest.raises(RuleError):
        start_match(step)
    assert time.process_time() - begun < 20


def test_moderate_loops_succeed() -> None:
    match = start_match("set leader's score to (first of Pack)'s above")
    assert match.scores == [99 * 5, 0]  # of one suit 99 values are higher than the first, five cards each


def test_repeated_scores_use_no_budget() -> None:
    body = "leader chooses one\n    option stop\n      finish game"
    text = LARGE.replace("number your score", "define your score as (first of Pack)'s above")
    match = cardlang.loads(f"{text}player leader starts at first of players\nstep play\n  {body}\n").start(2, 1)
    assert all(match.scores == [495, 495] for _ in range(800))  # 800 times 2 * 158 steps are more than there are


def test_endless_loop_over_winners_fails() -> None:
    text = LARGE + "step play\n  repeat until count of winners = 5\n    set first of players's score to 1\n"
    with pytest.raises(RuleError, match="without a decision"):
        cardlang.loads(text.replace("first of players's", "(first of players)'s")).start(2, 1)


COUNTED = ["canasta", "casino", "omaha_hi_lo", "schafkopf"]
"""Games with lists of ways to choose, or with lists of cards within others, whose size no rule limits."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PATHS if name not in COUNTED])
def test_bundled_games_need_no_work_limit(name: str) -> None:
    game = cardlang.load(PATHS[name])
    assert not WorkEstimator(game, max(game.seats)).is_work_large


SETS = read_game("sets_work_limits")


@pytest.mark.parametrize(("which", "large"), [("4", False), ("1 to 4", False), ("5 or more", True)])
def test_small_sets_are_cheap(which: str, large: bool) -> None:
    assert WorkEstimator(cardlang.loads(SETS.format(which=which)), 2).is_work_large == large


BINDERS = read_game("binders")
FEW = {
    "four ranges": (1, "a from 1 to 2, b from 0 to 1, c from 0 to 1, d from 0 to 1", "count of your hand > a + b", 16),
    "three ranges and nested lists": (
        1, "a from 1 to 2, b from 1 to 2, c from 1 to 3",
        "count of (your hand where any card in deck has (any card in table has value > c or value > b)) >= a - 2", 12,
    ),
    "bounds that play tells": (
        2, "a from 1 to your coins, b from 1 to your coins, c from 1 to your coins, d from 1 to your coins",
        "a + b + c + d > 7", 1,
    ),
    "hands within hands": (
        1, "a from your hand, b from your hand, c from your hand, d from your hand", "a != b and c != d", None,
    ),
    "many that are refused one by one": (1, "a from 1 to 60, b from 1 to 60, c from 1 to 60", "a + b + c < 4", 1),
}  # fmt: skip
"""What an option binds, its condition, and how many moves that makes."""


@pytest.mark.parametrize("name", FEW)
def test_options_with_few_bindings_are_offered(name: str) -> None:
    coins, binders, when, moves = FEW[name]
    match: Match = cardlang.loads(BINDERS.format(coins=coins, binders=binders, when=f"when {when}")).start(2, 1)
    assert match.decision is not None and match.decision.player == "Ann"
    assert moves is None or len(match.decision.moves) == moves + 1


MUCH = {
    "nine hundred million": "a from 1 to your coins, b from 1 to your coins",
    "a hundred times that": "c from 1 to 100, a from 1 to your coins, b from 1 to your coins",
}


@pytest.mark.parametrize("binders", MUCH.values(), ids=list(MUCH))
def test_nested_ranges_fail_soon(binders: str) -> None:
    begun = time.process_time()
    with pytest.raises(RuleError, match="too many steps"):
        cardlang.loads(BINDERS.format(coins=30_000, binders=binders, when="when a + b < 0")).start(2, 1)
    assert time.process_time() - begun < 20


NEVER = {
    "moves": ("a from 1 to 100, b from 1 to 100, c from 1 to 100", ""),
    "combinations": ("a from 1 to 100, b from 1 to 100, c from 1 to 100, d from 1 to 100", "when d = 3"),
    "members": ("a from Value, b from Value, c from 1 to 9, d from 1 to 9, e from 1 to 9, f from 1 to 9", ""),
}


@pytest.mark.parametrize("name", NEVER)
def test_an_option_that_can_never_be_offered_is_refused_by_check(name: str) -> None:
    binders, when = NEVER[name]
    assert [each.code for each in find_errors(BINDERS.format(coins=1, binders=binders, when=when))] == ["E239"]
