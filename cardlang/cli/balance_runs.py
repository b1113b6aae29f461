"""Simulation runs for balance and comparison reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from attrs import define

from cardlang.analysis.balance.html_report import (
    COMPARISON_HEAD,
    build_balance_report,
    build_comparison_report,
    format_difference_row,
    render_report,
)
from cardlang.analysis.balance.match_totals import MatchTotals
from cardlang.analysis.balance.paired_comparison import compare_totals
from cardlang.analysis.balance.report_statistics import Balance, Comparison, format_grouped_count, format_matches
from cardlang.analysis.balance.verdicts import PlayedMatches, compute_balance
from cardlang.cli.error_reports import report_rule_errors
from cardlang.cli.file_arguments import check_output_path, format_game_title, format_os_error, write_text
from cardlang.cli.jobs import MatchRun, PieceRunner, build_local_runner, load_checkpoint, play_runs
from cardlang.cli.match_options import SimulationOptions, choose_seats
from cardlang.cli.process_pool import GameKey
from cardlang.diagnostics import Source
from cardlang.english.control_characters import render_json
from cardlang.english.morphology import join_phrases
from cardlang.model import Game
from cardlang.ui.terminal.escaped_output import write_line, write_lines


def build_runs(game: Game, key: GameKey, options: SimulationOptions) -> list[MatchRun]:
    """Return a run for each player count; with `--seat`, only for one count. Raise a usage error."""
    every = sorted(game.seats) if options.players is None and not options.seats else [options.players]
    seated = list(build_seatings(game, every, options))
    native = can_search_natively([game], seated, options.engine)
    return [MatchRun(key, seats, options.seed, options.cap, 0, options.games, native) for seats in seated]


def can_search_natively(games: Sequence[Game], seatings: Sequence[Sequence[tuple[str, str]]], engine: str) -> bool:
    """Return whether some bots search, and can use the native engine.

    If there is no native engine, print the reason.
    """
    from interpreter.native.engine_loader import get_failure_reason as why_not
    from interpreter.native.engine_loader import wait_for_engine
    from interpreter.program.program import compile_game

    thinking = [seats for seats in seatings if any(bot != "random" for _, bot in seats)]
    if engine == "python" or not thinking:
        return False
    for program in (compile_game(game, len(seats)) for game in games for seats in thinking):
        if wait_for_engine(program) is None:
            write_line(f"No native engine: {why_not(program)}. The bots use the slower Python engine.", err=True)
            return False
    return True


def build_seatings(
    game: Game, counts: Sequence[int | None], options: SimulationOptions
) -> Iterator[tuple[tuple[str, str], ...]]:
    for count in counts:
        seats = choose_seats(game, count, options.seats, auto=True)
        yield tuple((seat.name, seat.kind if at < len(options.seats) else options.bot) for at, seat in enumerate(seats))


def build_piece_runner(options: SimulationOptions, games: Sequence[tuple[GameKey, Game]]) -> PieceRunner:
    """Return the function that plays pieces, on this machine or a cluster. Raise a usage error."""
    if options.cluster is None:
        return build_local_runner(options.jobs)
    if options.jobs > 1:
        raise click.UsageError("--jobs does not go with --cluster, whose workers play all matches.")
    from cardlang.cli.jobs import build_cluster_runner

    return build_cluster_runner(options.cluster, tuple(games))


@define
class RunOutcome:
    """Runs that have begun, with their sums. `complete` means that all matches were played."""

    started_runs: list[tuple[MatchRun, MatchTotals]]
    complete: bool


@contextmanager
def play_with_checkpoint(
    runs: Sequence[MatchRun], run_pieces: PieceRunner, path: Path | None, sources: Sequence[Source], force: bool
) -> Iterator[RunOutcome]:
    """Play the matches of runs, and continue an interrupted run.

    `path` is the file of the report. Progress is saved next to it, and deleted at the end. The command exits if this
    run is interrupted. Raise `ClickException`, before any match, if the report cannot be written. Raise
    `KeyboardInterrupt` if no match was played.
    """
    if path is not None:
        check_report_path(path, force)
    checkpoint = load_checkpoint(path, runs, sources)
    try:
        with report_rule_errors():
            complete = play_runs(runs, checkpoint.totals, run_pieces, checkpoint.save_periodically)
    except click.ClickException:
        if any(totals["matches"] for totals in checkpoint.totals) and checkpoint.save():
            write_line("Progress is saved. Run the same command to continue.", err=True)
        raise
    begun = [(run, totals) for run, totals in zip(runs, checkpoint.totals, strict=True) if totals["matches"]]
    if not begun:
        raise KeyboardInterrupt
    resumable = not complete and checkpoint.save()
    yield RunOutcome(begun, complete)
    if path is not None:
        write_line(f"The report is in {path}.", err=True)
    if not complete:
        write_line("Interrupted." + (" Run the same command to continue." if resumable else ""), err=True)
        click.get_current_context().exit(130)
    checkpoint.delete()


def run_balance_report(
    game: Game, runs: Sequence[MatchRun], run_pieces: PieceRunner, options: SimulationOptions
) -> None:
    """Play the matches, then write the report, print its verdicts, or print the figures as JSON.

    Raise the errors of `play_with_checkpoint`.
    """
    with play_with_checkpoint(runs, run_pieces, options.report, game.sources, options.force) as outcome:
        played = [
            PlayedMatches(run.seating, run.stop, run.seed, run.cap, totals) for run, totals in outcome.started_runs
        ]
        balance = compute_balance(game, played, not outcome.complete)
        if options.report is not None:
            write_text(
                options.report,
                render_report(build_balance_report(balance, describe_runs(balance, runs))),
                "html",
                options.force,
            )
        if options.as_json:
            write_lines(render_json(balance.build_json()))
        elif options.report is None:
            write_lines("\n".join(format_verdicts(balance)))


def check_report_path(path: Path, force: bool) -> None:
    """Raise `ClickException` if the report cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_output_path(path, "html", force)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {format_os_error(error)}") from error


def describe_runs(stats: Balance | Comparison, runs: Sequence[MatchRun]) -> list[str]:
    """Return short descriptions of the matches that were played."""
    kinds = list(dict.fromkeys(bot for run in runs for bot in run.bots))
    facts = [
        format_matches(stats.matches) + (" for each player count" if len(runs) > 1 else ""),
        f"{join_phrases(kinds)} bots" + (" on the native engine" if runs[0].native else ""),
        f"seeds from {stats.seed}",
        f"move limit {stats.cap:,}",
    ]
    if stats.interrupted:
        facts.append(f"interrupted after {format_matches(sum(chapter.matches for chapter in stats.chapters))}")
    return facts


def format_verdicts(balance_stats: Balance) -> Iterator[str]:
    """Yield the verdicts, for the terminal."""
    for chapter in balance_stats.chapters:
        yield f"{format_grouped_count(chapter.players, 'player')}, {format_matches(chapter.matches)}"
        yield f"  seats    {chapter.seats.verdict.text}"
        yield f"  skill    {chapter.skill.verdict.text}"
        yield f"  length   {chapter.length.text}"
        yield f"  choices  {chapter.choices.verdict.text}"
        if chapter.course is not None:
            yield f"  course   {chapter.course.verdict.text}"
    yield f"{balance_stats.uses_verdict.text}"
    yield f"{balance_stats.unused_verdict.text}"


# ---------------------------------------------------------------- two games
def run_comparison_report(
    first: Game, second: Game, runs: Sequence[MatchRun], run_pieces: PieceRunner, options: SimulationOptions
) -> None:
    """Play pairs of matches of two games, then write or print their comparison like `run_balance_report`."""
    with play_with_checkpoint(
        runs, run_pieces, options.report, (*first.sources, *second.sources), options.force
    ) as outcome:
        run, counts = outcome.started_runs[0][0], [(len(run.seating), totals) for run, totals in outcome.started_runs]
        titles = format_game_title(first), format_game_title(second)
        comparison = compare_totals(*titles, run.seed, run.cap, run.stop, counts, not outcome.complete)
        if options.report is not None:
            write_text(
                options.report,
                render_report(build_comparison_report(comparison, describe_runs(comparison, runs))),
                "html",
                options.force,
            )
        if options.as_json:
            write_lines(render_json(comparison.build_json()))
        elif options.report is None:
            write_lines("\n".join(format_comparison(comparison)))


def format_comparison(comparison: Comparison) -> Iterator[str]:
    """Yield the comparison, for the terminal."""
    yield f"{comparison.first} → {comparison.second}"
    for chapter in comparison.chapters:
        yield from (
            "",
            f"{format_grouped_count(chapter.players, 'player')}, {format_matches(chapter.matches)} of each",
            f"  {chapter.verdict.text}",
        )
        rows = [format_difference_row(difference) for difference in chapter.differences]
        wide = [max(len(cells[at]) for cells in [COMPARISON_HEAD, *rows]) for at in range(5)]
        for cells in [COMPARISON_HEAD, *rows]:
            numbers = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells[1:5], wide[1:], strict=True))
            yield f"  {cells[0]:{wide[0]}}  {numbers}  {cells[5]}"
