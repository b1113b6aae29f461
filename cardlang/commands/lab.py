"""Matches that are watched, in pieces that can be played in any process, at any time: what `simulate --report` and
`compare` do with games."""

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
"""So many matches of random bots are watched between two reports of progress; of bots that think, one."""
ENDLESS = 25
"""If all of so many matches ran to the cap, no more are played."""


class NoEngine(RuntimeError):
    """A process that is to play has no machine code."""


@frozen
class Run:
    """Matches to be watched; plain values, so that other processes can be told. `seating`: for each player a name and
    the sort of bot. `first`, `stop`: numbers of matches, from 0; number n has the seed `seed` + n. `native`:
    bots think in machine code, which does not come to the same."""

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
        """Watches a match. Raises RuleError."""
        add_story(sums, self.watched(number, self.rules, is_costed(number)))

    def watched(self, number: int, rules: Rules, costed: bool) -> Story:
        program = program_of(rules, len(self.seating))
        if self.native and waited_for(program) is None:
            raise NoEngine(f"bots use the native engine here, and a worker has none: {reason(program)}")
        return watch(program, Seating(self.bots), number, self.seed + number, self.cap, costed, self.native)


@frozen
class PairRun(Run):
    """Matches of two games, of each with the same seed."""

    others: Rules

    def blank(self) -> Sums:
        return pairing.blank()

    def add(self, sums: Sums, number: int) -> None:
        first = self.watched(number, self.rules, False)
        pairing.add_pair(sums, first, self.watched(number, self.others, False))


@cache
def program_of(rules: Rules, players: int) -> Watched:
    """Made once in each process."""
    return Watched(kept_game(rules), players)


def watch_part(run: Run) -> Sums:
    """Watches the matches of a run in this process. Raises RuleError."""
    sums = run.blank()
    for number in range(run.first, run.stop):
        run.add(sums, number)
    return sums


def pieces(run: Run) -> Iterator[Run]:
    size = PIECE if set(run.bots) == {"random"} else 1
    for first in range(run.first, run.stop, size):
        yield evolve(run, first=first, stop=min(first + size, run.stop))


Work = Callable[[Iterator[Run]], Iterator[Sums]]
"""Plays pieces somewhere, and gives what comes of each in their order."""


def here(jobs: int) -> Work:
    """In this process, or in so many of its own."""
    return lambda parts: worked(watch_part, parts, jobs)


@define
class Progress:
    """How far all runs together have come, and how long it will take still. On a terminal that is told all the time;
    if it will take long, once anyway."""

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
    """Adds to the sums of each run what is not played yet (sums of matches from the first on); whether all was played,
    and nobody pressed Ctrl-C. `keep`: called after each piece. Raises RuleError, and a ClickException where processes
    are ended from outside again and again."""
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
    """What comes of the pieces that are left, until it is clear that matches do not end. `total`: what has come of all
    until now, which the caller adds up."""
    if played(total) < run.stop and not is_endless(total):
        for part in work(pieces(evolve(run, first=played(total)))):
            yield part
            if is_endless(total):
                return


def is_endless(total: Sums) -> bool:
    return total["matches"]["capped",] == played(total) >= ENDLESS
