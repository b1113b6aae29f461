"""Instrumented matches for `simulate --report` and `compare`, split into pieces that any process can play."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from time import monotonic

from attrs import define, evolve, field, frozen

from cardlang.commands.pool import worked
from cardlang.commands.rules import Rules, kept_game
from cardlang.commands.simulate import LONG, duration
from cardlang.lab import pairing
from cardlang.lab.costs import is_costed
from cardlang.lab.summing import Sums, add_story
from cardlang.lab.watching import Seating, Story, Watched, watch
from cardlang.terminal.telling import forget_progress, tell, tell_progress
from interpreter.players.engines import reason, waited_for

PIECE = 20
"""Matches of random bots in a piece. With other bots, a piece is one match."""
ENDLESS = 25
"""No more matches are played if this many matches all hit the move limit."""


class NoEngine(RuntimeError):
    """Error of a worker process that has no native engine."""


@frozen
class Run:
    """Matches to watch, as plain values that can be sent to other processes.

    `seating` has a name and a type of bot for each player. `first` and `stop` are match numbers from 0; match n has the
    seed `seed` + n. With `native`, bots search on the native engine, which gives different results.
    """

    rules: Rules
    seating: tuple[tuple[str, str], ...]
    seed: int
    cap: int
    first: int
    stop: int
    native: bool

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(bot for _, bot in self.seating)

    def blank(self) -> Sums:
        return Sums()

    def tables(self) -> Sequence[str]:
        return tuple(self.blank().tables)

    def add(self, sums: Sums, number: int) -> None:
        """Play a match and add it to `sums`. Raise `RuleError`."""
        add_story(sums, self.watched(number, self.rules, is_costed(number)))

    def watched(self, number: int, rules: Rules, costed: bool) -> Story:
        program = program_of(rules, len(self.seating))
        if self.native and waited_for(program) is None:
            raise NoEngine(f"bots use the native engine here, and a worker has none: {reason(program)}")
        return watch(program, Seating(self.bots), number, self.seed + number, self.cap, costed, self.native)


@frozen
class PairRun(Run):
    """Pairs of matches of two games, both with the same seed."""

    others: Rules

    def blank(self) -> Sums:
        return pairing.blank()

    def add(self, sums: Sums, number: int) -> None:
        first = self.watched(number, self.rules, False)
        pairing.add_pair(sums, first, self.watched(number, self.others, False))


@cache
def program_of(rules: Rules, players: int) -> Watched:
    """Return the instrumented program of a game, compiled once in each process."""
    return Watched(kept_game(rules), players)


def watch_part(run: Run) -> Sums:
    """Play the matches of a run in this process. Raise `RuleError`."""
    sums = run.blank()
    for number in range(run.first, run.stop):
        run.add(sums, number)
    return sums


def pieces(run: Run) -> Iterator[Run]:
    size = PIECE if set(run.bots) == {"random"} else 1
    for first in range(run.first, run.stop, size):
        yield evolve(run, first=first, stop=min(first + size, run.stop))


Work = Callable[[Iterator[Run]], Iterator[Sums]]
"""Function that plays pieces and yields their sums in order."""


def here(jobs: int) -> Work:
    """Return a function that plays pieces in this process, or in `jobs` worker processes."""
    return lambda parts: worked(watch_part, parts, jobs)


@define
class Progress:
    """Progress of all runs together, with the time left.

    On a terminal it is updated all the time. Elsewhere, a long time is reported once.
    """

    total: int
    done: int
    begun: float = field(factory=monotonic)
    before: int = field(init=False)
    said: bool = False

    def __attrs_post_init__(self) -> None:
        self.before = self.done

    def step(self, matches: int) -> None:
        self.done += matches
        passed = monotonic() - self.begun
        left = passed / (self.done - self.before) * (self.total - self.done)
        if not self.said and passed > 1:
            self.said = True
            if left > LONG:
                tell(f"{self.total:,} matches will take about {duration(left)}. Press Ctrl-C to stop.", err=True)
        if sys.stderr.isatty():
            tell_progress(f"{self.done:,} of {self.total:,} matches, {duration(left)} left" + " " * 12)


def watch_all(runs: Sequence[Run], sums: list[Sums], work: Work, keep: Callable[[], None]) -> bool:
    """Play the missing matches of each run and add them to its sums.

    Return False if the user pressed Ctrl-C. Sums cover matches from the first on. `keep` is called after each piece.
    Raise `RuleError`, or `ClickException` if worker processes are killed repeatedly.
    """
    progress = Progress(sum(run.stop for run in runs), sum(map(played, sums)))
    try:
        for run, total in zip(runs, sums, strict=True):
            for part in until_endless(run, total, work):
                total.add(part)
                progress.step(played(part))
                keep()
    except KeyboardInterrupt:
        return False
    finally:
        if sys.stderr.isatty():
            forget_progress()
    return True


def played(sums: Sums) -> int:
    return sums["matches"]["played",]


def until_endless(run: Run, total: Sums, work: Work) -> Iterator[Sums]:
    """Yield the sums of the remaining pieces, and stop if all matches hit the move limit.

    `total` holds the sums so far, which the caller updates.
    """
    if played(total) < run.stop and not is_endless(total):
        for part in work(pieces(evolve(run, first=played(total)))):
            yield part
            if is_endless(total):
                return


def is_endless(total: Sums) -> bool:
    return total["matches"]["capped",] == played(total) >= ENDLESS
