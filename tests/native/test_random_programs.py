"""Randomly changed rules play the same in both engines, and fail in both."""

from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cardlang import loader, storage
from cardlang.analysis.mutation.mutation_operators import Mutation, generate_mutations
from cardlang.diagnostics import GameError, Source
from interpreter.native.compilers import NativeCompileError
from interpreter.native.engine import NO_FAULT, NativeEngine, build_engine, serialize_state
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from tests.native.following import QUICK, needs_either, needs_libtcc
from tests.shipped import load

pytestmark = needs_either
NAMES = ("crazy_eights", "scopa", "tall_tales", "leduc_poker", "go_fish", "golf", "cheat", "tall_card", "gin_rummy")
MOST_DECISIONS = 60


@cache
def list_mutations(name: str) -> tuple[Mutation, ...]:
    return tuple(change for change in generate_mutations(load(name)) if change.variant is None)


@pytest.mark.slow
@given(st.sampled_from(NAMES), st.integers(0, 1 << 32), st.integers(0, 1000))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_mutated_rules_play_equally(name: str, which: int, seed: int) -> None:
    found = list_mutations(name)
    change = found[which % len(found)]
    try:
        game = loader.check_game_source(
            Source(change.span.source.name, change.source_text), storage.find_game_file(name).parent, None
        )
        engine = build_engine(game, game.seats[0], QUICK)
        program = Program(game, game.seats[0], False)
    except (GameError, NativeCompileError):
        assume(False)
    assert_engines_agree(program, engine, seed)


@needs_libtcc
def test_libtcc_compiles_piles_in_nested_calls() -> None:
    """A pile of a player among the arguments of two calls once became a wrong address."""
    text = (
        load("scopa").sources[0].text.replace("only highest of players by (count of", "highest of players by (count of")
    )
    game = loader.loads(text, "scopa")
    engine, program = build_engine(game, 2, ("libtcc",)), Program(game, 2, False)
    for seed in range(990, 1010):
        assert_engines_agree(program, engine, seed)


def assert_engines_agree(program: Program, engine: NativeEngine, seed: int) -> None:
    draw, fault = Random(seed).random, engine.start(seed)
    try:
        state = program.start(seed)
        for _ in range(MOST_DECISIONS):
            if fault < NO_FAULT:
                return  # something had no room in C: the Python plays on
            assert fault == NO_FAULT and serialize_state(state) == engine.read_state_numbers()
            if state.who < 0:
                assert engine.read_results() == (
                    program.find_winners(state),
                    program.compute_scores(state),
                    program.compute_places(state),
                )
                return
            code = state.legal[int(draw() * len(state.legal))]
            fault = engine.apply(code)
            program.apply(state, code)
    except RuleError as error:
        assert fault != NO_FAULT
        assert fault < NO_FAULT or program.lowering.rule_spans[fault] == error.span
