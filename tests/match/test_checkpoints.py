"""Checkpoints: going back restores a match completely."""

from random import Random

import pytest

import cardlang
from interpreter.match import undo_checkpoints
from interpreter.match.match import Match
from interpreter.match.undo_checkpoints import StateHistory
from interpreter.runtime.state import State


@pytest.fixture(autouse=True)
def _(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo_checkpoints, "CHECKPOINT_INTERVAL", 5)


def collect_views(match: Match) -> list[object]:
    """Return the tables, events and logs of all viewers."""
    viewers = [*match.players, None]
    return [[match.table(each), match.view(each).events, match.build_reveal_tables(each)] for each in viewers] + [
        match.log
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hearts", "texas_holdem", "tall_tales", "tail_story", "gin_rummy", "cribbage"])
def test_rewound_match_equals_a_fresh_one(name: str) -> None:
    game = cardlang.load(name)
    players = 4 if 4 in game.seats else min(game.seats)
    match, random = game.start(players, 11), Random(5)
    for turn in range(60):
        if match.over:
            break
        match.choose(random.randrange(len(match.state.legal)))
        match.table(random.choice([*match.players, None]))
        if turn % 7 == 6:
            kept = max(0, len(match.choices) - random.randrange(1, 12))
            match.rewind_to(kept)
            other = game.start(players, 11)
            for code in match.choices:
                other.apply_choice(code)
            assert match == other and collect_views(match) == collect_views(other)


def test_rewinding_replays_few_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the match is; in a copy, too."""
    match = cardlang.load("hearts").start(4, 3)
    while len(match.choices) < 100:
        match.choose(0)
        match.table("North" if "North" in match.players else 0)
    played: list[int] = []
    replayed = Match.replay_choices

    def counted(self: Match, choices: list[object], *more: object) -> object:
        played.append(len(choices))
        return replayed(self, choices, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Match, "replay_choices", counted)
    copied = match.clone()
    for each in (match, copied):
        each.rewind_to(98)
        assert each.event_log.replayed_count >= 90
    assert played and max(played) < 10


def test_rewinding_a_copy_leaves_the_original() -> None:
    match = cardlang.load("hearts").start(4, 3)
    while len(match.choices) < 40:
        match.choose(0)
        match.table(0)
    before = collect_views(match)
    copied = match.clone()
    copied.rewind_to(31)
    for _ in range(20):
        copied.choose(len(copied.state.legal) - 1)
        copied.table(0)
    assert collect_views(match) == before
    match.rewind_to(33)
    other = cardlang.load("hearts").start(4, 3)
    for code in match.choices:
        other.apply_choice(code)
    assert collect_views(match) == collect_views(other)


def test_history_returns_earlier_states() -> None:
    """By place, from the end, and by slices, whatever was looked at before; none is made that nobody looks at."""
    match = cardlang.load("hearts").start(4, 3)
    states = [match.program.clone(match.state)]
    while len(match.choices) < 40:
        match.choose(0)
        match.table(0)
        states.append(match.program.clone(match.state))

    def flat(state: State) -> list[object]:
        return [getattr(state, slot) for slot in State.__slots__ if slot not in ("events", "fuel", "checking")]

    history = StateHistory(match)
    assert len(history) == 41 and flat(history[-1]) == flat(states[-1]) and history.first == 40
    assert flat(history[38]) == flat(states[38]) and history.first >= 30
    assert [*map(flat, history[36:39])] == [*map(flat, states[36:39])]
    assert [*map(flat, history)] == [*map(flat, states)]
    with pytest.raises(IndexError):
        history[41]


def test_replayed_match_can_be_rewound(monkeypatch: pytest.MonkeyPatch) -> None:
    match = cardlang.load("hearts").start(4, 3)
    while len(match.choices) < 40:
        match.choose(0)
    undo_checkpoints.rebuild_viewer_histories(match)
    other = match.clone()
    assert other.checkpoints and {*other.checkpoints[-1].viewer_histories} == {*match.players, None}
    match.rewind_to(36)
    assert match.event_log.replayed_count >= 30
    fresh = cardlang.load("hearts").start(4, 3)
    for code in match.choices:
        fresh.apply_choice(code)
    assert match == fresh and collect_views(match) == collect_views(fresh)
