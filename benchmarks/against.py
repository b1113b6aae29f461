"""Compare the speed of this checkout with that of another one, such as an earlier commit.

    python benchmarks/against.py OTHER [GAME …]

In each round, both checkouts get equal processor time on the same game, in alternating order. So a slowdown of the
machine affects both. Each round plays new deals. The ratio of a round is this checkout's decisions per second divided
by the other's. The output has the median and the interquartile range over all rounds."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROUNDS, SECONDS, LIMIT = 15, 0.4, 2000
PLAYED = {
    "classics/kuhn_poker": 2,
    "classics/leduc_poker": 2,
    "classics/hearts": 4,
    "classics/cribbage": 2,
    "classics/rummy_500": 3,
    "classics/texas_holdem": 2,
    "classics/crazy_eights": 3,
    "tall_card": 3,
    "classics/go_fish": 3,
    "tail_story": 3,
    "tall_tales": 3,
}
"""Player counts by game."""

# It runs in both checkouts, so it also knows the names in earlier versions.
PLAYER = f"""
import random, sys, time
import cardlang
try:
    from interpreter.program.program import compile_game
except ImportError:
    from interpreter.compiler import compile_game
sys.setswitchinterval(1)
game, players = sys.argv[1], int(sys.argv[2])
program = compile_game(cardlang.load(game), players)
find_winners = getattr(program, "find_winners", None) or program.winners
for line in sys.stdin:
    seed, seconds = int(line.split()[0]), float(line.split()[1])
    draw, count, now = random.Random(seed).random, 0, time.process_time
    begun = now()
    while now() - begun < seconds:
        for seed in range(seed, seed + 5):
            state, left = program.start(seed), {LIMIT}
            while state.who >= 0 and left:
                legal = state.legal
                program.apply(state, legal[int(draw() * len(legal))])
                left -= 1
            count += {LIMIT} - left
            find_winners(state)
        seed += 1
    print(count / (now() - begun), flush=True)
"""


class Tree:
    """Checkout that plays one game in a separate process."""

    def __init__(self, tree: Path, game: str, players: int) -> None:
        file = tree / "games" / f"{game}.cardgame"
        command = [sys.executable, "-c", PLAYER, str(file), str(players)]
        surroundings = {**os.environ, "PYTHONPATH": str(tree)}
        self.process = subprocess.Popen(
            command, cwd=tree, env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def rate(self, seed: int, seconds: float) -> float:
        """Return decisions per second of processor time, over new matches with seeds from `seed` on."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{seed} {seconds}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


def compared(other: Path, game: str, players: int) -> tuple[list[float], list[float]]:
    """Return the rates of this checkout and of the other, round by round."""
    ours, theirs = Tree(HERE, game, players), Tree(other, game, players)
    mine: list[float] = []
    yours: list[float] = []
    for number in range(-1, ROUNDS):
        turns = [(ours, mine), (theirs, yours)]
        for tree, rates in turns if number % 2 else reversed(turns):
            rates.append(tree.rate(1_000_000 * (number + 2), SECONDS))
    ours.end()
    theirs.end()
    return mine[1:], yours[1:]


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.exit(__doc__)
    other, names = Path(arguments[0]).resolve(), arguments[1:]
    print(f"{'game, players':26} {'this tree':>11} {'the other':>11} {'ratio':>7}   middle half")
    for game, players in PLAYED.items():
        if names and not any(name in game for name in names):
            continue
        mine, yours = compared(other, game, players)
        ratios = [our / their for our, their in zip(mine, yours, strict=True)]
        low, _, high = statistics.quantiles(ratios, n=4)
        rates = f"{statistics.median(mine):11,.0f} {statistics.median(yours):11,.0f}"
        print(f"{game + f', {players}':26} {rates} {statistics.median(ratios):7.2f}   {low:.2f}-{high:.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
