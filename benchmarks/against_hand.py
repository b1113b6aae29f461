"""Speed of the native engine compared with C written by hand for the same game.

Both use the same cards, moves and lists of legal moves, so they give the same rows. That is checked first."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import cardlang
from benchmarks.measuring import in_turn, rate_of
from interpreter.native.compilers import find_system_compiler
from interpreter.native.engine import build_engine

FOLDER = Path(__file__).with_name("by_hand")
GAMES = (("leduc_poker", 2, "leduc.c"), ("whist", 4, "whist.c"))
MINIMUM, STRETCH, CAP, ALIKE = 0.25, 0.5, 10_000, 500
TEXT = """\
## Whole matches, compared with C written by hand

Millions of decisions a second. The code in `benchmarks/by_hand/` plays the same matches from the same random numbers.

| game, players | cardlang | by hand | ratio | minimum | stretch | met |
|---|---|---|---|---|---|---|
{rows}

- Leduc Poker: between decisions, the hand-written code runs only a few lines. cardlang spends more than half of its
  time there.
- Whist: cardlang spends three tenths of the time on legal moves, and a sixth on moving cards.
"""


def row(name: str, players: int, file: str, folder: Path) -> str:
    compiler = find_system_compiler()
    assert compiler is not None
    command = [compiler.path, "-O2", "-shared", "-fPIC", str(FOLDER / file), "-o", str(folder / f"{file}.so")]
    subprocess.run(command, check=True)
    by_hand = ctypes.CDLL(str(folder / f"{file}.so"))
    game = cardlang.load(name)
    engine, width, seed = build_engine(game, players), 3 + players, 1

    def ours(matches: int) -> int:
        nonlocal seed
        seed += matches
        return sum(engine.play_matches(seed, matches, CAP)[::width])

    def played(first: int, matches: int) -> ctypes.Array[ctypes.c_int64]:
        rows = (ctypes.c_int64 * (matches * width))()
        by_hand.play(ctypes.c_uint64(first), ctypes.c_int64(matches), rows)
        return rows

    def theirs(matches: int) -> int:
        nonlocal seed
        seed += matches
        return sum(memoryview(played(seed, matches)).cast("B").cast("q")[::width])

    assert list(engine.play_matches(1, ALIKE, CAP)) == list(played(1, ALIKE)), f"{name} is played differently by hand"
    ratio = in_turn(rate_of(ours), rate_of(theirs))
    line = f"| {game.title}, {players} | {ratio.told()} | {MINIMUM} | {STRETCH} | {ratio.met(MINIMUM, STRETCH)} |"
    print(line, flush=True)
    return line


def section() -> str:
    with TemporaryDirectory() as folder:
        return TEXT.format(rows="\n".join(row(*game, Path(folder)) for game in GAMES))


if __name__ == "__main__":
    section()
