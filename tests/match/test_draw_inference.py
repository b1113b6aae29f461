"""Inference from draws: players who discard few cards have kept good ones."""

from collections.abc import Iterator, Sequence

import pytest

from interpreter.bots.belief_sampler import (
    DISCARD_COUNTING_PROBABILITY,
    KEEP_USELESS_PROBABILITY,
    BeliefSampler,
    ObservedMove,
    find_public_actions,
    get_discard_likelihood,
)
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.match.determinization import permute_cards, sample_state
from interpreter.match.event_log import SampledOrigin, SampleHistory
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider
from interpreter.runtime.state import DONE, State
from tests.match.betting import ENGINES, run_search
from tests.shipped import load

both = pytest.mark.parametrize("engines", ENGINES, ids=["python", "native"])


def find_counting_cards(match: Match, state: State, seat: int) -> set[int]:
    return set(match.program.evaluate_player_value("strength", state, seat).used)


def is_draw(match: Match) -> bool:
    return match.program.get_site(match.state).kind == "pick"


def draw(match: Match) -> None:
    """Discard all cards that don't count."""
    assert match.decision is not None
    seat = match.decision.seat
    kept = find_counting_cards(match, match.state, seat)
    while match.decision is not None and match.decision.seat == seat and is_draw(match):
        legal = match.state.legal
        match.choose(next((at for at, code in enumerate(legal) if code and code - 1 not in kept), len(legal) - 1))


def bet(match: Match) -> None:
    assert match.decision is not None
    match.choose(next(text for text in ("claim", "check", "call") if text in match.decision.moves.texts))


def find_draws(count: int) -> Iterator[Match]:
    """Yield two-player matches where the player without a claim drew `count` cards and the other acts next."""
    for seed in range(1000):
        match = load("tall_card").start(2, seed)
        while match.decision is not None and not is_draw(match):
            bet(match)
        draw(match)
        idle = [
            code
            for code in match.state.legal
            if code and code - 1 not in find_counting_cards(match, match.state, match.state.who)
        ]
        if len(idle) == count and len(match.state.legal) == 6:
            draw(match)
            yield match


def compute_strong_share(count: int, engines: EngineProvider | None) -> float:
    """Return the share of samples in which the hand has at least four cards that count."""
    strong = all_ = 0
    for match, number in zip(find_draws(count), range(12), strict=False):
        assert match.decision is not None
        search = PlayoutPlayer(number, 1, engines=engines).build_search(match)
        search.find_best_move()
        for _ in range(100):
            world = search.sample()
            assert world is not None
            strong += len(find_counting_cards(match, world, 1 - match.decision.seat)) >= 4
            all_ += 1
    return strong / all_


@pytest.mark.slow
@both
def test_drawing_one_card_suggests_a_strong_hand(engines: EngineProvider | None) -> None:
    """Of five cards just four count in 3 hands of 40, and two in half of them: whoever has a pair, and draws one, keeps
    two cards of no use. Taken as they are dealt, 5 % of these hands would be strong after a draw."""
    assert compute_strong_share(1, engines) > 0.25
    assert compute_strong_share(3, engines) < 0.2


def test_discard_likelihood_multiplies_card_by_card() -> None:
    """Of a pair and three others: one of the pair goes, with one of the others; two stay, unless no more could go."""
    match = next(find_draws(3))
    made = [each for each in make_sampler(match).observed_moves if match.program.get_site(each.before).kind == "pick"][
        -4:
    ]
    before, renaming = made[0].before, list(range(len(match.program.face)))
    reading = match.program.evaluate_player_value("strength", before, before.who)
    pair = reading.used[0]
    deed = [ObservedMove(before, pair + 1), made[0], ObservedMove(before, DONE)]
    assert [move.code == DONE for move in made] == [False, False, False, True] and len(reading.used) == 2
    assert get_discard_likelihood(reading, before, made, renaming) == 1
    assert get_discard_likelihood(reading, before, deed, renaming) == pytest.approx(
        DISCARD_COUNTING_PROBABILITY * KEEP_USELESS_PROBABILITY**2
    )
    assert get_discard_likelihood(reading, before, deed[:2], renaming) == pytest.approx(DISCARD_COUNTING_PROBABILITY)
    assert get_discard_likelihood(None, before, deed, renaming) == 1


def test_public_actions_group_discards_and_bets() -> None:
    match = next(find_draws(3))
    found = [[move.code == DONE for move in deed] for deed in find_public_actions(make_sampler(match), match)]
    assert found == [[False], [False, False, False, True]]  # a check; three cards and enough


def make_sampler(match: Match) -> BeliefSampler:
    assert match.decision is not None
    onlooker = BeliefSampler(match.decision.seat)
    onlooker.process_new_moves(match)
    return onlooker


@pytest.mark.slow
@both
def test_draw_inference_ignores_hidden_discards(engines: EngineProvider | None) -> None:
    """With other cards in the hands, of which those at the same places are let go, all that is thought is the same."""
    others = 0
    for seed in range(4):
        match = load("tall_card").start(3, seed)
        begun, drawn = match.program.clone(match.state), 0
        while match.decision is not None and drawn < 3:
            drawn += is_draw(match)
            draw(match) if is_draw(match) else bet(match)
        own = run_search(match, engines)
        for again in range(3):
            other = deal_other_hands(match, begun, again)
            others += other.state.z != match.state.z
            assert run_search(other, engines) == own
    assert others > 6


def deal_other_hands(match: Match, begun: State, seed: int) -> Match:
    assert match.decision is not None
    renamings = list[list[int]]()
    sample_state(
        match.names, match.state, match.decision.seat, seed, (), lambda renaming, _: renamings.append([*renaming])
    )
    first, again = restart_from_deal(match, begun, None), restart_from_deal(match, begun, renamings[-1])
    while len(first.choices) < len(match.choices):
        codes = take_next_set(first, [code for code in match.choices[len(first.choices) :] if isinstance(code, int)])
        for code in codes if first.state.who == match.decision.seat else rename_codes(again, codes, renamings[-1]):
            again.choose(again.state.legal.index(code) if code in again.state.legal else copy_of(again, code))
        for code in codes:
            first.choose(first.state.legal.index(code))
    return again


def restart_from_deal(match: Match, begun: State, renaming: Sequence[int] | None) -> Match:
    assert match.decision is not None
    state = match.program.clone(begun)
    if renaming is not None:
        permute_cards(match.names, state, [*renaming])
    match.program.refresh_legal_moves(state)
    origin = SampledOrigin(match.names, state, 1, SampleHistory(match.origin, [], match.decision.seat))
    return Match(match.names, origin, origin.build_first_state())


def take_next_set(match: Match, left: list[int]) -> list[int]:
    """Return the next move, or all moves of a set."""
    if not is_draw(match):
        return left[:1]
    hand, codes = {code for code in match.state.legal if code}, list[int]()
    for code in left:
        codes.append(code)
        limit = match.program.evaluate_player_value("redraw-limit", match.state, match.state.who)
        if code == DONE or len(codes) == limit or code not in hand:
            break
    return codes


def copy_of(match: Match, code: int) -> int:
    """Return the index of the move that names an identical card."""
    face = match.program.face
    return next(at for at, other in enumerate(match.state.legal) if other and face[other - 1] == face[code - 1])


def rename_codes(match: Match, codes: Sequence[int], renaming: Sequence[int]) -> list[int]:
    if not is_draw(match):
        return [*codes]
    cards = sorted(1 + renaming[code - 1] for code in codes if code != DONE)
    return [*cards, *(code for code in codes if code == DONE)]
