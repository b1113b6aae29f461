"""How long bots take: the same for every decision, so that nobody learns from it who had anything to decide."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

from attrs import define

from interpreter.players.levels import LEVELS
from interpreter.players.search import Clock

MARGIN = 0.15
"""Seconds that a bot may need beyond the time that it thinks."""
MOST = 3.0
"""Seconds to which the pace of a table grows at most."""


@define
class Pace:
    """The time that the bots of one table take for a decision. `least`: seconds, by `clock`; it grows to the longest
    time that any of them has needed."""

    least: float
    clock: Clock = monotonic

    def left(self, begun: float) -> float:
        """Return the seconds to wait until others may see a decision that was begun then."""
        taken = self.clock() - begun
        self.least = max(self.least, min(taken, MOST))
        return max(0.0, self.least - taken)


def pace_of(kinds: Iterable[str], pause: float) -> Pace:
    """Return the pace of bots of these kinds. `pause`: the seconds that each decision takes in any case."""
    thinking = [LEVELS[kind].seconds or 0.0 for kind in kinds if kind in LEVELS]
    return Pace(max([pause, *(seconds + MARGIN for seconds in thinking)]))
