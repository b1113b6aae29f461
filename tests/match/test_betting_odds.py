"""Betting odds: shares equal known odds, prices equal arithmetic."""

import pytest

from interpreter.bots.betting_model import (
    HandOutlook,
    compute_min_call_share,
    compute_min_called_share,
    compute_won_share,
    mark_unfit_moves,
)
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.bots.playout_results import CandidateStatistics, ValueScale, prefer_fitting_stake, rank_moves
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider
from tests.match.betting import ENGINES, play_holdem
from tests.shipped import load


def deal_ranks(*ranks: str) -> Match:
    """Return a match whose first bettor holds these ranks in two suits."""
    for seed in range(3000):
        match = load("texas_holdem").start(2, seed)
        assert match.decision is not None
        who = match.decision.player
        codes = [card.code or "" for card in match.view(who).zone("hand", who).cards]
        if sorted(code[:-1] for code in codes) == sorted(ranks) and codes[0][-1] != codes[1][-1]:
            return match
    raise AssertionError(ranks)


def test_uncontested_chips_do_not_count_in_pot_odds() -> None:
    """Of the 200 that the other has put in who has 2 and 74 can win 76: the price is 74 for 2 and 76."""
    match, betting = play_holdem("raise 198")
    state = match.state
    state.t[match.program.track_base["chips"] + state.who] = 74
    assert betting.get_winnable_amount(state) == 78
    assert compute_min_call_share(betting, state) == pytest.approx(74 / 152)
    assert betting.compute_hand_shares(state)[0] == pytest.approx(1.1 * 4 / 78)


@pytest.mark.slow
@pytest.mark.parametrize("engines", ENGINES, ids=["python", "native"])
@pytest.mark.parametrize(("ranks", "share"), [(("A", "A"), 0.85), (("7", "2"), 0.35)])
def test_win_share_equals_known_holdem_odds(
    engines: EngineProvider | None, ranks: tuple[str, str], share: float
) -> None:
    """Against any two cards, as tables of Hold'em have it; in 100 samples give or take 5 %."""
    match = deal_ranks(*ranks)
    search = PlayoutPlayer(3, 30, engines=engines).build_search(match)
    search.find_best_move()
    assert search.outlook is not None
    assert search.outlook.share == pytest.approx(share, abs=0.16)
    assert search.outlook.rivals == 1


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
def test_profitable_calls_are_fit_and_weak_raises_are_not(share: float, bluffs: bool, unfit: set[str]) -> None:
    """1 to pay for a pot of 3, between two."""
    match, betting = play_holdem()
    assert match.decision is not None
    texts = match.decision.moves.texts
    tried = [CandidateStatistics(texts.index(text)) for text in ("call", "fold", "raise 2", "raise 4")]
    assert compute_min_call_share(betting, match.state) == 1 / 4
    assert compute_min_called_share(betting, match.state, match.state.legal[texts.index("raise 4")]) == 5 / 12
    mark_unfit_moves(match, tried, HandOutlook(share, 1, 199), bluffs)
    assert {texts[move.index] for move in tried if move.is_unfit} == unfit


@pytest.mark.parametrize(("share", "unfit"), [(0.8, True), (0.9, False)])
def test_all_in_requires_a_very_good_hand(share: float, unfit: bool) -> None:
    """Between two half of the time is no less than the other's; of the other half 0.7 is asked for besides."""
    match, _ = play_holdem()
    assert match.decision is not None
    everything = CandidateStatistics(match.decision.moves.texts.index("raise 198"))
    mark_unfit_moves(match, [everything], HandOutlook(share, 1, 199), False)
    assert everything.is_unfit == unfit


@pytest.mark.parametrize(("share", "unfit"), [(0.6, True), (0.8, False)])
def test_all_in_bluff_is_unfit(share: float, unfit: bool) -> None:
    """0.7 is asked for, whatever the other may hold: 199 of 199 chips are put in."""
    match, _ = play_holdem()
    assert match.decision is not None
    everything = CandidateStatistics(match.decision.moves.texts.index("raise 198"))
    mark_unfit_moves(match, [everything], HandOutlook(share, 1, 199), True)
    assert everything.is_unfit == unfit


@pytest.mark.parametrize(
    ("gained", "staked", "part"), [(-2, 0, 0), (0, 3, 0), (4, 0, 1), (2, 0, 0.5), (3, 1, 1), (2, 1, 0.5)]
)
def test_chips_carried_to_the_next_deal_are_not_lost(gained: float, staked: float, part: float) -> None:
    """4 can be won."""
    assert compute_won_share(gained, 4, staked) == part


def test_unfit_moves_rank_last() -> None:
    moves = [
        CandidateStatistics(0, games=100, lead_sum=5000, squared_lead_sum=500_000),
        CandidateStatistics(1, games=100, lead_sum=1000, squared_lead_sum=500_000),
    ]
    moves[0].is_unfit = True
    assert [move.index for move in rank_moves(moves, ValueScale(max_lead=100))] == [1, 0]
    assert prefer_fitting_stake(moves, ValueScale(max_lead=100, amounts=True))[0].index == 1
