"""Compare the speed of this checkout with that of another one, such as an earlier commit.

    python -m benchmarks.against OTHER [GAME …]

For each game of both checkouts, it prints a line for the Python engine and one for the native engine. In each round,
both checkouts get equal processor time, in alternating order. So a slowdown of the machine affects both. Each round
plays new deals. The ratio is this checkout's decisions per second divided by the other's: the median of all rounds,
with the interquartile range."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cardlang
from benchmarks.measuring import in_turn

HERE = Path(__file__).resolve().parent.parent
ROUNDS, SECONDS, LIMIT = 15, 0.4, 2000
USUAL_PLAYERS = 3

# It runs in both checkouts, so it also knows the names in earlier versions.
PLAYER = f"""
import random, sys, time
import cardlang
try:
    from interpreter.program.program import compile_game
except ImportError:
    from interpreter.compiler import compile_game
try:
    from interpreter.native.engine import build_engine
except ImportError:
    from interpreter.native.engine import engine_of as build_engine
sys.setswitchinterval(1)
game, players, engine = cardlang.load(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
if engine == "native":
    native = build_engine(game, players)
    play_matches = getattr(native, "play_matches", None) or native.play
else:
    program = compile_game(game, players)
    find_winners = getattr(program, "find_winners", None) or program.winners
draw = random.Random(1).random
def play(seed, matches):
    if engine == "native":
        return sum(play_matches(seed, matches, {LIMIT})[:: 3 + players])
    count = 0
    for seed in range(seed, seed + matches):
        state, left = program.start(seed), {LIMIT}
        while state.who >= 0 and left:
            legal = state.legal
            program.apply(state, legal[int(draw() * len(legal))])
            left -= 1
        count += {LIMIT} - left
        find_winners(state)
    return count
matches = 5
for line in sys.stdin:
    seed, count, now = int(line), 0, time.process_time
    begun = now()
    while now() - begun < {SECONDS}:
        started = now()
        count += play(seed, matches)
        seed += matches
        if now() - started < {SECONDS} / 20:
            matches *= 2
    print(count / (now() - begun), flush=True)
"""


class Tree:
    """Checkout that plays one game in a separate process."""

    def __init__(self, tree: Path, game: str, players: int, engine: str) -> None:
        command = [sys.executable, "-c", PLAYER, str(tree / game), str(players), engine]
        surroundings = {**os.environ, "PYTHONPATH": str(tree)}
        self.process = subprocess.Popen(
            command, cwd=tree, env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.seed = 0
        self.rate()  # warm up

    def rate(self) -> float:
        """Return decisions per second of processor time, in new matches."""
        assert self.process.stdin and self.process.stdout
        self.seed += 10_000_000
        self.process.stdin.write(f"{self.seed}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.exit(__doc__)
    other, names = Path(arguments[0]).resolve(), arguments[1:]
    print("| game, players | engine | this tree | the other | ratio |\n|---|---|---|---|---|")
    for file in sorted((HERE / "games").rglob("*.cardgame")):
        name = str(file.relative_to(HERE))
        if not (other / name).exists() or (names and not any(part in name for part in names)):
            continue
        game = cardlang.load(file)
        players = min(game.seats, key=lambda count: abs(count - USUAL_PLAYERS))
        for engine in ("Python", "native"):
            trees = [Tree(tree, name, players, engine) for tree in (HERE, other)]
            ratio = in_turn(trees[0].rate, trees[1].rate, ROUNDS)
            print(f"| {game.title}, {players} | {engine} | {ratio.told(1e3)} |", flush=True)
            for tree in trees:
                tree.end()


if __name__ == "__main__":
    main(sys.argv[1:])
