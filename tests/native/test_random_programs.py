"""Rules that nobody wrote, changed at random, are played alike by both engines; where they fail, both fail."""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import cardlang
from cardlang.mutants.changes import Change, changes
from cardlang.source import GameError, Source
from interpreter.errors import RuleError
from interpreter.native.compilers import NoCompiler
from interpreter.native.engine import NOTHING, Engine, engine_of
from interpreter.native.states import as_numbers
from interpreter.program import Program
from tests.native.following import QUICK, needs_either
from tests.shipped import load

pytestmark = needs_either
NAMES = ("crazy_eights", "scopa", "tall_tales", "leduc_poker", "go_fish", "golf", "cheat", "tall_card", "gin_rummy")
MOST_DECISIONS = 60


@cache
def changes_of(name: str) -> tuple[Change, ...]:
    return tuple(change for change in changes(load(name)) if change.variant is None)


@given(st.sampled_from(NAMES), st.integers(0, 1 << 32), st.integers(0, 1000))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_changed_rules_are_played_alike(name: str, which: int, seed: int) -> None:
    found = changes_of(name)
    change = found[which % len(found)]
    try:
        game = cardlang.check(Source(change.place.source.name, change.text), cardlang.find(name).parent, None)
        engine = engine_of(game, game.seats[0], QUICK)
        program = Program(game, game.seats[0], False)
    except (GameError, NoCompiler):
        assume(False)
    played_alike(program, engine, seed)


def played_alike(program: Program, engine: Engine, seed: int) -> None:
    draw, fault = Random(seed).random, engine.start(seed)
    try:
        state = program.start(seed)
        for _ in range(MOST_DECISIONS):
            if fault < NOTHING:
                return  # something had no room in C: the Python plays on
            assert fault == NOTHING and as_numbers(state) == engine.numbers()
            if state.who < 0:
                assert engine.results() == (program.winners(state), program.scores(state), program.places(state))
                return
            code = state.legal[int(draw() * len(state.legal))]
            fault = engine.apply(code)
            program.apply(state, code)
    except RuleError as error:
        assert fault != NOTHING
        assert fault < NOTHING or program.lowering.code.places[fault] == error.span
