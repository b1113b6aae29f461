"""Properties of every bundled game, under random play."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cardlang
from interpreter.match.match import Match, start
from interpreter.match.match import collect_state_data as as_data
from interpreter.match.move_parser import find_move_codes
from interpreter.narration.display_names import to_exact_number
from interpreter.runtime.errors import MoveError, RuleError
from interpreter.runtime.state import State
from tests.shipped import Cast, casts, load, one_cast_each, play_randomly, walk

CHIPS = {"tall_card": 100, "tall_card_fan": 100, "kuhn_poker": 2}
"""With how many chips everybody begins, by the rules."""
each_game = pytest.mark.parametrize("cast", one_cast_each(), ids=str)
few = settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
seeds = st.integers(0, 10_000)


def is_betting(name: str) -> bool:
    return any(source.name == "betting.cardgame" for source in load(name).sources)


@st.composite
def matches(draw: st.DrawFn, cast: Cast, longest: int = 90) -> Match:
    """Draw a match after some decisions."""
    return play_randomly(cast, draw(seeds), draw(st.integers(0, longest)))


def play_on(match: Match, seed: int, decisions: int = 25) -> list[str]:
    """Make random moves. Return the decisions and the final scores."""
    told = []
    for at in walk(match, Random(seed), decisions):
        told.append(str(at.decision))
    return [*told, str(match.scores)]


# ---------------------------------------------------------------- cards and chips
@pytest.mark.slow
@each_game
@given(data=st.data())
@few
def test_every_card_is_in_exactly_one_pile(cast: Cast, data: st.DataObject) -> None:
    seed = data.draw(seeds)
    match = cast.start(seed)
    for at in walk(match, Random(seed), 120):
        piles = at.state.z
        assert sorted(card for pile in piles for card in pile) == list(range(at.game.cards))
        assert all(at.state.loc[card] == number for number, pile in enumerate(piles) for card in pile)


@pytest.mark.slow
@pytest.mark.parametrize("cast", [cast for cast in casts() if cast in one_cast_each() or cast.variant], ids=str)
def test_expectations_hold_in_play(cast: Cast) -> None:
    """The deck is whole before it is shuffled for a new round, among other things."""
    match = cast.start(5, checking=True)
    for _ in walk(match, Random(5), 300):
        pass


def test_broken_expectation_is_found() -> None:
    text = cardlang.shipped()["tall_card"].read_text(encoding="utf-8")
    expected = "expect count of deck = count of (Numbers, Dragons)"
    assert expected in text
    game = cardlang.loads(text.replace(expected, f"{expected} - 1"))
    game.start(2, 1)
    with pytest.raises(RuleError) as fault:
        start(game, 2, 1, checking=True)
    assert fault.value.span.text.startswith(expected)


def count_chips(match: Match, state: State) -> int:
    """Return the number of all chips: held, staked, and waiting for the next pot."""
    total = 0
    for number, slot in enumerate(match.program.tracks):
        if slot.track.name in ("chips", "staked", "leftover"):
            value = to_exact_number(state.t[number], slot.scale, slot.track.type)
            assert isinstance(value, int) and value >= 0
            total += value
    return total


@pytest.mark.slow
@pytest.mark.parametrize("cast", [cast for cast in one_cast_each() if is_betting(cast.game)], ids=str)
def test_chips_are_conserved(cast: Cast) -> None:
    for seed in range(3):
        match = cast.start(seed)
        chips = count_chips(match, match.program.create_blank_state(seed))
        assert chips == CHIPS.get(cast.game, chips // cast.players) * cast.players > 0
        for at in walk(match, Random(seed), 150):
            assert count_chips(at, at.state) == chips


# ---------------------------------------------------------------- moves
@pytest.mark.slow
@each_game
@given(data=st.data())
@few
def test_legal_moves_are_accepted(cast: Cast, data: st.DataObject) -> None:
    match = data.draw(matches(cast))
    if match.decision is None:
        return
    moves = match.decision.moves
    texts = moves.texts
    assert len(texts) == len(moves) > 0
    assert len(set(texts)) == len(texts)
    for move in Random(1).sample(list(moves), min(12, len(moves))):
        assert find_move_codes(match.names, match.state, move.text) == [move.code]
        assert match.why_not(move.text) is None
        by_index, by_move, by_text = match.clone(), match.clone(), match.clone()
        by_index.choose(move.index)
        by_move.choose(move)
        by_text.choose(move.text)
        assert by_index == by_move == by_text
        assert by_index != match


def candidates(match: Match, random: Random) -> list[str]:
    """Draw texts in the form of moves, most of them illegal now."""
    sites = match.program.sites
    options = sorted({option.name for site in sites for option in site.options})
    verbs = sorted({verb for site in sites if (verb := getattr(site.statement, "verb", ""))})
    here = match.program.get_site(match.state)
    asked = [option.name for option in here.options] + [getattr(here.statement, "verb", "") or ""]
    values = ["", "-1", "0", "1", "3", "26", "101", "1" + "0" * 30, "#1", "#9", *match.players]
    values += [f"[{face.code}]" for face in random.sample(list(match.game.faces), min(12, len(match.game.faces)))]
    values += [member.name for kind in match.game.kinds.values() for member in kind.members[:2]]
    made = [f"{verb} {value}".strip() for verb in asked * 3 + options + verbs for value in values]
    return random.sample(made, min(40, len(made)))


def words(text: str) -> list[str]:
    return re.findall(r"[^\s\[\],#]+", text.lower())


def could_mean(text: str, texts: tuple[str, ...]) -> bool:
    """Return whether a text is the beginning or the rest of a legal move."""
    said = words(text)
    return any(words(move)[: len(said)] == said or words(move)[1:] == said for move in texts)


def is_open_in_other_words(match: Match, text: str) -> bool:
    """Return whether a text is another name of a legal move, or part of a legal set."""
    try:
        match.clone().choose(text)
    except MoveError as error:
        return error.message.endswith("Name everything at once, as in [A B].")
    return True


@pytest.mark.slow
@each_game
@given(data=st.data())
@few
def test_illegal_moves_have_a_reason(cast: Cast, data: st.DataObject) -> None:
    match = data.draw(matches(cast))
    if match.decision is None:
        assert match.why_not("pass") == "The match is over."
        return
    texts = match.decision.moves.texts
    before = match.clone()
    for text in candidates(match, Random(2)):
        if text in texts or could_mean(text, texts):
            continue
        reason = match.why_not(text)
        if reason is None:
            assert is_open_in_other_words(match, text), text
            continue
        assert re.fullmatch(r'\S.*[.?!…]"?', reason) and "None" not in reason and "object at" not in reason, reason
        with pytest.raises(MoveError) as refused:
            match.choose(text)
        assert refused.value.message == reason
    assert match == before


@pytest.mark.slow
@each_game
@given(data=st.data(), text=st.text(max_size=30) | st.text("[]#,0129 done", max_size=12))
@few
def test_typed_text_is_a_move_or_rejected(cast: Cast, data: st.DataObject, text: str) -> None:
    match = data.draw(matches(cast, 20))
    if match.why_not(text) is None:
        assert is_open_in_other_words(match, text)
    else:
        with pytest.raises(MoveError):
            match.choose(text)


# ---------------------------------------------------------------- copies and records
@pytest.mark.slow
@each_game
@given(data=st.data(), seed=seeds)
@few
def test_clone_continues_identically(cast: Cast, data: st.DataObject, seed: int) -> None:
    match = data.draw(matches(cast))
    clone, kept = match.clone(), match.clone()
    assert play_on(clone, seed) == play_on(match, seed)
    assert clone == match
    match.rewind_to(len(kept.choices))
    assert match == kept


@pytest.mark.slow
@each_game
@given(data=st.data(), seed=seeds)
@settings(few, max_examples=1)
def test_record_continues_identically(tmp_path: Path, cast: Cast, data: st.DataObject, seed: int) -> None:
    match = data.draw(matches(cast, 60))
    file = tmp_path / "match.record"
    match.save(file)
    again = cardlang.resume(file)
    assert [*again.log] == [*match.log]
    assert as_data(again) == as_data(match)
    assert play_on(again, seed) == play_on(match, seed)


# ---------------------------------------------------------------- knowledge
@pytest.mark.slow
@each_game
@given(data=st.data(), seed=seeds)
@few
def test_hidden_cards_change_no_text(cast: Cast, data: st.DataObject, seed: int) -> None:
    """Cards hidden from a player change places: view, log, moves and refusals stay the same to the letter."""
    match = data.draw(matches(cast, 60))
    asked = match.decision.player if match.decision is not None else None
    for player in {data.draw(st.sampled_from(match.players)), asked or match.players[0]}:
        sample = match.sample(player, seed)
        assert sample.view(player) == match.view(player)
        assert sample.view(player).log == match.view(player).log
        if player == asked:
            texts = candidates(match, Random(seed))
            assert [sample.why_not(text) for text in texts] == [match.why_not(text) for text in texts]
