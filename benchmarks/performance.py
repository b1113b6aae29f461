"""Measures machine code of the rules against others that play the same games, and writes docs/performance.md:
`python -m benchmarks.performance` (with `pip install open-spiel`). Takes some minutes on a quiet machine.

Each figure is the median of rounds in which both sides play in turn, with the middle half of the rounds. Processor time
of one core.
"""

from __future__ import annotations

import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from attrs import frozen

import cardlang
from interpreter.native.compilers import system_compiler
from interpreter.native.engine import Engine, engine_of

ROUNDS, SECONDS, CAP = 11, 0.4, 10_000
PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
FIRM, GOAL = "firm", "goal"


@frozen
class Pair:
    """A game here and there. `ratio`: what is promised, and what is aimed at."""

    name: str
    players: int
    theirs: str
    ratio: tuple[float, float]


PAIRS = (
    Pair("kuhn_poker", 2, "kuhn_poker", (2, 4)),
    Pair("leduc_poker", 2, "leduc_poker", (2, 4)),
    Pair("hearts", 4, "hearts", (2, 4)),
    Pair("crazy_eights", 3, "crazy_eights(players=3)", (2, 4)),
    Pair("go_fish", 3, "go_fish(players=3)", (1.3, 2)),
    Pair("cribbage", 2, "cribbage", (1.3, 2)),
)


class Ours:
    """Whole matches in one call."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.seed = engine, 1
        self.matches = 20
        self.width = 3 + engine.players
        while self.seconds_of_one() < SECONDS / 2:
            self.matches *= 2

    def seconds_of_one(self) -> float:
        begun = time.process_time()
        self.rows = self.engine.play(self.seed, self.matches, CAP)
        self.seed += self.matches
        return time.process_time() - begun

    def rate(self) -> float:
        seconds = self.seconds_of_one()
        return sum(self.rows[:: self.width]) / seconds


class Theirs:
    """OpenSpiel's own loop in C++: rollouts of its evaluator from the first state, legal moves drawn alike."""

    def __init__(self, name: str) -> None:
        import pyspiel

        self.game = pyspiel.load_game(name)
        self.decisions = self.mean_length(300)
        self.rollouts = 20
        self.make = pyspiel.RandomRolloutEvaluator
        while self.seconds_of_one() < SECONDS / 2:
            self.rollouts *= 2

    def mean_length(self, count: int) -> float:
        """Decisions of players in a match."""
        draw, total = random.Random(1), 0
        for _ in range(count):
            state = self.game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(draw.choices(outcomes, chances)[0])
                else:
                    total += 1
                    state.apply_action(draw.choice(state.legal_actions()))
        return total / count

    def seconds_of_one(self) -> float:
        begun = time.process_time()
        self.make(self.rollouts, 7).evaluate(self.game.new_initial_state())
        return time.process_time() - begun

    def rate(self) -> float:
        return self.rollouts * self.decisions / self.seconds_of_one()


def in_turn(one: Callable[[], float], other: Callable[[], float]) -> tuple[list[float], list[float]]:
    """The rates of both, round by round; who begins changes."""
    mine: list[float] = []
    yours: list[float] = []
    for number in range(ROUNDS):
        turns = [(one, mine), (other, yours)]
        for measure, rates in turns if number % 2 else reversed(turns):
            rates.append(measure())
    return mine, yours


def row(pair: Pair) -> str:
    game = cardlang.load(pair.name)
    mine, yours = in_turn(Ours(engine_of(game, pair.players)).rate, Theirs(pair.theirs).rate)
    ratios = [our / their for our, their in zip(mine, yours, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    reached = GOAL if middle >= pair.ratio[1] else FIRM if middle >= pair.ratio[0] else "below"
    rates = f"{statistics.median(mine) / 1e6:.1f} | {statistics.median(yours) / 1e6:.1f}"
    line = f"| {game.title}, {pair.players} | {rates} | {middle:.1f} ({low:.1f} to {high:.1f}) | {pair.ratio[0]} | {reached} |"
    print(line, flush=True)
    return line


def main() -> None:
    wanted = [pair for pair in PAIRS if not sys.argv[1:] or pair.name in sys.argv[1:]]
    print(*map(row, wanted), sep="\n")


if __name__ == "__main__":
    main()
