"""How two sides are measured: in turn, by processor time, so that a machine that slows down slows both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from attrs import frozen

ROUNDS, SECONDS = 11, 0.1
Rate = Callable[[], float]


@frozen
class Ratio:
    """What one side reached beside the other: medians of the rates, and of their ratios with the middle half."""

    ours: float
    theirs: float
    low: float
    middle: float
    high: float

    def told(self, unit: float = 1e6) -> str:
        """Cells of a table: both rates in `unit`, the ratio."""
        places = 2 if self.middle < 2 else 1 if self.middle < 20 else 0
        low, middle, high = (f"{each:,.{places}f}" for each in (self.low, self.middle, self.high))
        return f"{figure(self.ours / unit)} | {figure(self.theirs / unit)} | {middle} ({low} to {high})"

    def met(self, minimum: float, stretch: float) -> str:
        """Return which of two targets the ratio meets."""
        return "stretch" if self.middle >= stretch else "minimum" if self.middle >= minimum else "neither"


def figure(number: float) -> str:
    """In two or three figures."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"


def in_turn(one: Rate, other: Rate, rounds: int = ROUNDS) -> Ratio:
    """Both sides round by round; who begins changes."""
    mine: list[float] = []
    yours: list[float] = []
    for number in range(rounds):
        turns = [(one, mine), (other, yours)]
        for measure, rates in turns if number % 2 else reversed(turns):
            rates.append(measure())
    low, middle, high = statistics.quantiles([our / their for our, their in zip(mine, yours, strict=True)], n=4)
    return Ratio(statistics.median(mine), statistics.median(yours), low, middle, high)


def rate_of(work: Callable[[int], int]) -> Rate:
    """How many things a second are done by `work`, which is told how many rounds to make and says what it did. The
    rounds are as many as take some time."""
    rounds = 1

    def timed() -> tuple[int, float]:
        begun = time.process_time()
        return work(rounds), time.process_time() - begun

    while timed()[1] < SECONDS / 2:
        rounds *= 2

    def rate() -> float:
        done, seconds = timed()
        return done / seconds

    return rate
