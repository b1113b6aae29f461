"""Alternating measurement of two sides by processor time, so that a slowdown of the machine affects both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from attrs import frozen

ROUNDS, SECONDS = 11, 0.1
Rate = Callable[[], float]


@frozen
class Ratio:
    """Medians of two rates, and of their ratios with the interquartile range."""

    ours: float
    theirs: float
    low: float
    middle: float
    high: float

    def told(self, unit: float = 1e6) -> str:
        """Return table cells: both rates in `unit`, and the ratio."""
        places = 2 if self.middle < 2 else 1 if self.middle < 20 else 0
        low, middle, high = (f"{each:,.{places}f}" for each in (self.low, self.middle, self.high))
        return f"{figure(self.ours / unit)} | {figure(self.theirs / unit)} | {middle} ({low} to {high})"

    def met(self, minimum: float, stretch: float) -> str:
        """Return which of two targets the ratio meets."""
        return "stretch" if self.middle >= stretch else "minimum" if self.middle >= minimum else "neither"


def figure(number: float) -> str:
    """Format a number with two or three significant digits."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"


def in_turn(one: Rate, other: Rate, rounds: int = ROUNDS) -> Ratio:
    """Measure both sides round by round, in alternating order."""
    mine: list[float] = []
    yours: list[float] = []
    for number in range(rounds):
        turns = [(one, mine), (other, yours)]
        for measure, rates in turns if number % 2 else reversed(turns):
            rates.append(measure())
    low, middle, high = statistics.quantiles([our / their for our, their in zip(mine, yours, strict=True)], n=4)
    return Ratio(statistics.median(mine), statistics.median(yours), low, middle, high)


def rate_of(work: Callable[[int], int]) -> Rate:
    """Return a rate per second.

    `work` takes the number of rounds to run and returns the amount of work done. The number of rounds adapts to the
    speed."""
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
