"""Who plays seats that no person takes."""

from __future__ import annotations

from collections.abc import Callable
from secrets import randbits
from typing import Protocol

from interpreter.matches.match import Match
from interpreter.matches.players import RandomPlayer, RolloutPlayer


class Bot(Protocol):
    """Gives the index of a move of the decision that a match stands at."""

    def choose(self, match: Match) -> int: ...


KINDS: dict[str, tuple[str, Callable[[], Bot]]] = {
    "rollout": ("bot", lambda: RolloutPlayer(randbits(64))),
    "random": ("bot that plays at random", lambda: RandomPlayer(randbits(64))),
}
"""By the name under which a kind is kept: what it is called, and what makes one. Their chance has nothing to do with
that of the cards."""
