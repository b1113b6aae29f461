"""Inference from bets: samples are weighted by bets, in both engines."""

from random import Random

import pytest

from interpreter.bots.betting_model import BLIND_BET_PRIOR, BettingPolicy, BlindBettorEstimates, build_betting_policy
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.bots.playout_policy import compute_weaker_shares
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider
from tests.match.betting import ENGINES, run_search
from tests.match.test_belief_sampler import disguise_match
from tests.shipped import load

IDS = ["python", "native"]


def holdem(*moves: str, players: int = 3, seed: int = 2) -> Match:
    match = load("texas_holdem").start(players, seed)
    for move in moves:
        match.choose(move)
    return match


def compute_pair_share(moves: tuple[str, ...], engines: EngineProvider | None, count: int = 300) -> float:
    """Return how often the first bettor holds a pair in the other player's samples."""
    pairs = 0
    for seed in range(2, 6):
        match = holdem(*moves, seed=seed)
        assert match.decision is not None
        seat = (match.decision.seat - len(moves)) % 3
        search = PlayoutPlayer(5, 1, engines=engines).build_search(match)
        search.find_best_move()
        for _ in range(count):
            state = search.sample()
            assert state is not None
            one, other = (
                match.game.faces[match.program.face[card]].code or "" for card in get_hand(match, state.z, seat)
            )
            pairs += one[:-1] == other[:-1]
    return pairs / count / 4


def get_hand(match: Match, piles: list[list[int]], seat: int) -> list[int]:
    return piles[match.program.zone_base["hand"] + seat]


@pytest.mark.slow
@pytest.mark.parametrize("engines", ENGINES, ids=IDS)
def test_raise_makes_strong_hands_more_likely_in_samples(engines: EngineProvider | None) -> None:
    """Of two cards 1 of 17 deals is a pair. 2 of 3 are to pay: of those who look at their hands the best 22 % raise,
    all pairs among them, and 73 % stay in. As likely as they are (0.71 after a raise), a pair is twice as likely."""
    assert compute_pair_share(("raise 4",), engines) > 0.085
    assert compute_pair_share(("call",), engines) < 0.07


@pytest.mark.parametrize("engines", ENGINES, ids=IDS)
def test_bet_inference_survives_a_fold(engines: EngineProvider | None) -> None:
    assert compute_pair_share(("raise 4", "fold"), engines) > 0.085


@pytest.mark.slow
@pytest.mark.parametrize("engines", ENGINES, ids=IDS)
def test_bet_inference_ignores_folded_hands(engines: EngineProvider | None) -> None:
    """The first hand of some matches, with other hidden cards and the same moves: all that is thought is the same."""
    others = 0
    for seed in range(6):
        match, random, made = holdem(players=4, seed=seed), Random(seed), list[int]()
        begun = match.program.clone(match.state)
        chance = begun.rng
        while match.decision is not None and match.state.rng == chance and len(made) < 8:
            own = run_search(match, engines)
            for other in (disguise_match(match, begun, made, match.decision.seat, again) for again in range(2)):
                others += other.state.z != match.state.z
                assert run_search(other, engines) == own
            texts = [text for text in match.decision.moves.texts if random.random() < 0.5 or text != "fold"][:4]
            made.append(match.state.legal[match.decision.moves.texts.index(random.choice(texts))])
            match.choose(match.state.legal.index(made[-1]))
    assert others > 40


def test_weaker_shares_use_hand_weights() -> None:
    """Of 1 + 2 + 3 + 4 as much lies below each as came before."""
    below = compute_weaker_shares([(5,), (7,), (5,), (9,)], [1, 3, 2, 4])
    assert below == {(5,): 0, (7,): pytest.approx(0.3), (9,): pytest.approx(0.6)}


def test_repeated_raises_make_a_bluff_more_likely() -> None:
    """Where 4 are to pay and 8 lie 16.5 % raise of those who look at their hands, and do three times of four: each
    raise makes it 0.8 / 0.12375 times as likely that somebody does not."""
    match = holdem("raise 4", players=2)
    betting = build_betting_policy(match.program)
    assert isinstance(betting, BettingPolicy) and match.decision is not None
    tempers, seat = BlindBettorEstimates(betting), match.decision.seat
    code = match.state.legal[match.decision.moves.texts.index("raise 4")]
    assert tempers.get_blind_bet_rate(seat) == pytest.approx(BLIND_BET_PRIOR)
    tempers.update_estimate(match.state, code)
    odds = BLIND_BET_PRIOR / (1 - BLIND_BET_PRIOR) * 0.8 / (0.75 * 0.3 * 1.1 * 4 / 8)
    assert tempers.get_blind_bet_rate(seat) == pytest.approx(odds / (1 + odds))
    assert tempers.get_blind_bet_rate(1 - seat) == pytest.approx(BLIND_BET_PRIOR)
    tempers.update_estimate(match.state, match.state.legal[match.decision.moves.texts.index("fold")])
    odds *= 0.05 / (1 - 1.1 * 4 / 8)
    assert tempers.get_blind_bet_rate(seat) == pytest.approx(odds / (1 + odds))
