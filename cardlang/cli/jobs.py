"""Job queue for many matches: pieces of work, progress, checkpoints, Dask cluster.

Each piece of work includes the checked games as JSON. A worker reads them, and compiles each program, once. A few
pieces are submitted at a time, and their results are taken once, in order. If a worker disappears, another worker plays
its piece.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import click
from attrs import astuple, define, evolve, field, frozen

from cardlang import storage
from cardlang.analysis.balance import paired_comparison
from cardlang.analysis.balance.match_stats import (
    MatchStats,
    RecordingProgram,
    SeatRotation,
    is_cost_sampled_match,
    record_match,
)
from cardlang.analysis.balance.match_totals import MatchTotals, add_match
from cardlang.cli.file_arguments import format_os_error
from cardlang.cli.process_pool import GameKey, cache_games, load_cached_game, map_in_order
from cardlang.diagnostics import Source
from cardlang.install_commands import build_install_command
from cardlang.model import Game
from cardlang.model.game_json import from_json
from cardlang.ui.terminal.escaped_output import clear_progress, write_line, write_progress
from interpreter.native.engine_loader import get_failure_reason, wait_for_engine

LONG_SECONDS = 60
"""Seconds from which the expected time is announced."""


def format_duration(seconds: float) -> str:
    """Return `2 minutes`, `3 days` or `31 years`."""
    units = (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60))
    name, length = next((unit for unit in units if seconds >= 2 * unit[1]), units[-1])
    number = round(seconds / length)
    return f"{number:,} {name}{'s' * (number != 1)}"


PIECE_SIZE = 20
"""Matches of random bots in a piece. With other bots, a piece is one match."""
MIN_ENDLESS_MATCHES = 25
"""No more matches are played if this many matches all hit the move limit."""


class MissingEngineError(RuntimeError):
    """Error of a worker process that has no native engine."""


@frozen
class MatchRun:
    """Matches to watch, as plain values that can be sent to other processes.

    `seating` has a name and a type of bot for each player. `first` and `stop` are match numbers from 0; match n has the
    seed `seed` + n. With `native`, bots search on the native engine, which gives different results.
    """

    game_key: GameKey
    seating: tuple[tuple[str, str], ...]
    seed: int
    cap: int
    first: int
    stop: int
    native: bool

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(bot for _, bot in self.seating)

    def create_totals(self) -> MatchTotals:
        return MatchTotals()

    def list_totals_table_names(self) -> Sequence[str]:
        return tuple(self.create_totals().tables)

    def play_and_add(self, totals: MatchTotals, number: int) -> None:
        """Play a match and add it to `totals`. Raise `RuleError`."""
        add_match(totals, self.record_match(number, self.game_key, is_cost_sampled_match(number)))

    def record_match(self, number: int, key: GameKey, measures_cost: bool) -> MatchStats:
        program = compile_recording_program(key, len(self.seating))
        if self.native and wait_for_engine(program) is None:
            raise MissingEngineError(
                f"bots use the native engine here, and a worker has none: {get_failure_reason(program)}"
            )
        return record_match(
            program, SeatRotation(self.bots), number, self.seed + number, self.cap, measures_cost, self.native
        )


@frozen
class PairRun(MatchRun):
    """Pairs of matches of two games, both with the same seed."""

    other_key: GameKey

    def create_totals(self) -> MatchTotals:
        return paired_comparison.create_pair_totals()

    def play_and_add(self, totals: MatchTotals, number: int) -> None:
        first = self.record_match(number, self.game_key, False)
        paired_comparison.add_pair(totals, first, self.record_match(number, self.other_key, False))


@cache
def compile_recording_program(key: GameKey, players: int) -> RecordingProgram:
    """Return the instrumented program of a game, compiled once in each process."""
    return RecordingProgram(load_cached_game(key), players)


def play_run(run: MatchRun) -> MatchTotals:
    """Play the matches of a run in this process. Raise `RuleError`."""
    totals = run.create_totals()
    for number in range(run.first, run.stop):
        run.play_and_add(totals, number)
    return totals


def split_into_pieces(run: MatchRun) -> Iterator[MatchRun]:
    size = PIECE_SIZE if set(run.bots) == {"random"} else 1
    for first in range(run.first, run.stop, size):
        yield evolve(run, first=first, stop=min(first + size, run.stop))


PieceRunner = Callable[[Iterator[MatchRun]], Iterator[MatchTotals]]
"""Function that plays pieces and yields their sums in order."""


def build_local_runner(jobs: int) -> PieceRunner:
    """Return a function that plays pieces in this process, or in `jobs` worker processes."""
    return lambda parts: map_in_order(play_run, parts, jobs)


@define
class RunProgress:
    """Progress of all runs together, with the time left.

    On a terminal it is updated all the time. Elsewhere, a long time is reported once.
    """

    total: int
    done: int
    started_at: float = field(factory=monotonic)
    done_before: int = field(init=False)
    announced: bool = False

    def __attrs_post_init__(self) -> None:
        self.done_before = self.done

    def advance(self, matches: int) -> None:
        self.done += matches
        passed = monotonic() - self.started_at
        left = passed / (self.done - self.done_before) * (self.total - self.done)
        if not self.announced and passed > 1:
            self.announced = True
            if left > LONG_SECONDS:
                write_line(
                    f"{self.total:,} matches will take about {format_duration(left)}. Press Ctrl-C to stop.", err=True
                )
        if sys.stderr.isatty():
            write_progress(f"{self.done:,} of {self.total:,} matches, {format_duration(left)} left" + " " * 12)


def play_runs(
    runs: Sequence[MatchRun], totals: list[MatchTotals], run_pieces: PieceRunner, save: Callable[[], None]
) -> bool:
    """Play the missing matches of each run and add them to its sums.

    Return False if the user pressed Ctrl-C. Sums cover matches from the first on. `save` is called after each piece.
    Raise `RuleError`, or `ClickException` if worker processes are killed repeatedly.
    """
    progress = RunProgress(sum(run.stop for run in runs), sum(map(count_played, totals)))
    try:
        for run, total in zip(runs, totals, strict=True):
            for part in play_until_all_capped(run, total, run_pieces):
                total.add_totals(part)
                progress.advance(count_played(part))
                save()
    except KeyboardInterrupt:
        return False
    finally:
        if sys.stderr.isatty():
            clear_progress()
    return True


def count_played(totals: MatchTotals) -> int:
    return totals["matches"]["played",]


def play_until_all_capped(run: MatchRun, total: MatchTotals, run_pieces: PieceRunner) -> Iterator[MatchTotals]:
    """Yield the sums of the remaining pieces, and stop if all matches hit the move limit.

    `total` holds the sums so far, which the caller updates.
    """
    if count_played(total) < run.stop and not are_all_matches_capped(total):
        for part in run_pieces(split_into_pieces(evolve(run, first=count_played(total)))):
            yield part
            if are_all_matches_capped(total):
                return


def are_all_matches_capped(total: MatchTotals) -> bool:
    return total["matches"]["capped",] == count_played(total) >= MIN_ENDLESS_MATCHES


# ---------------------------------------------------------------- Dask cluster
CONNECT_TIMEOUT = 20
"""Seconds to wait for the scheduler and for its first worker."""
RESULT_TIMEOUT = 10
"""Seconds without a result before checking that the cluster has workers."""
PIECES_PER_THREAD = 3
"""Pieces submitted in advance for each worker thread."""
MAX_WORKER_DEATHS = 20
"""Number of times the scheduler may report that a piece killed its workers, before cardlang gives up."""
KeyedGames = tuple[tuple[GameKey, Game], ...]
"""Rules with their checked games, so that workers don't need the files."""
_play_lock = Lock()
"""Lock that makes the threads of a worker take turns, because an instrumented program records one match at a time."""
_loaded_digests: set[str] = set()


@frozen
class PackedGames:
    """Games serialized for workers.

    `digest` identifies the data. `version` is the cardlang version that workers need.
    """

    data: bytes
    digest: str
    version: str

    @classmethod
    def pack(cls, games: KeyedGames) -> PackedGames:
        data = json.dumps([(astuple(rules), game.json().decode()) for rules, game in games]).encode()
        return cls(data, hashlib.sha256(data).hexdigest(), version("cardlang"))

    def unpack(self) -> None:
        """Load the games, once in each worker. Raise `RuntimeError` if another version of cardlang is installed."""
        local_version = version("cardlang")
        if local_version != self.version:
            raise RuntimeError(f"a worker has cardlang {local_version}, and this machine {self.version}")
        if self.digest not in _loaded_digests:
            games = json.loads(self.data)
            cache_games((GameKey(*key_fields), from_json(text)) for key_fields, text in games)
            _loaded_digests.add(self.digest)


def play_on_worker(packed: PackedGames, run: MatchRun) -> MatchTotals:
    """Play a piece on a worker. Raise `RuleError`, or `RuntimeError` like `PackedGames.unpack`."""
    with _play_lock:
        packed.unpack()
        return play_run(run)


def build_cluster_runner(address: str, games: KeyedGames) -> PieceRunner:
    """Return a function that plays pieces on the workers of a scheduler.

    Raise a usage error if Dask is not installed. The function raises `ClickException` if the scheduler doesn't answer
    or stops.
    """
    try:
        import distributed
    except ImportError:
        raise click.UsageError(f"--cluster needs Dask. Install it: {build_install_command('cluster')}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # cardlang reports the errors that matter
    packed = PackedGames.pack(games)

    def run_pieces(pieces: Iterator[MatchRun]) -> Iterator[MatchTotals]:
        client = connect_to_scheduler(distributed, address)
        try:
            yield from run_pieces_in_order(distributed, client, packed, pieces)
        except (OSError, RuntimeError, distributed.CancelledError, distributed.KilledWorker) as error:
            raise click.ClickException(f"The cluster at {address} stopped: {describe_error(error)}") from error
        finally:
            with suppress(OSError, TimeoutError, RuntimeError):
                client.close(timeout=5)

    return run_pieces


def describe_error(error: BaseException) -> str:
    """Return the first line of an error message, or the name of the error's class if it has none."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def connect_to_scheduler(distributed: Any, address: str) -> Any:
    """Connect to the scheduler. Raise `ClickException` if there is none, or if it has no workers."""
    try:
        client = distributed.Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise click.ClickException(f"There is no Dask scheduler at {address}: {error}") from error
    try:
        client.wait_for_workers(1, timeout=CONNECT_TIMEOUT)
    except (OSError, TimeoutError) as error:
        client.close()
        raise click.ClickException(f"The scheduler at {address} has no workers.") from error
    return client


def run_pieces_in_order(
    distributed: Any, client: Any, packed: PackedGames, pieces: Iterator[MatchRun]
) -> Iterator[MatchTotals]:
    """Yield the result of each piece in order, with a few pieces submitted at any time."""
    waiting: deque[tuple[MatchRun, Any]] = deque()
    while True:
        for piece in islice(pieces, max(0, PIECES_PER_THREAD * count_threads(client) - len(waiting))):
            waiting.append((piece, client.submit(play_on_worker, packed, piece, pure=False)))
        if not waiting:
            return
        yield wait_for_result(distributed, client, packed, *waiting.popleft())


def wait_for_result(distributed: Any, client: Any, packed: PackedGames, piece: MatchRun, future: Any) -> MatchTotals:
    """Wait for the result of a piece.

    Resubmit it if its worker is killed, and say once if the cluster has no workers.
    """
    deaths, reported_no_workers = 0, False
    while True:
        try:
            totals: MatchTotals = future.result(timeout=RESULT_TIMEOUT)
            return totals
        except distributed.KilledWorker:
            deaths += 1
            if deaths > MAX_WORKER_DEATHS:
                raise
            future = client.submit(play_on_worker, packed, piece, pure=False)
        except TimeoutError:
            if not reported_no_workers and not client.nthreads():
                reported_no_workers = True
                write_line("The cluster has no workers; waiting for one. Press Ctrl-C to stop.", err=True)


def count_threads(client: Any) -> int:
    threads_by_worker: dict[str, int] = client.nthreads()
    return max(1, sum(threads_by_worker.values()))


# ---------------------------------------------------------------- checkpoints
CHECKPOINT_FORMAT = "cardlang unfinished report 1"
CHECKPOINT_START = json.dumps({"format": CHECKPOINT_FORMAT})[:-1].encode()
MAX_CHECKPOINT_BYTES = 1 << 28
"""Maximum size of a checkpoint in bytes."""
SAVE_INTERVAL = 5.0
"""Seconds between two saves."""


@define
class RunCheckpoint:
    """Checkpoint of runs.

    `path` is its file, or None if it is not saved. `digest` is a digest of everything that the sums depend on.
    """

    path: Path | None
    digest: str
    totals: list[MatchTotals]
    last_saved: float = field(factory=monotonic)
    failed: bool = False

    def save_periodically(self) -> None:
        if monotonic() - self.last_saved > SAVE_INTERVAL:
            self.save()

    def save(self) -> bool:
        """Save the sums and return whether that worked. The first failure is reported."""
        if self.path is None:
            return False
        data = (
            CHECKPOINT_START
            + b", "
            + json.dumps({"of": self.digest, "sums": [totals.build_json() for totals in self.totals]}).encode()[1:]
        )
        try:
            storage.replace_file(self.path, data)
        except OSError as error:
            if not self.failed:
                write_line(f"Progress cannot be saved in {self.path}: {format_os_error(error)}", err=True)
            self.failed = True
            return False
        self.last_saved = monotonic()
        return True

    def delete(self) -> None:
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def digest_runs(runs: Sequence[MatchRun], sources: Sequence[Source]) -> str:
    """Return a digest of the rules, the bots, the seeds, the move limit and cardlang itself.

    The number of matches is not part of it.
    """
    texts = [text for source in sources for text in (source.name, source.text)]
    orders = [repr(evolve(run, first=0, stop=0)) for run in runs]
    return storage.compute_text_digest(
        "".join(map(storage.compute_text_digest, [compute_code_version(), *texts, *orders]))
    )


def compute_code_version() -> str:
    import cardlang
    import interpreter

    return "\n".join(storage.list_code_files(package.__path__[0]) for package in (cardlang, interpreter))


def load_checkpoint(path: Path | None, runs: Sequence[MatchRun], sources: Sequence[Source]) -> RunCheckpoint:
    """Load the checkpoint next to the report at `path`.

    If it is for other runs, start from zero and report that. Raise `ClickException` if the file is not a checkpoint.
    """
    can_checkpoint = path is not None and (path.is_file() or not path.exists())  # a device has no checkpoint
    checkpoint_path = path.with_name(path.name + ".part") if path is not None and can_checkpoint else None
    checkpoint = RunCheckpoint(checkpoint_path, digest_runs(runs, sources), [run.create_totals() for run in runs])
    if checkpoint_path is None or not checkpoint_path.exists():
        return checkpoint
    try:
        data = storage.read_file_start(checkpoint_path, MAX_CHECKPOINT_BYTES)
    except OSError as error:
        raise click.ClickException(f"{checkpoint_path} cannot be read: {format_os_error(error)}") from error
    if data and not data.startswith(CHECKPOINT_START):
        raise click.ClickException(f"{checkpoint_path} is not an unfinished report, so it is not changed.")
    totals = parse_checkpoint(data, checkpoint.digest, runs)
    if totals is None:
        write_line(
            f"{checkpoint_path} is for other rules, bots, seeds or another version. Starting from the beginning.",
            err=True,
        )
    else:
        checkpoint.totals = totals
        write_line(f"Continuing after {sum(map(count_played, totals)):,} matches saved in {checkpoint_path}.", err=True)
    return checkpoint


def parse_checkpoint(data: bytes, expected_digest: str, runs: Sequence[MatchRun]) -> list[MatchTotals] | None:
    """Read the sums of a checkpoint. Return None if they are not of these runs."""
    try:
        fields = json.loads(data)
        if fields["of"] != expected_digest:
            return None
        totals = [
            MatchTotals.from_json(entry, run.list_totals_table_names())
            for entry, run in zip(fields["sums"], runs, strict=True)
        ]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return totals if all(count_played(entry) <= run.stop for entry, run in zip(totals, runs, strict=True)) else None
