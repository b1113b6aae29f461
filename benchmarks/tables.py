"""Measure the time to build a table.

    python benchmarks/tables.py [GAME] ...

It plays random matches of four players. After each move, it builds every player's table as JSON, like a server. It
prints the milliseconds per table: the mean and the 99th percentile."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

import cardlang
from interpreter.match.match import Match

MOVES = 150
GAMES = ("tall_card", "hearts")


def timed(match: Match, random: Random) -> list[float]:
    """Return the time per table in seconds, for all players after each move."""
    found = []
    for _ in range(MOVES):
        if match.decision is None:
            break
        for player in match.players:
            start = perf_counter()
            match.table(player).json()
            found.append(perf_counter() - start)
        match.choose(random.randrange(len(match.decision.moves)))
    return found


def main() -> None:
    for name in sys.argv[1:] or GAMES:
        game = cardlang.load(name)
        players = 4 if 4 in game.seats else max(game.seats)
        timed(game.start(players, 1), Random(1))  # type: ignore[arg-type]
        times = sorted(timed(game.start(players, 2), Random(2)))  # type: ignore[arg-type]
        mean, slow = sum(times) / len(times), times[len(times) * 99 // 100]
        print(f"{name:12} {players} players: {1000 * mean:.2f} ms a table, {1000 * slow:.2f} at the 99th percentile")


if __name__ == "__main__":
    main()
