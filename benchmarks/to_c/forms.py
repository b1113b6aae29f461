"""What the lowered programs of the shipped games are made of, and which of them are printed to C and play alike."""

from __future__ import annotations

import random
import subprocess
from collections import defaultdict

import cardlang
from benchmarks.to_c.engine import Engine, flat
from benchmarks.to_c.world import NoC
from interpreter import lowered as lo
from interpreter.compiler import compile_game
from interpreter.program import Program

MATCHES, MOST_DECISIONS = 20, 300


def tell_forms() -> None:
    """Prints a line for each game with the fewest and the most players, then the forms by how many games have them."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in cardlang.shipped():
        game = cardlang.load(name)
        for players in sorted({game.seats[0], game.seats[-1]}):
            program = compile_game(game, players)
            print(f"{name:20} {players:2}  {compared(program)}", flush=True)
            for form in forms(program):
                found[form].add(name)
    print()
    for form, names in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{len(names):3}  {form:24}", " ".join(sorted(names)) if len(names) < 5 else "")


def compared(program: Program) -> str:
    """What becomes of the program in C."""
    try:
        engine = Engine(program)
    except NoC as reason:
        return f"not translated: {reason}"
    except subprocess.CalledProcessError as error:
        return f"not compiled: {error.stderr[:200]}"
    count = 0
    for seed in range(MATCHES):
        decisions, alike = follow(program, engine, seed, MOST_DECISIONS)
        if not alike:
            return f"differs in match {seed} after {decisions} decisions"
        count += decisions
    return f"equal in {count} decisions"


def follow(program: Program, engine: Engine, seed: int, most: int) -> tuple[int, bool]:
    """Plays one match in both by the same moves. How many decisions were made, and whether everything was equal: at
    each of them the whole state with the legal moves, at the end the winners."""
    draw = random.Random(seed).random
    state = program.start(seed)
    fault = engine.start(seed)
    for count in range(most + 1):
        if fault is not None or flat(state) != engine.flat():
            return count, False
        if state.who < 0 or count == most:
            break
        code = state.legal[int(draw() * len(state.legal))]
        program.apply(state, code)
        fault = engine.apply(code)
    return count, program.winners(state) == engine.winners()


def forms(program: Program) -> set[str]:
    """Classes of the expressions and statements of the lowered program, and the operations that it calls."""
    functions = [function for function in program.lowering.functions.values() if function is not None]
    parts = list(lo.walk(stmt for each in (*program.lowering.splitter.blocks, *functions) for stmt in each.body))
    called = {f"{part.operation}()" for part in parts if isinstance(part, lo.Op | lo.Effect)}
    caught = {"catches" for function in functions if function.catches is not None}
    return {type(part).__name__ for part in parts} | called | caught
