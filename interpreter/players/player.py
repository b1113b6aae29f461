"""What a player is to a match."""

from __future__ import annotations

from typing import Protocol

from interpreter.matches.match import Match


class Player(Protocol):
    """Whoever can decide."""

    def choose(self, match: Match) -> int:
        """The index of a move of the match's decision."""
