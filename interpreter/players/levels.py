"""Bots by name, with their strength and time limits."""

from __future__ import annotations

from attrs import frozen

from interpreter.players.engines import if_ready, waited_for
from interpreter.players.player import Player
from interpreter.players.rollout import RolloutPlayer
from interpreter.players.uniform import RandomPlayer


@frozen
class Level:
    """Strength of a bot.

    playouts: the playouts for each move, without a time limit.
    seconds: with a time limit, the maximum time of a decision.
    at_most: with a time limit, the maximum playouts for each move; None: no limit.
    """

    playouts: int
    seconds: float | None
    at_most: int | None
    words: str
    tree: bool = False
    """True for tree search, if there is a native engine."""


LEVELS = {
    "easy": Level(1, 0.3, 1, "for a first game; it makes mistakes"),
    "steady": Level(8, 0.3, None, "plays well and fast"),
    "sharp": Level(32, 1.0, None, "thinks longer; harder to beat"),
    "search": Level(64, 0.5, None, "plans several turns ahead; hard to beat", tree=True),
    "rollout": Level(8, None, 8, "8 playouts for each move, without a time limit"),
}
"""Bots that search, by name."""
BOTS = (*LEVELS, "random")
"""Names of all bots."""
USUAL = "steady"
"""Default opponent."""


def make_bot(name: str, seed: int, timed: bool = False, native: bool = False) -> Player:
    """Return a bot by its name, with its own random stream.

    timed: use the time limit of its level, and the native engine as soon as it is built. Otherwise the bot counts
    playouts, and plays identically on every machine.
    native: wait for the native engine, if it can be built.
    Raise `KeyError` for a name that is not in `BOTS`.
    """
    if name == "random":
        return RandomPlayer(seed)
    level = LEVELS[name]
    if timed:
        engines = waited_for if native else if_ready
        return RolloutPlayer(seed, level.at_most, seconds=level.seconds, engines=engines, tree=level.tree)
    return RolloutPlayer(seed, level.playouts, engines=waited_for if native else None, tree=level.tree)
