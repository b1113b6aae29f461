"""Who plays seats that no person takes."""

from __future__ import annotations

from secrets import randbits

from interpreter.players.levels import BOTS, LEVELS, USUAL, make_bot
from interpreter.players.player import Player

TIMED = [name for name in BOTS if name not in LEVELS or LEVELS[name].seconds is not None]
"""Those that are done in time, wherever they play; the usual one first."""
KINDS: dict[str, str] = {name: f"{name} bot" for name in sorted(TIMED, key=lambda name: name != USUAL)}
"""By the name under which a kind is kept, what it is called."""


def words_of(kind: str) -> str:
    """What it does, in a few words."""
    return LEVELS[kind].words if kind in LEVELS else "plays any legal move at random"


def new_bot(kind: str) -> Player:
    """One of a kind. Its chance has nothing to do with that of the cards. Raises KeyError."""
    return make_bot(kind, randbits(64), timed=True)
