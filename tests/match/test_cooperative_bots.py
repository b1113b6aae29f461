"""Cooperative bots: they follow hints and don't gamble on unknown cards."""

import pytest

from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.bots.hint_samples import MatchSamples
from interpreter.bots.hints import collect_samples, find_hint
from interpreter.bots.playout_search import PlayoutSearch
from interpreter.bots.sure_gains_and_answers import is_sure_loss
from interpreter.lower.standings import find_lives, is_outcome_shared
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider, wait_for_engine
from tests.match.test_belief_sampler import pile
from tests.native.following import needs_either
from tests.shipped import casts, load

ENGINES = [None, pytest.param(wait_for_engine, marks=needs_either)]
both = pytest.mark.parametrize("engines", ENGINES, ids=["python", "native"])


def start_with_hint(players: int) -> tuple[Match, list[bool]]:
    """Start a match in which Ann has just hinted at Bob's ones. All of them fit, and no other player has any."""
    for seed in range(100):
        match = load("fireworks").start(players, seed)
        of = [[get_card_rank(match, card) == "1" for card in pile(match, "hand", seat)] for seat in range(players)]
        ones = of[1]
        if any(ones) and not all(ones) and sum(map(any, of)) == 1:
            match.choose("number-hint Bob 1")
            return match, ones
    raise AssertionError("nobody has a one")


def get_card_rank(match: Match, card: int) -> str:
    return match.names.game.faces[match.program.face[card]].code[0]


def test_only_fireworks_is_cooperative() -> None:
    """Nobody has a score of their own in one game for several."""
    several = [cast for cast in casts() if cast.players > 1]
    assert {cast.game for cast in several if is_outcome_shared(load(cast.game), cast.players)} == {"fireworks"}


@pytest.mark.slow
@both
@pytest.mark.parametrize("players", [2, 3])
def test_bot_plays_a_card_known_to_fit(players: int, engines: EngineProvider | None) -> None:
    match, ones = start_with_hint(players)
    assert match.decision is not None
    text = match.decision.moves.texts[PlayoutPlayer(1, 12, engines=engines).choose(match)]
    assert text.startswith("play #")
    assert ones[int(text.removeprefix("play #")) - 1]


@pytest.mark.slow
@both
def test_bot_does_not_play_unknown_cards(engines: EngineProvider | None) -> None:
    for seed in range(3):
        match = load("fireworks").start(3, seed)
        search = PlayoutPlayer(seed, 12, engines=engines).build_search(match)
        search.find_best_move()
        assert match.decision is not None
        texts = match.decision.moves.texts
        assert {texts[tried.index].split()[0] for tried in search.tried if tried.is_gamble} == {"play"}
        assert not texts[search.tried[0].index].startswith("play")


@needs_either
def test_gambles_stay_unattractive_with_many_playouts() -> None:
    """With hundreds of trial games nothing is left to doubt; a fuse is dear all the same."""
    for seed in range(3):
        match = load("fireworks").start(2, 1000 + seed)
        search = PlayoutPlayer(seed, 200, engines=wait_for_engine).build_search(match)
        assert match.decision is not None
        assert not match.decision.moves.texts[search.find_best_move().index].startswith("play")
        burnt = next(tried for tried in search.tried if tried.is_gamble)
        assert 0 < burnt.lives_lost / burnt.games < 1


def test_lives_are_found_from_the_win_condition() -> None:
    """Three fuses, of which one must be left; a score has no life to lose."""
    assert {cast.game: find_lives(load(cast.game)) for cast in casts() if find_lives(load(cast.game))} == {
        "fireworks": {"fuses": 3}
    }


def test_samples_agree_with_clues() -> None:
    match, ones = start_with_hint(3)
    search = PlayoutPlayer(1, 1).build_search(match)
    assert isinstance(search, PlayoutSearch)
    hands = set()
    for _ in range(20):
        hand = search.draw_likely_sample().z[match.program.zone_base["hand"] + 1]
        hands.add(tuple(hand))
        assert [get_card_rank(match, card) == "1" for card in hand] == ones
    assert len(hands) > 10


@needs_either
def test_native_samples_agree_with_clues() -> None:
    match, ones = start_with_hint(3)
    search = PlayoutPlayer(1, 1, engines=wait_for_engine).build_search(match)
    hands = set()
    for _ in range(20):
        state = search.playouts.sample_state()  # type: ignore[attr-defined]
        hand = state.z[match.program.zone_base["hand"] + 1]
        hands.add(tuple(hand))
        assert [get_card_rank(match, card) == "1" for card in hand] == ones
    assert len(hands) > 10


def test_hint_names_a_card_that_certainly_fits() -> None:
    match, _ = start_with_hint(2)
    reasons = find_hint(match, "Bob", seconds=None, playouts=12).reasons
    assert reasons.startswith("It can only be [1b], [1g], [1r], [1w] or [1y], and it surely gains. ")
    other = load("fireworks").start(2, 1)
    assert "surely" not in find_hint(other, "Ann", seconds=None, playouts=2).reasons


def test_hint_leaves_out_sure_losses() -> None:
    """At the start, each row needs a 1, so a card marked as a 5 burns a fuse. An unmarked one may fit."""
    match = next(match for seed in range(100) if has_five(match := load("fireworks").start(3, seed)))
    match.choose("number-hint Bob 5")
    search = PlayoutPlayer(1, 1).build_search(match)
    samples = MatchSamples.create(match, collect_samples(search), 0)
    assert match.decision is not None
    hand = [get_card_rank(match, card) for card in pile(match, "hand", 1)]
    for place, rank in enumerate(hand, 1):
        assert is_sure_loss(samples, match.decision.moves.texts.index(f"play #{place}")) == (rank == "5")


def has_five(match: Match) -> bool:
    ranks = {get_card_rank(match, card) for card in pile(match, "hand", 1)}
    return "5" in ranks and len(ranks) > 1
