"""Equal response time of bots, so that timing does not reveal which players had a choice."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

from attrs import define

from interpreter.bots.bot_players import SEARCH_BOT_LEVELS
from interpreter.bots.playout_search import Clock

BOT_OVERHEAD = 0.15
"""Maximum overhead of a bot beyond its thinking time, in seconds."""
MAX_PACE = 3.0
"""Maximum response time of a table, in seconds."""


@define
class EqualResponseTime:
    """Response time of the bots at one table.

    min_seconds: seconds, measured by `clock`. It grows to the longest time that any of the bots has needed.
    """

    min_seconds: float
    clock: Clock = monotonic

    def get_remaining_seconds(self, started_at: float) -> float:
        """Return the seconds to wait before a decision is revealed. `started_at`: its start time."""
        taken = self.clock() - started_at
        self.min_seconds = max(self.min_seconds, min(taken, MAX_PACE))
        return max(0.0, self.min_seconds - taken)


def build_equal_response_time(kinds: Iterable[str], pause: float) -> EqualResponseTime:
    """Return the response time for bots of these kinds. `pause`: the minimum time of each decision, in seconds."""
    thinking = [SEARCH_BOT_LEVELS[kind].seconds or 0.0 for kind in kinds if kind in SEARCH_BOT_LEVELS]
    return EqualResponseTime(max([pause, *(seconds + BOT_OVERHEAD for seconds in thinking)]))
