"""Bots by name."""

from __future__ import annotations

from attrs import frozen

from interpreter.players.engines import if_ready, waited_for
from interpreter.players.player import Player
from interpreter.players.rollout import RolloutPlayer
from interpreter.players.uniform import RandomPlayer


@frozen
class Level:
    """A strength of play. `playouts`: trial games for each move, where they are counted. Where it is timed, `seconds`
    is the longest that a decision takes, and `at_most` so many trial games are enough; None: no limit."""

    playouts: int
    seconds: float | None
    at_most: int | None
    words: str
    tree: bool = False
    """Whether it searches a tree, where there is machine code."""


LEVELS = {
    "easy": Level(1, 0.3, 1, "for a first game; it makes mistakes"),
    "steady": Level(8, 0.3, None, "plays well and fast"),
    "sharp": Level(32, 1.0, None, "thinks longer; harder to beat"),
    "search": Level(64, 0.5, None, "plans several turns ahead; hard to beat", tree=True),
    "rollout": Level(8, None, 8, "8 playouts for each move, without a time limit"),
}
"""The bots that try moves out."""
BOTS = (*LEVELS, "random")
"""The names of all bots."""
USUAL = "steady"
"""Who sits opposite, if nobody says who."""


def make_bot(name: str, seed: int, timed: bool = False, native: bool = False) -> Player:
    """A bot by its name, with chance of its own. `timed`: it takes the time of its level, and plays trial games as
    machine code as soon as that has been made; else it counts them, and does the same wherever it plays. `native`: it
    waits for the machine code, if something makes it. Raises KeyError for a name that is not in BOTS."""
    if name == "random":
        return RandomPlayer(seed)
    level = LEVELS[name]
    if timed:
        engines = waited_for if native else if_ready
        return RolloutPlayer(seed, level.at_most, seconds=level.seconds, engines=engines, tree=level.tree)
    return RolloutPlayer(seed, level.playouts, engines=waited_for if native else None, tree=level.tree)
