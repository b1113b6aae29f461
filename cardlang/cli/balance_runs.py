"""Simulation runs for balance and comparison reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial

import click
from attrs import evolve

from cardlang import storage
from cardlang.analysis.balance.html_report import (
    COMPARISON_HEAD,
    format_difference_row,
    render_balance_report,
    render_comparison_report,
)
from cardlang.analysis.balance.match_totals import MatchTotals
from cardlang.analysis.balance.paired_comparison import compare_totals
from cardlang.analysis.balance.report_statistics import Balance, Comparison, format_grouped_count, format_matches
from cardlang.analysis.balance.verdicts import PlayedMatches, compute_balance
from cardlang.cli.error_reports import report_rule_errors
from cardlang.cli.file_arguments import check_output_path, format_game_title, report_os_error, write_text
from cardlang.cli.match_options import SimulationOptions, choose_seats
from cardlang.cli.match_runs import MatchRun, play_runs
from cardlang.cli.parallel_jobs import Checkpoint, ExecutorFactory, GameKey
from cardlang.diagnostics import Source
from cardlang.english.control_characters import render_json
from cardlang.english.morphology import join_phrases
from cardlang.model import Game
from cardlang.ui.terminal.escaped_output import format_rows, write_line, write_lines


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
    from interpreter.native.background_engine_builds import get_failure_reason as why_not
    from interpreter.native.background_engine_builds import wait_for_engine
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


@contextmanager
def play_with_checkpoint(
    runs: Sequence[MatchRun], open_executor: ExecutorFactory, options: SimulationOptions, *games: Game
) -> Iterator[tuple[list[tuple[MatchRun, MatchTotals]], bool]]:
    """Play the matches of runs, and continue an interrupted run.

    Yield the runs that have begun, with their totals, and whether all matches were played. Progress is saved next to
    the report, and deleted at the end. The command exits if this run is interrupted. Raise `ClickException`, before any
    match, if the report cannot be written. Raise `KeyboardInterrupt` if no match was played.
    """
    path = options.report
    if path is not None:
        with report_os_error(f"{path} cannot be written"):
            path.parent.mkdir(parents=True, exist_ok=True)
            check_output_path(path, "html", options.force)
    checkpoint = Checkpoint.create(path, digest_runs(runs, [source for game in games for source in game.sources]))
    totals = load_totals(checkpoint, runs)

    def list_totals() -> list[object]:
        return [total.build_json() for total in totals]

    try:
        with report_rule_errors():
            complete = play_runs(runs, totals, open_executor, lambda: checkpoint.save_periodically(list_totals))
    except click.ClickException:
        if any(total.match_count for total in totals) and checkpoint.save(list_totals()):
            write_line("Progress is saved. Run the same command to continue.", err=True)
        raise
    begun = [(run, total) for run, total in zip(runs, totals, strict=True) if total.match_count]
    if not begun:
        raise KeyboardInterrupt
    resumable = not complete and checkpoint.save(list_totals())
    yield begun, complete
    if path is not None:
        write_line(f"The report is in {path}.", err=True)
    if not complete:
        write_line("Interrupted." + (" Run the same command to continue." if resumable else ""), err=True)
        click.get_current_context().exit(130)
    checkpoint.delete()


def digest_runs(runs: Sequence[MatchRun], sources: Sequence[Source]) -> str:
    """Return a digest of the rules, the bots, the seeds, the move limit and cardlang itself.

    The number of matches is not part of it.
    """
    import cardlang
    import interpreter

    code = "\n".join(storage.list_code_files(package.__path__[0]) for package in (cardlang, interpreter))
    texts = [text for source in sources for text in (source.name, source.text)]
    orders = [repr(evolve(run, first=0, stop=0)) for run in runs]
    return storage.compute_text_digest("".join(map(storage.compute_text_digest, [code, *texts, *orders])))


def load_totals(checkpoint: Checkpoint, runs: Sequence[MatchRun]) -> list[MatchTotals]:
    """Return the totals saved in a checkpoint, or empty ones. Raise `ClickException` if the file is no checkpoint."""
    saved = checkpoint.load()
    if isinstance(saved, list) and len(saved) == len(runs):
        with suppress(ValueError, TypeError):
            totals = [MatchTotals.from_json(rows, run.tables) for rows, run in zip(saved, runs, strict=True)]
            if all(total.match_count <= run.stop for total, run in zip(totals, runs, strict=True)):
                played = sum(total.match_count for total in totals)
                write_line(f"Continuing after {played:,} matches saved in {checkpoint.path}.", err=True)
                return totals
    if saved is not None:
        checkpoint.report_mismatch()
    return [run.create_totals() for run in runs]


def run_balance_report(
    game: Game, runs: Sequence[MatchRun], open_executor: ExecutorFactory, options: SimulationOptions
) -> None:
    """Play the matches, then write the report, print its verdicts, or print the figures as JSON.

    Raise the errors of `play_with_checkpoint`.
    """
    with play_with_checkpoint(runs, open_executor, options, game) as (begun, complete):
        played = [PlayedMatches(run.seating, run.stop, run.seed, run.cap, totals) for run, totals in begun]
        balance = compute_balance(game, played, not complete)
        page = partial(render_balance_report, balance, describe_runs(balance, runs))
        output_report(balance, page, format_verdicts(balance), options)


def output_report(
    stats: Balance | Comparison, render_page: Callable[[], str], lines: Iterable[str], options: SimulationOptions
) -> None:
    """Write the page of a report, and print the figures as JSON. Without either option, print lines."""
    if options.report is not None:
        write_text(options.report, render_page(), "html", options.force)
    if options.as_json:
        write_lines(render_json(stats.build_json()))
    elif options.report is None:
        write_lines("\n".join(lines))


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
    first: Game, second: Game, runs: Sequence[MatchRun], open_executor: ExecutorFactory, options: SimulationOptions
) -> None:
    """Play pairs of matches of two games, then write or print their comparison like `run_balance_report`."""
    with play_with_checkpoint(runs, open_executor, options, first, second) as (begun, complete):
        run, counts = begun[0][0], [(len(run.seating), totals) for run, totals in begun]
        titles = format_game_title(first), format_game_title(second)
        comparison = compare_totals(*titles, run.seed, run.cap, run.stop, counts, not complete)
        page = partial(render_comparison_report, comparison, describe_runs(comparison, runs))
        output_report(comparison, page, format_comparison(comparison), options)


def format_comparison(comparison: Comparison) -> Iterator[str]:
    """Yield the comparison, for the terminal."""
    yield f"{comparison.first} → {comparison.second}"
    for chapter in comparison.chapters:
        yield from (
            "",
            f"{format_grouped_count(chapter.players, 'player')}, {format_matches(chapter.matches)} of each",
            f"  {chapter.verdict.text}",
        )
        yield from format_rows([COMPARISON_HEAD, *map(format_difference_row, chapter.differences)], "<>>>><")
