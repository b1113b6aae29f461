"""Command `cardlang simulate`: statistics of many matches, on either engine.

Random moves give the same results in both. Bots that search don't play the same playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

import click
from attrs import evolve, frozen

from cardlang.analysis.balance.match_totals import MatchTotals
from cardlang.analysis.simulation import TALLY_TABLES, MatchResult, Tally, add_native_rows, add_result, play_match
from cardlang.cli import match_options
from cardlang.cli.error_reports import report_rule_errors
from cardlang.cli.file_arguments import load_game
from cardlang.cli.match_options import SimulationOptions, check_player_count, format_player_counts
from cardlang.cli.match_runs import MIN_ENDLESS_MATCHES, MatchRun, play_runs
from cardlang.cli.parallel_jobs import GameKey, choose_executor, load_cached_game, open_local_executor, register_game
from cardlang.english.control_characters import escape_invisible_characters, render_json
from cardlang.model import Game
from cardlang.ui.terminal.escaped_output import write_line, write_lines
from interpreter.native.background_engine_builds import get_failure_reason, wait_for_engine
from interpreter.native.compilers import NativeCompileError
from interpreter.native.engine import OUTCOME_RULE_FAILED, NativeEngine, build_engine
from interpreter.program.program import compile_game

if TYPE_CHECKING:
    from cardlang.lint.playtest.playtest_report import PlaytestReport


@click.command(
    epilog=match_options.format_examples(
        "simulate hearts --games 1000 --players 4",
        "simulate my_game --games 2000 --jobs 2 --report balance.html",
        "simulate kuhn_poker --seat Ann=steady --seat Bob=random --games 50",
    )
)
@click.argument("file")
@match_options.variant_option
@match_options.add_simulation_options(
    games=100,
    players="every count that the game allows",
    engine="Engine to play with: compiled C, or Python.",
    report="HTML file for the balance report.",
)
def simulate_games(file: str, variant: str | None, options: SimulationOptions) -> None:
    """Let bots play many matches.

    Prints wins, lengths, scores, and rules that were never reached. With --report, writes a page on the balance of
    the game; with --seat, compares bots. Ctrl-C stops early and keeps the results so far."""
    game = load_game(file, variant)
    if options.players is not None:
        check_player_count(game, options.players)
    watched = options.report is not None or options.seats or options.cluster is not None
    (report_balance if watched else simulate_matches)(game, register_game(game, file), options)


def report_balance(game: Game, key: GameKey, options: SimulationOptions) -> None:
    from cardlang.cli.balance_runs import build_runs, run_balance_report

    runs = build_runs(game, key, options)
    run_balance_report(game, runs, choose_executor(options.jobs, options.cluster, [(key, game)]), options)


def simulate_matches(game: Game, key: GameKey, options: SimulationOptions) -> None:
    """Play the matches and print the counts. Exit with 130 after Ctrl-C."""
    counts = sorted(game.seats) if options.players is None else [options.players]
    runs = [
        SimulationRun(key, ((options.bot, options.bot),) * count, options.seed, options.cap, 0, options.games, False)
        for count in counts
    ]
    with report_rule_errors():
        native = choose_engine(runs, options.engine, game, lambda text: write_line(text, err=True))
        engine = "native" if native else "python"
        tallies = play_simulations([evolve(run, native=native) for run in runs], options.jobs, sum(counts))
        printed = (print_tallies_json if options.as_json else print_tallies)(game, options, engine, tallies)
    if printed[-1].interrupted:
        click.get_current_context().exit(130)


def print_tallies_json(game: Game, options: SimulationOptions, engine: str, tallies: Iterable[Tally]) -> list[Tally]:
    """Print all counts as JSON, and return them."""
    from cardlang.diagnostics.render import build_position_record

    printed, not_reached = list(tallies), None
    if not printed[-1].interrupted:
        trials = playtest_tallies(game, printed)
        notes = trials.find_unreached_rules()
        rules = [{"message": note.message, **build_position_record(note.span)} for note in notes]
        not_reached = {"matches": trials.matches, "rules": rules}
    report = {
        "game": game.title,
        "variant": game.variant,
        "bot": options.bot,
        "seed": options.seed,
        "cap": options.cap,
        "engine": engine,
        "players": [tally.build_json() for tally in printed],
        "not_reached": not_reached,
    }
    write_lines(render_json(report))
    return printed


def print_tallies(game: Game, options: SimulationOptions, engine: str, tallies: Iterable[Tally]) -> list[Tally]:
    """Print the counts of each player count as they finish, and return them."""
    many = f"{options.games:,} matches of {options.bot} bots"
    write_line(f"{game.title}, for {format_player_counts(game)}: {many}, seeds from {options.seed}")
    printed = []
    for tally in tallies:
        write_lines(tally.format_text())
        printed.append(tally)
    if not printed[-1].interrupted:
        report = playtest_tallies(game, printed)
        notes = list(report.find_unreached_rules())
        if notes:
            write_line(f"Rule coverage, from a separate playtest of {report.matches:,} matches with random moves:")
        for note in notes:
            write_lines(f"{escape_invisible_characters(str(note.span))}: {note.message}")
    return printed


def playtest_tallies(game: Game, tallies: list[Tally]) -> PlaytestReport:
    """Play a few matches again with instrumented rules, which would slow down all matches."""
    from cardlang.lint.playtest.playtest_report import PlaytestReport
    from cardlang.lint.playtest.playtest_runner import MAX_MATCHES, run_playtest

    return PlaytestReport(
        game, tuple(run_playtest(game, tally.players, min(MAX_MATCHES, tally.match_count)) for tally in tallies)
    )


def play_simulations(runs: Iterable[SimulationRun], jobs: int, seat_total: int) -> Iterator[Tally]:
    """Play all matches of runs in `jobs` processes, show the progress on a terminal, and yield the results of each.

    Stop a run early if the first matches all hit the move limit, or all runs after Ctrl-C, if any match of this run has
    been played.
    """
    for run in runs:
        totals = [run.create_totals()]
        complete = play_runs([run], totals, partial(open_local_executor, jobs))
        played = totals[0].match_count
        if not (complete or played):
            raise KeyboardInterrupt
        yield Tally(len(run.seating), totals[0], seat_total, run.stop - played, not complete)
        if not complete:
            return


# ---------------------------------------------------------------- engines
MAX_CHUNK_SIZE = 2000
"""Maximum number of matches in a piece for the native engine, whose pieces grow."""
COMPILE_THRESHOLD_SECONDS = 1.0
"""Seconds that the Python engine must take before compiling the native engine is worthwhile."""
NATIVE_SEED_LIMIT = 1 << 64
"""Limit of seeds in the native engine. Only Python has the generator for longer seeds."""


@frozen
class SimulationRun(MatchRun):
    """Matches between equal bots, of which only the results are recorded.

    The engine, `native` or Python, plays random matches too."""

    tables: ClassVar[Sequence[str]] = TALLY_TABLES

    def split(self) -> Iterator[SimulationRun]:
        """Yield the first match, to estimate the time; then matches up to number 25; then larger pieces."""
        first, size = self.first, 1
        while first < self.stop:
            stop = min(first + size, self.stop)
            yield evolve(self, first=first, stop=stop)
            first = stop
            growing = min(first, MAX_CHUNK_SIZE) if self.native else MIN_ENDLESS_MATCHES
            size = max(MIN_ENDLESS_MATCHES - first, 0) or growing

    def play(self) -> MatchTotals:
        if self.native and self.bots[0] == "random":
            with suppress(NativeCompileError):  # the compiled library may be gone in a worker process
                return self.play_natively()
        return super().play()

    def play_and_add(self, totals: MatchTotals, number: int) -> None:
        add_result(totals, self.play_match(number))

    def play_match(self, number: int) -> MatchResult:
        game = load_cached_game(self.game_key)
        return play_match(game, len(self.seating), self.seed + number, self.bots[0], self.cap, self.native)

    def play_natively(self) -> MatchTotals:
        """Play the matches on the native engine.

        Python replays each match with an error, to report it, or to finish it if C ran out of room. Raise
        `NativeCompileError`, or `RuleError` like `play_match`.
        """
        players, totals, count = len(self.seating), self.create_totals(), self.stop - self.first
        native = get_native_engine(self.game_key, players)
        begun = perf_counter()
        rows = native.play_matches(self.seed + self.first, count, self.cap, checking=True)
        totals["matches"]["nanoseconds",] = round((perf_counter() - begun) * 1e9)
        width = 3 + players
        faults = [at for at, end in enumerate(rows[1::width]) if end == OUTCOME_RULE_FAILED]
        for at in faults:
            self.play_and_add(totals, self.first + at)
        for first, stop in pairwise([-1, *faults, count]):  # the rows between two faults
            add_native_rows(totals, rows[(first + 1) * width : stop * width], players, native.convert_score)
        return totals


def choose_engine(
    runs: Sequence[SimulationRun], requested_engine: str, game: Game, show_message: Callable[[str], None]
) -> bool:
    """Return whether the native engine plays the runs of a game.

    `auto` selects the native engine if compiling is worthwhile. If there is no native engine, pass the reason to
    `show_message` once.
    """
    is_random = runs[0].bots[0] == "random"
    if requested_engine == "python" or (
        requested_engine == "auto" and is_random and not any(map(is_slow_in_python, runs))
    ):
        return False
    try:
        for run in runs:
            if not is_random:
                check_native_search(game, len(run.seating))
            elif run.seed + run.stop > NATIVE_SEED_LIMIT:
                raise NativeCompileError("it takes no seeds above 64 bits")
            else:
                get_native_engine(run.game_key, len(run.seating))
    except NativeCompileError as reason:
        same = ", with the same results" if is_random else ""
        show_message(f"No native engine: {reason}. The slower Python engine plays{same}.")
        return False
    return True


def check_native_search(game: Game, players: int) -> None:
    """Raise `NativeCompileError` if bots can search only in the Python engine."""
    program = compile_game(game, players)
    if wait_for_engine(program) is None:
        raise NativeCompileError(get_failure_reason(program) or "it cannot be compiled")


def is_slow_in_python(run: SimulationRun) -> bool:
    """Return whether the Python engine would take long.

    Play the first matches to estimate the time, and discard their results.
    """
    seconds, played = 0.0, 0
    while played < min(run.stop, MIN_ENDLESS_MATCHES) and seconds <= COMPILE_THRESHOLD_SECONDS / 4:
        seconds += run.play_match(played).seconds
        played += 1
    return seconds / played * run.stop > COMPILE_THRESHOLD_SECONDS


@cache
def get_native_engine(key: GameKey, players: int) -> NativeEngine:
    """Return the native engine of a game, built once in each process. Raise `NativeCompileError`."""
    return build_engine(load_cached_game(key), players)
