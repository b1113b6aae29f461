"""What is made of a game once, and kept for a while, is kept by the game itself."""

from __future__ import annotations

from cardlang.game import Game

KEPT = 64
"""So many of one sort are kept, those used last."""


class Itself:
    """A game as a key that stands for it alone: its equals may have come from other files, which messages name."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.game is other.game

    def __hash__(self) -> int:
        return id(self.game)
