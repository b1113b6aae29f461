"""Equal response time of bots, so that timing does not reveal which players had a choice."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

from attrs import define

from interpreter.players.levels import LEVELS
from interpreter.players.search import Clock

MARGIN = 0.15
"""Maximum overhead of a bot beyond its thinking time, in seconds."""
MOST = 3.0
"""Maximum pace of a table, in seconds."""


@define
class Pace:
    """Response time of the bots at one table.

    least: seconds, measured by `clock`. It grows to the longest time that any of the bots has needed.
    """

    least: float
    clock: Clock = monotonic

    def left(self, begun: float) -> float:
        """Return the seconds to wait before a decision is revealed. `begun`: its start time."""
        taken = self.clock() - begun
        self.least = max(self.least, min(taken, MOST))
        return max(0.0, self.least - taken)


def pace_of(kinds: Iterable[str], pause: float) -> Pace:
    """Return the pace for bots of these kinds. `pause`: the minimum time of each decision, in seconds."""
    thinking = [LEVELS[kind].seconds or 0.0 for kind in kinds if kind in LEVELS]
    return Pace(max([pause, *(seconds + MARGIN for seconds in thinking)]))
