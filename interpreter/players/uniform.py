"""A player to whom all moves are alike."""

from __future__ import annotations

from random import Random

from interpreter.matches.match import Match


class RandomPlayer:
    """Every move is equally likely."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(f"random player {seed}")

    def choose(self, match: Match) -> int:
        return self.random.randrange(len(match.state.legal))
