"""Cached parts of tables: a table from caches equals one built without any, for each viewer."""

from __future__ import annotations

from random import Random

import pytest

import cardlang
from interpreter.narration.observer_events import build_observer_events
from interpreter.view.player_areas import build_fact
from interpreter.view.table_builder import get_table_facts
from interpreter.view.table_model import get_table_codec

GAMES = (
    "hearts", "texas_holdem", "tall_card", "tall_tales", "tail_story", "gin_rummy", "fireworks", "golf", "scopa",
    "court",
)  # fmt: skip


def clear_caches() -> None:
    for cached in (build_fact, get_table_facts, get_table_codec):
        cached.cache_clear()


def compare_tables(name: str, moves: int, step: int) -> None:
    game = cardlang.load(name)
    players = max(game.seats) if max(game.seats) < 6 else 4
    match, random = game.start(players, 3), Random(3)
    viewers = [*match.players, None]
    while not match.over and len(match.choices) < moves:
        seen = [(match.table(each).json(), match.view(each)) for each in viewers]
        if len(match.choices) % step == 0:
            clear_caches()
            fresh = game.start(players, 3)
            for code in match.choices:
                fresh.apply_choice(code)
            for viewer, (table, view) in zip(viewers, seen, strict=True):
                assert fresh.table(viewer).json() == table, (viewer, match.choices)
                assert fresh.view(viewer) == view, (viewer, match.choices)
        match.choose(random.randrange(len(match.state.legal)))


@pytest.mark.parametrize("name", GAMES)
def test_cached_tables_equal_fresh_ones(name: str) -> None:
    compare_tables(name, 25, 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_cached_tables_equal_fresh_ones_at_each_position(name: str) -> None:
    compare_tables(name, 160, 1)


@pytest.mark.parametrize("name", GAMES)
def test_shared_events_equal_those_of_each_viewer(name: str) -> None:
    """Players share the events of a choice only if they see the same of them."""
    match, random = cardlang.load(name).start(seed=4), Random(4)
    before = 0
    while not match.over and len(match.choices) < 60:
        log = match.event_log
        happened = log.recorded_events[before:]
        for seat in range(len(match.players) + 1):
            shown = log.get_observer_log(match.choices, seat).events
            alone = list(log.number_by_action(build_observer_events(match.names, happened, seat)))
            assert shown[len(shown) - len(alone) :] == alone
        before = len(log.recorded_events)
        match.choose(random.randrange(len(match.state.legal)))
        match.event_log.replay_new_choices(match.choices)
