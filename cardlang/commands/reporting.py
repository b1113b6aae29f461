"""Matches and output of `cardlang simulate --report` and `--seat`, and of `compare`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from attrs import define

from cardlang.commands.diff import titled
from cardlang.commands.files import check_target, reason, write_text
from cardlang.commands.lab import Run, Work, here, watch_all
from cardlang.commands.options import Wanted
from cardlang.commands.rules import Rules
from cardlang.commands.running import rules_at_fault
from cardlang.commands.seats import choose_seats
from cardlang.commands.unfinished import unfinished
from cardlang.game import Game
from cardlang.lab.balance import Played, balance
from cardlang.lab.comparing import compared
from cardlang.lab.comparison_report import HEAD, comparison_report, row
from cardlang.lab.figures import Balance, Comparison
from cardlang.lab.page import render
from cardlang.lab.report import report
from cardlang.lab.summing import Sums
from cardlang.lab.words import many, matches
from cardlang.plain_text import json_text
from cardlang.source import Source
from cardlang.terminal.telling import tell, tell_lines
from cardlang.words import join


def runs_of(game: Game, rules: Rules, wanted: Wanted) -> list[Run]:
    """Return a run for each player count; with `--seat`, only for one count. Raise a usage error."""
    every = sorted(game.seats) if wanted.players is None and not wanted.seats else [wanted.players]
    seated = list(seatings(game, every, wanted))
    native = thinks_natively([game], seated, wanted.engine)
    return [Run(rules, seats, wanted.seed, wanted.cap, 0, wanted.games, native) for seats in seated]


def thinks_natively(games: Sequence[Game], seated: Sequence[Sequence[tuple[str, str]]], engine: str) -> bool:
    """Return whether some bots search, and can use the native engine.

    If there is no native engine, print the reason.
    """
    from interpreter.compiler import compile_game
    from interpreter.players.engines import reason as why_not
    from interpreter.players.engines import waited_for

    thinking = [seats for seats in seated if any(bot != "random" for _, bot in seats)]
    if engine == "python" or not thinking:
        return False
    for program in (compile_game(game, len(seats)) for game in games for seats in thinking):
        if waited_for(program) is None:
            tell(f"No native engine: {why_not(program)}. The bots use the slower Python engine.", err=True)
            return False
    return True


def seatings(game: Game, counts: Sequence[int | None], wanted: Wanted) -> Iterator[tuple[tuple[str, str], ...]]:
    for count in counts:
        seats = choose_seats(game, count, wanted.seats, auto=True)
        yield tuple((each.name, each.kind if at < len(wanted.seats) else wanted.bot) for at, each in enumerate(seats))


def workers(wanted: Wanted, games: Sequence[tuple[Rules, Game]]) -> Work:
    """Return the function that plays pieces, on this machine or a cluster. Raise a usage error."""
    if wanted.cluster is None:
        return here(wanted.jobs)
    if wanted.jobs > 1:
        raise click.UsageError("--jobs does not go with --cluster, whose workers play all matches.")
    from cardlang.commands.cluster import on_cluster

    return on_cluster(wanted.cluster, tuple(games))


@define
class Outcome:
    """Runs that have begun, with their sums. `whole` means that all matches were played."""

    begun: list[tuple[Run, Sums]]
    whole: bool


@contextmanager
def outcome(
    runs: Sequence[Run], work: Work, path: Path | None, sources: Sequence[Source], force: bool
) -> Iterator[Outcome]:
    """Watch the matches of runs, and continue an interrupted run.

    `path` is the file of the report. Progress is saved next to it, and deleted at the end. The command exits if this
    run is interrupted. Raise `ClickException`, before any match, if the report cannot be written. Raise
    `KeyboardInterrupt` if no match was played.
    """
    if path is not None:
        ready(path, force)
    kept = unfinished(path, runs, sources)
    try:
        with rules_at_fault():
            whole = watch_all(runs, kept.sums, work, kept.keep_now_and_then)
    except click.ClickException:
        if any(sums["matches"] for sums in kept.sums) and kept.keep():
            tell("Progress is saved. Run the same command to continue.", err=True)
        raise
    begun = [(run, sums) for run, sums in zip(runs, kept.sums, strict=True) if sums["matches"]]
    if not begun:
        raise KeyboardInterrupt
    resumable = not whole and kept.keep()
    yield Outcome(begun, whole)
    if path is not None:
        tell(f"The report is in {path}.", err=True)
    if not whole:
        tell("Interrupted." + (" Run the same command to continue." if resumable else ""), err=True)
        click.get_current_context().exit(130)
    kept.forget()


def tell_balance(game: Game, runs: Sequence[Run], work: Work, wanted: Wanted) -> None:
    """Watch the matches, then write the report, print its verdicts, or print the figures as JSON.

    Raise the errors of `outcome`.
    """
    with outcome(runs, work, wanted.report, game.sources, wanted.force) as come:
        played = [Played(run.seating, run.stop, run.seed, run.cap, sums) for run, sums in come.begun]
        found = balance(game, played, not come.whole)
        if wanted.report is not None:
            write_text(wanted.report, render(report(found, facts(found, runs))), "html", wanted.force)
        if wanted.as_json:
            tell_lines(json_text(found.data()))
        elif wanted.report is None:
            tell_lines("\n".join(summary(found)))


def ready(path: Path, force: bool) -> None:
    """Raise `ClickException` if the report cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_target(path, "html", force)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {reason(error)}") from error


def facts(found: Balance | Comparison, runs: Sequence[Run]) -> list[str]:
    """Return short descriptions of the matches that were played."""
    kinds = list(dict.fromkeys(bot for run in runs for bot in run.bots))
    told = [
        matches(found.matches) + (" for each player count" if len(runs) > 1 else ""),
        f"{join(kinds)} bots" + (" on the native engine" if runs[0].native else ""),
        f"seeds from {found.seed}",
        f"move limit {found.cap:,}",
    ]
    if found.interrupted:
        told.append(f"interrupted after {matches(sum(each.matches for each in found.chapters))}")
    return told


def summary(found: Balance) -> Iterator[str]:
    """Yield the verdicts, for the terminal."""
    for each in found.chapters:
        yield f"{many(each.players, 'player')}, {matches(each.matches)}"
        yield f"  seats    {each.seats.verdict.text}"
        yield f"  skill    {each.skill.verdict.text}"
        yield f"  length   {each.length.text}"
        yield f"  choices  {each.choices.verdict.text}"
        if each.course is not None:
            yield f"  course   {each.course.verdict.text}"
    yield f"{found.uses_verdict.text}"
    yield f"{found.unused_verdict.text}"


# ---------------------------------------------------------------- two games
def tell_comparison(one: Game, other: Game, runs: Sequence[Run], work: Work, wanted: Wanted) -> None:
    """Watch pairs of matches of two games, then write or print their comparison like `tell_balance`."""
    with outcome(runs, work, wanted.report, (*one.sources, *other.sources), wanted.force) as come:
        run, counts = come.begun[0][0], [(len(run.seating), sums) for run, sums in come.begun]
        titles = titled(one), titled(other)
        found = compared(*titles, run.seed, run.cap, run.stop, counts, not come.whole)
        if wanted.report is not None:
            write_text(wanted.report, render(comparison_report(found, facts(found, runs))), "html", wanted.force)
        if wanted.as_json:
            tell_lines(json_text(found.data()))
        elif wanted.report is None:
            tell_lines("\n".join(comparison_lines(found)))


def comparison_lines(found: Comparison) -> Iterator[str]:
    """Yield the comparison, for the terminal."""
    yield f"{found.first} → {found.second}"
    for each in found.chapters:
        yield from ("", f"{many(each.players, 'player')}, {matches(each.matches)} of each", f"  {each.verdict.text}")
        rows = [row(difference) for difference in each.differences]
        wide = [max(len(cells[at]) for cells in [HEAD, *rows]) for at in range(5)]
        for cells in [HEAD, *rows]:
            numbers = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells[1:5], wide[1:], strict=True))
            yield f"  {cells[0]:{wide[0]}}  {numbers}  {cells[5]}"
