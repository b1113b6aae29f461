"""Player that moves at random."""

from __future__ import annotations

from random import Random

from interpreter.matches.match import Match


class RandomPlayer:
    """Player that chooses each legal move with equal probability."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(f"random player {seed}")

    def choose(self, match: Match) -> int:
        return self.random.randrange(len(match.state.legal))
