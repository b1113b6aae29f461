"""What a hand bears where players bet: shares are known odds, prices arithmetic."""

from __future__ import annotations

import pytest

from interpreter.matches.match import Match
from interpreter.players.betting import Betting, betting_of
from interpreter.players.engines import Engines, waited_for
from interpreter.players.outcomes import Scale, Tried, best, fitting
from interpreter.players.prospects import Prospect, adding_pays, mark_unfit, part_won, staying_pays
from interpreter.players.rollout import RolloutPlayer
from tests.native.following import needs_either
from tests.shipped import load

ENGINES = [None, pytest.param(waited_for, marks=needs_either)]


def two(*moves: str, seed: int = 1) -> tuple[Match, Betting]:
    """Hold'em for two: the dealer has put in 1 of 200, the other 2."""
    match = load("texas_holdem").start(2, seed)
    for move in moves:
        match.choose(move)
    betting = betting_of(match.program)
    assert betting is not None
    return match, betting


def with_ranks(*ranks: str) -> Match:
    """Whoever speaks first holds such cards, of two suits."""
    for seed in range(3000):
        match = load("texas_holdem").start(2, seed)
        assert match.decision is not None
        who = match.decision.player
        codes = [card.code or "" for card in match.view(who).zone("hand", who).cards]
        if sorted(code[:-1] for code in codes) == sorted(ranks) and codes[0][-1] != codes[1][-1]:
            return match
    raise AssertionError(ranks)


def test_what_cannot_be_won_does_not_count() -> None:
    """Of the 200 that the other has put in who has 2 and 74 can win 76: the price is 74 for 2 and 76."""
    match, betting = two("raise 198")
    state = match.state
    state.t[match.program.track_base["chips"] + state.who] = 74
    assert betting.winnable(state) == 78
    assert staying_pays(betting, state) == pytest.approx(74 / 152)
    assert betting.shares(state)[0] == pytest.approx(1.1 * 4 / 78)


@pytest.mark.parametrize("engines", ENGINES, ids=["python", "native"])
@pytest.mark.parametrize(("ranks", "share"), [(("A", "A"), 0.85), (("7", "2"), 0.35)])
def test_a_hand_wins_so_often_if_nobody_folds(engines: Engines | None, ranks: tuple[str, str], share: float) -> None:
    """Against any two cards, as tables of Hold'em have it; in 100 samples give or take 5 %."""
    match = with_ranks(*ranks)
    search = RolloutPlayer(3, 30, engines=engines).search(match)
    search.run()
    assert search.prospect is not None
    assert search.prospect.share == pytest.approx(share, abs=0.16)
    assert search.prospect.rivals == 1


@pytest.mark.parametrize(
    ("share", "bluffs", "unfit"),
    [
        (0.2, False, {"call", "raise 2", "raise 4"}),  # less than what pays, 1 of 4: no hint calls
        (0.24, False, {"raise 2", "raise 4"}),  # about as much: it may be given up
        (0.45, False, {"fold", "raise 2", "raise 4"}),
        (0.6, False, {"fold"}),
        (0.2, True, set()),
        (0.32, True, set()),  # pays by little: trial games decide
        (0.33, True, {"fold"}),
    ],
)
def test_bets_have_a_hand_and_what_pays_is_not_given_up(share: float, bluffs: bool, unfit: set[str]) -> None:
    """1 to pay for a pot of 3, between two."""
    match, betting = two()
    assert match.decision is not None
    texts = match.decision.moves.texts
    tried = [Tried(texts.index(text)) for text in ("call", "fold", "raise 2", "raise 4")]
    assert staying_pays(betting, match.state) == 1 / 4
    assert adding_pays(betting, match.state, match.state.legal[texts.index("raise 4")]) == 5 / 12
    mark_unfit(match, tried, Prospect(share, 1, 199), bluffs)
    assert {texts[move.index] for move in tried if move.unfit} == unfit


@pytest.mark.parametrize(("share", "unfit"), [(0.8, True), (0.9, False)])
def test_all_that_one_has_is_put_in_with_a_very_good_hand_alone(share: float, unfit: bool) -> None:
    """Between two half of the time is no less than the other's; of the other half 0.7 is asked for besides."""
    match, _ = two()
    assert match.decision is not None
    everything = Tried(match.decision.moves.texts.index("raise 198"))
    mark_unfit(match, [everything], Prospect(share, 1, 199), False)
    assert everything.unfit == unfit


@pytest.mark.parametrize(("share", "unfit"), [(0.6, True), (0.8, False)])
def test_a_bluff_of_all_that_one_has_is_hardly_one(share: float, unfit: bool) -> None:
    """0.7 is asked for, whatever the other may hold: 199 of 199 chips are put in."""
    match, _ = two()
    assert match.decision is not None
    everything = Tried(match.decision.moves.texts.index("raise 198"))
    mark_unfit(match, [everything], Prospect(share, 1, 199), True)
    assert everything.unfit == unfit


@pytest.mark.parametrize(
    ("gained", "staked", "part"), [(-2, 0, 0), (0, 3, 0), (4, 0, 1), (2, 0, 0.5), (3, 1, 1), (2, 1, 0.5)]
)
def test_what_is_put_in_for_the_next_deal_is_not_lost(gained: float, staked: float, part: float) -> None:
    """4 can be won."""
    assert part_won(gained, 4, staked) == part


def test_what_the_hand_speaks_against_comes_last() -> None:
    moves = [Tried(0, games=100, leads=5000, squares=500_000), Tried(1, games=100, leads=1000, squares=500_000)]
    moves[0].unfit = True
    assert [move.index for move in best(moves, Scale(ahead=100))] == [1, 0]
    assert fitting(moves, Scale(ahead=100, amounts=True))[0].index == 1
