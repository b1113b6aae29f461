"""Inference of bots from other players' moves, without peeking."""

from collections.abc import Iterator
from random import Random

import pytest

from interpreter.bots.belief_sampler import BeliefSampler
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.match.determinization import permute_cards, sample_state
from interpreter.match.event_log import SampledOrigin, SampleHistory
from interpreter.match.match import Match
from interpreter.runtime.state import State
from tests.match.conftest import load


def get_suits(match: Match, cards: list[int]) -> list[str]:
    """Return the suits of cards: the last letters of their codes."""
    return [match.game.faces[match.program.face[card]].code[-1] for card in cards]


def pile(match: Match, zone: str, seat: int = 0) -> list[int]:
    return match.state.z[match.program.zone_base[zone] + seat]


def iterate_tricks(name: str, seed: int) -> Iterator[tuple[Match, list[set[str]]]]:
    """Yield a match at the first seat's decisions, with the suits that each seat has shown not to have."""
    match, random = load(name).start(4, seed), Random(seed)
    void: list[set[str]] = [set(), set(), set(), set()]
    for _ in range(52 * 4):
        if match.decision is None:
            return
        seat, table, chance = match.decision.seat, get_suits(match, pile(match, "table")), match.state.rng
        if seat == 0:
            yield match, void
        code = match.state.legal[random.randrange(len(match.state.legal))]
        played = get_suits(match, [code - 1])[0] if table else ""
        match.choose(match.state.legal.index(code))
        if table and played != table[0]:
            void[seat].add(table[0])
        if match.state.rng != chance:
            void = [set(), set(), set(), set()]


@pytest.mark.parametrize("name", ["hearts", "spades", "whist"])
def test_sampler_infers_voids_from_not_following_suit(name: str) -> None:
    looked = plain = 0
    for seed in range(5):
        onlooker = BeliefSampler(0)
        for match, void in iterate_tricks(name, seed):
            onlooker.process_new_moves(match)
            sample = match.clone()
            sample.state = onlooker.sample(match, len(match.choices))
            unconcluded = match.sample(0, len(match.choices))
            for seat in (1, 2, 3):
                assert void[seat].isdisjoint(get_suits(sample, pile(sample, "hand", seat)))
                looked += bool(void[seat])
                plain += not void[seat].isdisjoint(get_suits(unconcluded, pile(unconcluded, "hand", seat)))
    assert looked > 50
    assert plain > 20


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("tall_card", 3), ("gin_rummy", 2), ("tail_story", 3)])
def test_inferred_sample_has_the_same_view(name: str, players: int) -> None:
    match, random, onlooker = load(name).start(players, 5), Random(5), BeliefSampler(0)
    for count in range(90):
        if match.decision is None:
            break
        if count % 6 == 0:
            onlooker.process_new_moves(match)
            looks = match.clone()
            looks.state = onlooker.sample(match, count)
            seen, shown = match.view(0), looks.view(0)
            assert (shown.table, shown.tracks, shown.moves) == (seen.table, seen.tracks, seen.moves)
        match.choose(random.randrange(len(match.state.legal)))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("whist", 4), ("spades", 4), ("texas_holdem", 3)])
def test_bots_ignore_hidden_cards(name: str, players: int) -> None:
    """Matches with other hidden cards since they were dealt, and the same moves: it does the same in all of them."""
    match, random, others = load(name).start(players, 8), Random(3), 0
    begun = match.program.clone(match.state)
    made: list[int] = []
    for _ in range(60):
        if match.decision is None:
            break
        seat = match.decision.seat
        if len(match.decision.moves) > 1:
            own = PlayoutPlayer(2, 2).choose(
                replay_with_cards(match, begun, made, seat, list(range(len(match.program.face))))
            )
            for seed in range(3):
                other = disguise_match(match, begun, made, seat, seed)
                assert other.view(seat).table == match.view(seat).table
                others += other.state.z != match.state.z
                assert PlayoutPlayer(2, 2).choose(other) == own
        chance = match.state.rng
        made.append(match.state.legal[random.randrange(len(match.state.legal))])
        match.choose(match.state.legal.index(made[-1]))
        if match.state.rng != chance:
            begun, made = match.program.clone(match.state), []
    assert others > 20


def disguise_match(match: Match, begun: State, made: list[int], seat: int, seed: int) -> Match:
    """Return the match with other hidden cards since the deal, so that all moves stay legal."""
    onlooker, taken = BeliefSampler(seat), list[list[int]]()
    onlooker.process_new_moves(match)

    def take(renaming: list[int], chance: Random) -> None:
        onlooker.adjust_permutation(match.names, renaming, chance)
        taken.append(renaming.copy())

    sample_state(match.names, match.state, seat, seed, (), take)
    return replay_with_cards(match, begun, made, seat, taken[-1])


def replay_with_cards(match: Match, begun: State, made: list[int], seat: int, renaming: list[int]) -> Match:
    """Return a match from the deal with other cards and the same moves."""
    state = match.program.clone(begun)
    permute_cards(match.names, state, renaming)
    match.program.refresh_legal_moves(state)
    origin = SampledOrigin(match.names, state, 1, SampleHistory(match.origin, [], seat))
    other = Match(match.names, origin, origin.build_first_state())
    for code in made:
        other.choose(other.state.legal.index(code))
    return other
