"""`cardlang simulate --report`: matches that are watched, and the page that tells what they say."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic

import click
from attrs import define, evolve, field, frozen

from cardlang.commands.engines import kept_game
from cardlang.commands.files import check_target, reason, write_text
from cardlang.commands.pool import worked
from cardlang.game import Game
from cardlang.lab.judging import judged
from cardlang.lab.page import render
from cardlang.lab.report import report, unused
from cardlang.lab.summing import Sums, add_story
from cardlang.lab.watching import Seating, Watched, watch
from cardlang.terminal.telling import forget_progress, tell, tell_progress

PIECE = 10
"""So many matches are watched between two reports of progress."""


@frozen
class Run:
    """Matches to be watched; plain values, so that other processes can be told. `first`, `stop`: numbers of matches,
    from 0; number n has the seed `seed` + n."""

    path: str
    variant: str | None
    bots: tuple[str, ...]
    seed: int
    cap: int
    first: int
    stop: int

    @property
    def players(self) -> int:
        return len(self.bots)


_programs: dict[tuple[str, str | None, int], Watched] = {}


def program_of(run: Run) -> Watched:
    """Made once in each process."""
    key = run.path, run.variant, run.players
    if key not in _programs:
        _programs[key] = Watched(kept_game(run.path, run.variant), run.players)
    return _programs[key]


def watch_part(run: Run) -> Sums:
    """Watches the matches of a run in this process. Raises RuleError."""
    program, seating, sums = program_of(run), Seating(run.bots), Sums()
    for number in range(run.first, run.stop):
        add_story(sums, watch(program, seating, number, run.seed + number, run.cap))
    return sums


def pieces(run: Run) -> Iterator[Run]:
    for first in range(run.first, run.stop, PIECE):
        yield evolve(run, first=first, stop=min(first + PIECE, run.stop))


@define
class Progress:
    """How far all runs together have come, and how long it will take still, told on a terminal."""

    total: int
    done: int = 0
    begun: float = field(factory=monotonic)

    def step(self, matches: int) -> None:
        from cardlang.commands.simulate import duration

        self.done += matches
        if sys.stderr.isatty():
            left = (monotonic() - self.begun) / self.done * (self.total - self.done)
            tell_progress(f"{self.done:,} of {self.total:,} matches, {duration(left)} left" + " " * 12)

    def end(self) -> None:
        if sys.stderr.isatty():
            forget_progress()


def watch_all(runs: Sequence[Run], jobs: int) -> list[Sums]:
    """The sums of each run. Raises RuleError."""
    progress = Progress(sum(run.stop - run.first for run in runs))
    found = []
    for run in runs:
        sums = Sums()
        for part in worked(watch_part, pieces(run), jobs):
            sums.add(part)
            progress.step(part["lengths"].total())
        found.append(sums)
    progress.end()
    return found


def write_report(game: Game, runs: Sequence[Run], jobs: int, path: Path) -> None:
    """Raises a ClickException where the page cannot be written; before anything is played if something else lies
    there."""
    ready(path)
    sums = watch_all(runs, jobs)
    looked = sum(run.players for run in runs if run.players > 1)
    figures = [judged(game, run.players, each, looked) for run, each in zip(runs, sums, strict=True)]
    write_text(path, render(report(game, facts(runs), figures, unused(game, sums))), "html")
    tell(f"The report is in {path}.")


def ready(path: Path) -> None:
    """Raises a ClickException where a page could not be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_target(path, "html")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {reason(error)}") from error


def facts(runs: Sequence[Run]) -> list[str]:
    first = runs[0]
    matches = f"{first.stop:,} matches" + (" for each number of players" if len(runs) > 1 else "")
    kinds = list(dict.fromkeys(bot for run in runs for bot in run.bots))
    return [matches, f"{' and '.join(kinds)} bots", f"seeds from {first.seed}"]
