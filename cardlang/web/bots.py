"""Bots for seats without a person."""

from __future__ import annotations

from secrets import randbits

from interpreter.players.levels import BOTS, LEVELS, USUAL, make_bot
from interpreter.players.player import Player

TIMED = [name for name in BOTS if name not in LEVELS or LEVELS[name].seconds is not None]
"""Bots that move within a time limit on any machine."""
KINDS: dict[str, str] = {name: f"{name} bot" for name in sorted(TIMED, key=lambda name: name != USUAL)}
"""Labels of bots by kind, the default kind first."""


def words_of(kind: str) -> str:
    """Return a short description of a kind of bot."""
    return LEVELS[kind].words if kind in LEVELS else "plays any legal move at random"


def new_bot(kind: str) -> Player:
    """Return a new bot of a kind. Its random stream is independent of the cards. Raise `KeyError` for an unknown
    kind."""
    return make_bot(kind, randbits(64), timed=True)
