"""Command `cardlang simulate`: statistics of many matches, on either engine.

Random moves give the same results in both. Bots that search don't play the same playouts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

import click
from attrs import define, evolve, field, frozen

from cardlang.analysis.simulation import Tally, play_match
from cardlang.cli import match_options
from cardlang.cli.error_reports import report_rule_errors
from cardlang.cli.file_arguments import load_game
from cardlang.cli.jobs import LONG_SECONDS, format_duration
from cardlang.cli.match_options import SimulationOptions, check_player_count, format_player_counts
from cardlang.cli.process_pool import GameKey, load_cached_game, map_in_order, register_game
from cardlang.english.control_characters import escape_invisible_characters, render_json
from cardlang.model import Game
from cardlang.ui.terminal.escaped_output import clear_progress, write_line, write_lines, write_progress
from interpreter.native.compilers import NativeCompileError
from interpreter.native.engine import OUTCOME_RULE_FAILED, NativeEngine, build_engine
from interpreter.program.program import compile_game

if TYPE_CHECKING:
    from cardlang.lint.playtest.runner import PlaytestReport


@frozen
class SimulationTask:
    """Matches to simulate, as plain values that can be sent to other processes.

    Seeds go from `first` up to, but without, `stop`.
    """

    game_key: GameKey
    players: int
    first: int
    stop: int
    bot: str
    cap: int
    seat_total: int
    engine: str = "python"

    @property
    def match_count(self) -> int:
        return self.stop - self.first


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
def command(file: str, variant: str | None, options: SimulationOptions) -> None:
    """Let bots play many matches.

    Prints wins, lengths, scores, and rules that were never reached. With --report, writes a page on the balance of
    the game; with --seat, compares bots. Ctrl-C stops early and keeps the results so far."""
    game = load_game(file, variant)
    if options.players is not None:
        check_player_count(game, options.players)
    watched = options.report is not None or options.seats or options.cluster is not None
    (report_balance if watched else simulate_matches)(game, register_game(game, file), options)


def report_balance(game: Game, key: GameKey, options: SimulationOptions) -> None:
    from cardlang.cli.balance_runs import build_piece_runner, build_runs, run_balance_report

    runs = build_runs(game, key, options)
    run_balance_report(game, runs, build_piece_runner(options, ((key, game),)), options)


def simulate_matches(game: Game, key: GameKey, options: SimulationOptions) -> None:
    """Play the matches and print the counts. Exit with 130 after Ctrl-C."""
    counts = sorted(game.seats) if options.players is None else [options.players]
    first, stop = options.seed, options.seed + options.games
    tasks = [SimulationTask(key, count, first, stop, options.bot, options.cap, sum(counts)) for count in counts]
    with report_rule_errors():
        engine = choose_engine(tasks, options.engine, game, lambda text: write_line(text, err=True))
        tallies = (play_all_chunks(evolve(task, engine=engine), options.jobs) for task in tasks)
        printed = (print_tallies_json if options.as_json else print_tallies)(game, options, engine, tallies)
    if printed[-1].interrupted:
        click.get_current_context().exit(130)


def print_tallies_json(game: Game, options: SimulationOptions, engine: str, tallies: Iterable[Tally]) -> list[Tally]:
    """Print all counts as JSON, and return them."""
    report: dict[str, object] = {
        "game": game.title,
        "variant": game.variant,
        "bot": options.bot,
        "seed": options.seed,
        "cap": options.cap,
        "engine": engine,
    }
    printed = list(take_until_interrupted(tallies))
    write_lines(
        render_json(
            report | {"players": [tally.build_json() for tally in printed]} | build_unreached_json(game, printed)
        )
    )
    return printed


def print_tallies(game: Game, options: SimulationOptions, engine: str, tallies: Iterable[Tally]) -> list[Tally]:
    """Print the counts of each player count as they finish, and return them."""
    many = f"{options.games:,} matches of {options.bot} bots"
    write_line(f"{game.title}, for {format_player_counts(game)}: {many}, seeds from {options.seed}")
    printed = list(print_each_tally(tallies))
    if not printed[-1].interrupted:
        print_unreached_rules(game, printed)
    return printed


def playtest_tallies(game: Game, tallies: list[Tally]) -> PlaytestReport:
    """Play a few matches again with instrumented rules, which would slow down all matches."""
    from cardlang.lint.playtest.runner import MAX_MATCHES, PlaytestReport, run_playtest

    return PlaytestReport(
        game, tuple(run_playtest(game, tally.players, min(MAX_MATCHES, tally.match_count)) for tally in tallies)
    )


def build_unreached_json(game: Game, tallies: list[Tally]) -> dict[str, object]:
    from cardlang.diagnostics.render import build_position_record

    if tallies[-1].interrupted:
        return {"not_reached": None}
    trials = playtest_tallies(game, tallies)
    rules = [{"message": note.message, **build_position_record(note.span)} for note in trials.find_unreached_rules()]
    return {"not_reached": {"matches": trials.matches, "rules": rules}}


def print_unreached_rules(game: Game, tallies: list[Tally]) -> None:
    trials = playtest_tallies(game, tallies)
    for note in trials.find_unreached_rules():
        write_lines(f"{escape_invisible_characters(str(note.span))}: {note.message}")


def print_each_tally(tallies: Iterable[Tally]) -> Iterator[Tally]:
    for tally in take_until_interrupted(tallies):
        write_lines(tally.format_text())
        yield tally


def take_until_interrupted(tallies: Iterable[Tally]) -> Iterator[Tally]:
    for tally in tallies:
        yield tally
        if tally.interrupted:
            return


def play_all_chunks(task: SimulationTask, jobs: int) -> Tally:
    """Play all matches of a task in `jobs` processes, and show the progress on a terminal.

    Stop early if the first matches all hit the move limit, or after Ctrl-C if any match has been played.
    """
    total, watch = Tally(task.players, seat_total=task.seat_total), SimulationProgress(task, jobs)
    try:
        for part in map_in_order(play_chunk, split_into_chunks(task), jobs):
            total = total.combine_with(part)
            if total.capped == total.match_count >= min(CHUNK_SIZE, task.match_count):  # random play doesn't finish
                break
            watch.report(total.match_count, total.seconds)
    except KeyboardInterrupt:
        if not total.match_count:
            raise
        total.interrupted = True
    total.unplayed = task.match_count - total.match_count
    if sys.stderr.isatty():
        clear_progress()
    return total


@define
class SimulationProgress:
    """Progress of a task. It announces a long time once, and shows the progress on a terminal."""

    task: SimulationTask
    jobs: int
    started_at: float = field(factory=monotonic)
    announced: bool = False

    def report(self, games: int, seconds: float) -> None:
        """Report progress. `seconds` is the total playing time of these matches in all processes."""
        if not self.announced and monotonic() - self.started_at > 1:
            self.announced = True
            left = seconds / games * (self.task.match_count - games) / self.jobs
            if left > LONG_SECONDS:
                what = (
                    f"{self.task.match_count:,} matches of {self.task.players} players will take about "
                    f"{format_duration(left)}."
                )
                write_line(f"{what} Press Ctrl-C to stop and see the results so far.", err=True)
        if sys.stderr.isatty():
            write_progress(f"{self.task.players} players: {games:,} of {self.task.match_count:,}")


# ---------------------------------------------------------------- engines
CHUNK_SIZE = 25
"""Matches between two progress reports. The first chunk is a single match, to estimate the time."""
MAX_CHUNK_SIZE = 2000
"""Maximum chunk size of the native engine, whose chunks grow."""
COMPILE_THRESHOLD_SECONDS = 1.0
"""Seconds that the Python engine must take before compiling the native engine is worthwhile."""
NATIVE_SEED_LIMIT = 1 << 64
"""Limit of seeds in the native engine. Only Python has the generator for longer seeds."""


def split_into_chunks(task: SimulationTask) -> Iterator[SimulationTask]:
    """Split a task into chunks. The second chunk ends at match CHUNK_SIZE in both engines."""
    size, first = 1, task.first
    while first < task.stop:
        stop = min(first + size, task.stop)
        yield evolve(task, first=first, stop=stop)
        played = stop - task.first
        size = CHUNK_SIZE - 1 if played == 1 else CHUNK_SIZE if task.engine == "python" else min(played, MAX_CHUNK_SIZE)
        first = stop


def choose_engine(
    tasks: Sequence[SimulationTask], requested_engine: str, game: Game, show_message: Callable[[str], None]
) -> str:
    """Return the engine for the tasks of a game: `python` or `native`.

    `auto` selects the native engine if compiling is worthwhile. If there is no native engine, pass the reason to
    `show_message` once.
    """
    if requested_engine == "python" or (
        requested_engine == "auto" and tasks[0].bot == "random" and not any(map(is_slow_in_python, tasks))
    ):
        return "python"
    try:
        for task in tasks:
            if task.bot == "random":
                check_native_seeds(task)
                get_native_engine(task.game_key, task.players)
            else:
                check_native_search(game, task)
    except NativeCompileError as reason:
        same = ", with the same results" if tasks[0].bot == "random" else ""
        show_message(f"No native engine: {reason}. The slower Python engine plays{same}.")
        return "python"
    return "native"


def check_native_seeds(task: SimulationTask) -> None:
    """Raise `NativeCompileError` if only the Python engine can play the task."""
    if task.stop > NATIVE_SEED_LIMIT:
        raise NativeCompileError("it takes no seeds above 64 bits")


def check_native_search(game: Game, task: SimulationTask) -> None:
    """Raise `NativeCompileError` if bots can search only in the Python engine."""
    from interpreter.native.engine_loader import get_failure_reason, wait_for_engine

    program = compile_game(game, task.players)
    if wait_for_engine(program) is None:
        raise NativeCompileError(get_failure_reason(program) or "it cannot be compiled")


def is_slow_in_python(task: SimulationTask) -> bool:
    """Return whether the Python engine would take long.

    Play the first matches to estimate the time, and discard their results.
    """
    game, seconds, played = load_cached_game(task.game_key), 0.0, 0
    for seed in range(task.first, min(task.stop, task.first + CHUNK_SIZE)):
        seconds += play_match(game, task.players, seed, task.bot, task.cap).seconds
        played += 1
        if seconds > COMPILE_THRESHOLD_SECONDS / 4:
            break
    return seconds / played * task.match_count > COMPILE_THRESHOLD_SECONDS


@cache
def get_native_engine(key: GameKey, players: int) -> NativeEngine:
    """Return the native engine of a game, built once in each process. Raise `NativeCompileError`."""
    return build_engine(load_cached_game(key), players)


def play_natively(game: Game, task: SimulationTask) -> Tally:
    """Play the matches of a task on the native engine.

    Python replays each match with an error, to report it, or to finish it if C ran out of room. Raise
    `NativeCompileError`, or `RuleError` like `play_match`.
    """
    native, tally = get_native_engine(task.game_key, task.players), Tally(task.players)
    begun = perf_counter()
    rows = native.play_matches(task.first, task.match_count, task.cap, checking=True)
    tally.seconds = perf_counter() - begun
    width = 3 + task.players
    faults = [at for at, end in enumerate(rows[1::width]) if end == OUTCOME_RULE_FAILED]
    for at in faults:
        tally.add_result(play_match(game, task.players, task.first + at, task.bot, task.cap))
    for first, stop in pairwise([-1, *faults, task.match_count]):  # the rows between two faults
        tally.add_native_rows(rows[(first + 1) * width : stop * width], native.convert_score)
    return tally


def play_chunk(task: SimulationTask) -> Tally:
    """Play the matches of a task in this process."""
    game = load_cached_game(task.game_key)
    if task.engine == "native" and task.bot == "random":
        with suppress(NativeCompileError):  # the compiled library may be gone in a worker process
            return play_natively(game, task)
    tally = Tally(task.players)
    for seed in range(task.first, task.stop):
        tally.add_result(play_match(game, task.players, seed, task.bot, task.cap, task.engine == "native"))
    return tally
