"""Compare the native engine with other programs that play the same games, and write docs/performance.md.

    pip install open-spiel pokerkit rlcard phevaluator treys
    python -m benchmarks.performance

It also needs g++, and takes some minutes on a quiet machine. Each section can run alone, for example with
`python -m benchmarks.hands`. With names of games as arguments, it measures only these games of the first section and
writes no page.

Each figure is the median of rounds in which the two sides alternate, with the interquartile range. All times are
processor times of one core."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

import cardlang
from benchmarks import against_hand, against_others, from_python, growth, hands
from benchmarks.measuring import ROUNDS, SECONDS, in_turn
from interpreter.native.compilers import find_system_compiler
from interpreter.native.engine import NativeEngine, build_engine

CAP = 10_000
LOOP = Path(__file__).with_name("open_spiel_loop.cc")
LIMIT = (
    "betting=limit,numPlayers=2,numRounds=4,blind=1 2,raiseSize=2 2 4 4,firstPlayer=1 2 2 2,maxRaises=3 4 4 4,"
    "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1"
)
"""OpenSpiel's parameters of heads-up limit Hold'em."""
PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"


@frozen
class Pair:
    """Game in cardlang and in OpenSpiel. `ratio` has the minimum and the stretch target."""

    name: str
    players: int
    theirs: str
    ratio: tuple[float, float]
    variant: str | None = None


PAIRS = (
    Pair("kuhn_poker", 2, "kuhn_poker", (2, 4)),
    Pair("leduc_poker", 2, "leduc_poker", (2, 4)),
    Pair("hearts", 4, "hearts", (2, 4)),
    Pair("crazy_eights", 3, "crazy_eights(players=3)", (2, 4)),
    Pair("go_fish", 3, "go_fish(players=3)", (1.3, 2)),
    Pair("cribbage", 2, "cribbage", (1.3, 2)),
    Pair("texas_holdem", 2, f"universal_poker({LIMIT})", (1.3, 2), "Fixed limit"),
)

TEXT = """\
# Performance

This page shows how fast cardlang plays random matches on its native engine, compared with libraries and hand-written
games.

- Every figure is the median of {rounds} rounds, in which the two sides run in turn. Brackets give the interquartile
  range (the middle half of the rounds).
- *minimum* and *stretch* are the project's two targets for the ratio. *met* names the highest one that cardlang
  meets.
- All times are processor times on one core.

Machine: {machine}.

To measure again, run `python -m benchmarks.performance`, which writes this page.

## Whole matches, compared with OpenSpiel in C++

Millions of decisions a second, many matches in one call.

| game, players | cardlang | OpenSpiel | ratio | minimum | stretch | met |
|---|---|---|---|---|---|---|
{rows}

Both sides deal at random and pick among the legal moves with equal probability. Some differences remain:

- OpenSpiel stores the history of a match; cardlang does not.
- A match of Hold'em (fixed limit) is one deal in OpenSpiel and twenty deals in cardlang.
- Go Fish and Crazy Eights differ in the number of cards and in a few legal moves.

A profile of whole matches (`perf record`):

| game | largest shares of the run time |
|---|---|
| Kuhn Poker, Leduc Poker | more than half on running the rules between decisions |
| Hearts | three tenths on legal moves, a fifth on moving cards and tracking who knows them |
| Crazy Eights | nearly two fifths on legal moves, a third on moving cards |
| Go Fish | more than a third on legal moves, a fifth on moving cards |
| Cribbage | a fifth on sets of cards that score, nearly a fifth on runs, pairs and flushes, a fifth on moving cards |
"""


class Ours:
    """Batches of whole matches on the native engine."""

    def __init__(self, engine: NativeEngine) -> None:
        self.engine, self.seed = engine, 1
        self.matches = 20
        self.width = 3 + engine.players
        while self.seconds_of_one() < SECONDS / 2:
            self.matches *= 2

    def seconds_of_one(self) -> float:
        begun = time.process_time()
        self.rows = self.engine.play_matches(self.seed, self.matches, CAP)
        self.seed += self.matches
        return time.process_time() - begun

    def rate(self) -> float:
        seconds = self.seconds_of_one()
        return sum(self.rows[:: self.width]) / seconds


class Theirs:
    """OpenSpiel's matches in C++: `open_spiel_loop.cc`, linked with the library in its wheel."""

    def __init__(self, loop: ctypes.CDLL, name: str) -> None:
        self.loop, self.seed = loop, 1
        self.game = ctypes.c_void_p(loop.loop_game(name.encode()))
        self.matches = 20
        while self.played()[1] < SECONDS / 2:
            self.matches *= 2

    def played(self) -> tuple[int, float]:
        begun = time.process_time()
        decisions = self.loop.loop_play(self.game, ctypes.c_int64(self.matches), ctypes.c_uint64(self.seed))
        self.seed += 1
        return decisions, time.process_time() - begun

    def rate(self) -> float:
        decisions, seconds = self.played()
        return decisions / seconds


def open_spiel_loop(folder: Path) -> ctypes.CDLL:
    """Compile the loop against the headers in the wheel."""
    sys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_NOW)  # make OpenSpiel's symbols visible to the loop
    import pyspiel

    site = Path(pyspiel.__file__).parent
    include = [site, site / "open_spiel", site / "open_spiel/abseil-cpp", site / "open_spiel/json/include"]
    command = ["g++", "-O2", "-std=c++20", "-shared", "-fPIC", "-w", *(f"-I{path}" for path in include)]
    subprocess.run([*command, str(LOOP), "-o", str(folder / "loop.so")], check=True)
    loop = ctypes.CDLL(str(folder / "loop.so"))
    loop.loop_game.restype, loop.loop_play.restype = ctypes.c_void_p, ctypes.c_int64
    return loop


def row(pair: Pair, loop: ctypes.CDLL) -> str:
    game = cardlang.load(pair.name, pair.variant)
    ratio = in_turn(Ours(build_engine(game, pair.players)).rate, Theirs(loop, pair.theirs).rate)
    minimum, stretch = pair.ratio
    line = f"| {game.title}, {pair.players} | {ratio.told()} | {minimum} | {stretch} | {ratio.met(minimum, stretch)} |"
    print(line, flush=True)
    return line


def machine() -> str:
    told = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    compiler = find_system_compiler()
    made = subprocess.run([compiler.path, "--version"], capture_output=True, text=True).stdout if compiler else ""
    parts = [names[0] if names else platform.processor(), platform.system(), f"Python {platform.python_version()}"]
    return "; ".join([*parts, made.partition("\n")[0]])


def main() -> None:
    with TemporaryDirectory() as folder:
        loop = open_spiel_loop(Path(folder))
        rows = [row(pair, loop) for pair in PAIRS if not sys.argv[1:] or pair.name in sys.argv[1:]]
    if sys.argv[1:]:
        return
    others = ("open_spiel", "pokerkit", "rlcard", "phevaluator", "treys")
    told = "; ".join([machine(), *(f"{name} {version(name)}" for name in others)])
    sections = [each.section() for each in (from_python, against_hand, against_others, hands, growth)]
    page = TEXT.format(machine=told, rounds=ROUNDS, rows="\n".join(rows))
    PAGE.write_text("\n".join([page, *sections]), "utf-8")


if __name__ == "__main__":
    main()
