"""Cache data derived from a game by the identity of the game."""

from __future__ import annotations

from cardlang.game import Game

KEPT = 64
"""Cache size of each kind of derived data (least recently used)."""


class Itself:
    """Identity key of a game. An equal game may come from other files, which messages name."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.game is other.game

    def __hash__(self) -> int:
        return id(self.game)
