"""Plays and reads in Python and in C: `python -m benchmarks.to_c`. With `forms`, what the lowered programs of all games
are made of and which of them are printed to C."""

from __future__ import annotations

import ctypes
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cardlang
from benchmarks.to_c.engine import Engine
from benchmarks.to_c.forms import tell_forms
from benchmarks.to_c.hands import NOUN, Hands, Table, plain_row
from interpreter.compiler import compile_game
from interpreter.program import Program

RUNS = 5
LIMIT = 2000
GAMES = Path(__file__).resolve().parents[2] / "games"
PLAYED = {"classics/leduc_poker": (2, 4000), "tall_card": (3, 60), "classics/crazy_eights": (3, 30)}
"""Game: players, matches a run in Python. In C a run is FASTER times as long."""
FASTER = 20
HANDS, TIMED = 200_000, 10_000
"""How many hands are compared, and of how many the time is taken in Python."""
TABLES = {
    "a suit is tall": Table("tall", "Tp", "claimer"),
    "with a wild dragon": Table("tall", "TRdD", "claimer", "RdD"),
}


class Playouts:
    """Random matches: the same seeds and the same draws for both."""

    def __init__(self, program: Program, matches: int) -> None:
        self.program, self.matches, self.engine = program, matches, Engine(program)
        draw = random.Random(1).random
        self.draws: list[float] = []
        count, _ = self.plain(draw)
        self.draws = [draw() for _ in range(count * FASTER * 2)]
        self.given = (ctypes.c_double * len(self.draws))(*self.draws)

    def plain(self, draw: Callable[[], float] | None = None) -> tuple[int, int]:
        """Decisions, and the same sum over codes and winners as in `playing.h`."""
        program, draws, count, told = self.program, self.draws, 0, 0
        for seed in range(self.matches):
            state, left = program.start(seed), LIMIT
            while state.who >= 0 and left:
                code = state.legal[int((draw() if draw else draws[count]) * len(state.legal))]
                told = (told * 31 + code) & 0xFFFFFFFF
                program.apply(state, code)
                count, left = count + 1, left - 1
            told = (told * 31 + sum(1 << seat for seat in program.winners(state))) & 0xFFFFFFFF
        return count, told

    def compiled(self, matches: int) -> tuple[int, int]:
        return self.engine.play(0, matches, LIMIT, self.given)


def per_second(work: Callable[[], int]) -> float:
    """The median of several runs; `work` tells how much was done. Processor time."""
    rates = []
    for _ in range(RUNS):
        begun = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - begun))
    return statistics.median(rates)


def report(name: str, unit: str, plain: float, compiled: float) -> None:
    print(f"{name:40} {plain:12,.0f} {compiled:14,.0f} {compiled / plain:8,.0f}  {unit}")


def main() -> None:
    print(f"{'':40} {'Python':>12} {'C':>14} {'ratio':>8}")
    for name, (players, matches) in PLAYED.items():
        both = Playouts(compile_game(cardlang.load(GAMES / f"{name}.cardgame"), players), matches)
        if both.plain() != both.compiled(matches):
            raise SystemExit(f"{name} is not played alike")
        plain = per_second(lambda both=both: both.plain()[0])  # type: ignore[misc]
        compiled = per_second(lambda both=both, n=matches * FASTER: both.compiled(n)[0])  # type: ignore[misc]
        report(f"{name}, {players} players", "decisions/s", plain, compiled)
    program = compile_game(cardlang.load(GAMES / "tall_card.cardgame"), 2)
    engine = Engine(program, NOUN)
    for name, table in TABLES.items():
        hands = Hands(program, engine, table, 5, HANDS)
        readings = hands.plain()
        hands.compiled()
        if [plain_row(reading) for reading in readings] != hands.compiled_rows():
            raise SystemExit("some hands are not read alike")
        some = Hands(program, engine, table, 5, TIMED)
        plain = per_second(lambda some=some: len(some.plain()))  # type: ignore[misc]
        compiled = per_second(lambda hands=hands: hands.compiled() or HANDS)  # type: ignore[misc]
        report(f"Tall Card hands, {name}", "hands/s", plain, compiled)


if __name__ == "__main__":
    if sys.argv[1:] == ["forms"]:
        tell_forms()
    else:
        main()
