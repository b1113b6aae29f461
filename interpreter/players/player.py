"""Protocol of players."""

from __future__ import annotations

from typing import Protocol

from interpreter.matches.match import Match


class Player(Protocol):
    """Decision maker of a match."""

    def choose(self, match: Match) -> int:
        """Return the index of a legal move."""
