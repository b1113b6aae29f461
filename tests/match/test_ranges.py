"""What others may hold after what they have done: samples are weighed by bets, in Python and in machine code."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.matches.match import Match
from interpreter.players.betting import FEW, Betting, Tempers, betting_of
from interpreter.players.engines import Engines, waited_for
from interpreter.players.habits import shares_below
from interpreter.players.rollout import RolloutPlayer
from tests.match.test_conclusions import disguised
from tests.native.following import needs_either
from tests.shipped import load

ENGINES = [None, pytest.param(waited_for, marks=needs_either)]
IDS = ["python", "native"]


def holdem(*moves: str, players: int = 3, seed: int = 2) -> Match:
    match = load("texas_holdem").start(players, seed)
    for move in moves:
        match.choose(move)
    return match


def share_of_pairs(moves: tuple[str, ...], engines: Engines | None, count: int = 300) -> float:
    """How often whoever spoke first holds two of a kind in the matches that whoever is asked takes for possible."""
    pairs = 0
    for seed in range(2, 6):
        match = holdem(*moves, seed=seed)
        assert match.decision is not None
        seat = (match.decision.seat - len(moves)) % 3
        search = RolloutPlayer(5, 1, engines=engines).search(match)
        search.run()
        for _ in range(count):
            state = search.sample()
            assert state is not None
            one, other = (
                match.game.faces[match.program.face[card]].code or "" for card in hand_of(match, state.z, seat)
            )
            pairs += one[:-1] == other[:-1]
    return pairs / count / 4


def hand_of(match: Match, piles: list[list[int]], seat: int) -> list[int]:
    return piles[match.program.zone_base["hand"] + seat]


@pytest.mark.parametrize("engines", ENGINES, ids=IDS)
def test_who_raises_is_taken_to_hold_more(engines: Engines | None) -> None:
    """Of two cards 1 of 17 deals is a pair. 2 of 3 are to pay: of those who look at their hands the best 22 % raise,
    all pairs among them, and 73 % stay in. As likely as they are (0.71 after a raise), a pair is twice as likely."""
    assert share_of_pairs(("raise 4",), engines) > 0.085
    assert share_of_pairs(("call",), engines) < 0.07


@pytest.mark.parametrize("engines", ENGINES, ids=IDS)
def test_what_was_bet_is_not_forgotten_when_somebody_folds(engines: Engines | None) -> None:
    assert share_of_pairs(("raise 4", "fold"), engines) > 0.085


@pytest.mark.parametrize("engines", ENGINES, ids=IDS)
def test_nobody_peeks_at_hands_that_have_been_folded(engines: Engines | None) -> None:
    """The first hand of some matches, with other hidden cards and the same moves: all that is thought is the same."""
    others = 0
    for seed in range(6):
        match, random, made = holdem(players=4, seed=seed), Random(seed), list[int]()
        begun = match.program.clone(match.state)
        chance = begun.rng
        while match.decision is not None and match.state.rng == chance and len(made) < 8:
            own = thought(match, engines)
            for other in (disguised(match, begun, made, match.decision.seat, again) for again in range(2)):
                others += other.state.z != match.state.z
                assert thought(other, engines) == own
            texts = [text for text in match.decision.moves.texts if random.random() < 0.5 or text != "fold"][:4]
            made.append(match.state.legal[match.decision.moves.texts.index(random.choice(texts))])
            match.choose(match.state.legal.index(made[-1]))
    assert others > 40


def thought(match: Match, engines: Engines | None) -> list[tuple[int, int, float]]:
    search = RolloutPlayer(2, 4, engines=engines).search(match)
    search.run()
    return [(tried.index, tried.games, tried.leads) for tried in search.tried]


def test_hands_are_compared_by_weight() -> None:
    """Of 1 + 2 + 3 + 4 as much lies below each as came before."""
    below = shares_below([(5,), (7,), (5,), (9,)], [1, 3, 2, 4])
    assert below == {(5,): 0, (7,): pytest.approx(0.3), (9,): pytest.approx(0.6)}


def test_whoever_raises_again_and_again_is_soon_believed_less() -> None:
    """Where 4 are to pay and 8 lie 16.5 % raise of those who look at their hands, and do three times of four: each
    raise makes it 0.8 / 0.12375 times as likely that somebody does not."""
    match = holdem("raise 4", players=2)
    betting = betting_of(match.program)
    assert isinstance(betting, Betting) and match.decision is not None
    tempers, seat = Tempers(betting), match.decision.seat
    code = match.state.legal[match.decision.moves.texts.index("raise 4")]
    assert tempers.wild(seat) == pytest.approx(FEW)
    tempers.see(match.state, code)
    odds = FEW / (1 - FEW) * 0.8 / (0.75 * 0.3 * 1.1 * 4 / 8)
    assert tempers.wild(seat) == pytest.approx(odds / (1 + odds))
    assert tempers.wild(1 - seat) == pytest.approx(FEW)
    tempers.see(match.state, match.state.legal[match.decision.moves.texts.index("fold")])
    odds *= 0.05 / (1 - 1.1 * 4 / 8)
    assert tempers.wild(seat) == pytest.approx(odds / (1 + odds))
