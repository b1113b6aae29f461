"""Jobs: pieces of work in this process, in worker processes or on a Dask cluster, with progress and checkpoints.

A few pieces are submitted to an executor at a time, and their results are taken once, in order. If a worker
disappears, another worker does its piece. Workers load each checked game once.
"""

from __future__ import annotations

import hashlib
import json
import logging
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import astuple, define, field, frozen

from cardlang import storage
from cardlang.cli.file_arguments import format_os_error, load_game, report_os_error, require_game_file
from cardlang.optional_package_installs import build_install_command
from cardlang.ui.terminal.escaped_output import clear_progress, write_line, write_progress

if TYPE_CHECKING:
    from cardlang.model import Game

Piece = TypeVar("Piece")
Done = TypeVar("Done")


# ---------------------------------------------------------------- games in worker processes
@frozen
class GameKey:
    """Identifier of a game or variant, as plain values.

    `digest` covers the source files, so a changed file has a different identifier.
    """

    path: str
    variant: str | None
    digest: str


KeyedGames = Sequence[tuple[GameKey, "Game"]]
_games: dict[GameKey, Game] = {}


def register_game(game: Game, file: str) -> GameKey:
    """Return the identifier of a game loaded from `file`, and cache the game."""
    key = GameKey(str(require_game_file(file)), game.variant, digest_sources(game))
    _games[key] = game
    return key


def digest_sources(game: Game) -> str:
    return storage.compute_text_digest("".join(storage.compute_text_digest(source.text) for source in game.sources))


def load_cached_game(key: GameKey) -> Game:
    """Return the game, loaded once in each process. Raise `ClickException` if its file has changed."""
    if key not in _games:
        game = load_game(key.path, key.variant)
        if digest_sources(game) != key.digest:
            raise click.ClickException(f"{key.path} changed during the match. Start again.")
        _games[key] = game
    return _games[key]


# ---------------------------------------------------------------- executors
MAX_WORKER_DEATHS = 20
"""Maximum number of times that pieces of killed workers are submitted again."""
WAIT_SECONDS = 10
"""Seconds without a result before checking that there are workers."""


class JobExecutor(Executor):
    """Executor that does each piece in this process when it is submitted.

    Subclasses use other workers. `slots` is the number of pieces to submit in advance. `worker_deaths` are the errors
    of pieces whose workers were killed."""

    slots = 1
    worker_deaths: tuple[type[BaseException], ...] = ()

    def submit(self, work: Callable[..., Done], /, *arguments: Any, **options: Any) -> Future[Done]:
        future: Future[Done] = Future()
        future.set_result(work(*arguments, **options))
        return future

    def check_workers(self) -> None:
        """Report missing workers."""


class ProcessExecutor(JobExecutor):
    """Executor with worker processes, which are replaced if they are killed. An error or Ctrl-C ends them."""

    worker_deaths = (BrokenExecutor,)

    def __init__(self, jobs: int) -> None:
        self.jobs, self.slots = jobs, 2 * jobs
        self.start_workers()

    def start_workers(self) -> None:
        from concurrent.futures import ProcessPoolExecutor

        self.pool = ProcessPoolExecutor(self.jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))

    def submit(self, work: Callable[..., Done], /, *arguments: Any, **options: Any) -> Future[Done]:
        try:
            return self.pool.submit(work, *arguments, **options)
        except BrokenExecutor:
            self.pool.shutdown()
            self.start_workers()
            return self.pool.submit(work, *arguments, **options)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        from multiprocessing import active_children

        for child in active_children() if kind is not None else ():
            child.terminate()  # their results are no longer needed
        self.pool.shutdown(cancel_futures=True)


def open_local_executor(jobs: int) -> JobExecutor:
    return JobExecutor() if jobs == 1 else ProcessExecutor(jobs)


def map_in_order(executor: JobExecutor, work: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
    """Yield the result of each piece in order.

    The function, the pieces and the results must be picklable, unless the executor is of this process. If a worker is
    killed, another one does its pieces. Raise `ClickException` if that happens too often.
    """
    rest, deaths = iter(pieces), 0
    waiting: deque[tuple[Piece, Future[Done]]] = deque()
    while True:
        for piece in islice(rest, max(0, executor.slots - len(waiting))):
            waiting.append((piece, executor.submit(work, piece)))
        if not waiting:
            return
        future = waiting[0][1]
        while not wait([future], WAIT_SECONDS).done:
            executor.check_workers()
        try:
            result = future.result()
        except executor.worker_deaths:
            deaths += 1
            if deaths > MAX_WORKER_DEATHS:
                raise click.ClickException("Worker processes keep being killed.") from None
            write_line("A worker process was killed; another one takes over its work.", err=True)
            for _ in range(len(waiting)):
                piece, future = waiting.popleft()
                died = future.done() and isinstance(future.exception(), executor.worker_deaths)
                waiting.append((piece, executor.submit(work, piece) if died else future))
        else:
            waiting.popleft()
            yield result


# ---------------------------------------------------------------- Dask cluster
CONNECT_TIMEOUT = 20
"""Seconds to wait for the scheduler and for its first worker."""
PIECES_PER_THREAD = 3
"""Pieces submitted in advance for each worker thread."""
_worker_lock = Lock()
"""Lock that makes the threads of a worker take turns, because an instrumented program records one match at a time."""


@frozen
class PackedGames:
    """Games serialized for workers, which don't have the files.

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
        from cardlang.model.game_json import from_json

        local_version = version("cardlang")
        if local_version != self.version:
            raise RuntimeError(f"a worker has cardlang {local_version}, and this machine {self.version}")
        if self.digest not in _loaded_digests:
            _games.update((GameKey(*key_fields), from_json(text)) for key_fields, text in json.loads(self.data))
            _loaded_digests.add(self.digest)


_loaded_digests: set[str] = set()


def work_on_cluster(packed: PackedGames, work: Callable[[Piece], Done], piece: Piece) -> Done:
    """Do a piece on a worker of a cluster. Raise the errors of `work` and of `PackedGames.unpack`."""
    with _worker_lock:
        packed.unpack()
        return work(piece)


class ClusterExecutor(JobExecutor):
    """Executor with the workers of a Dask scheduler.

    Opening it raises `ClickException` if the scheduler doesn't answer or has no workers, and a usage error if Dask is
    not installed. Leaving it raises `ClickException` if the scheduler stopped."""

    def __init__(self, address: str, games: KeyedGames) -> None:
        distributed = import_distributed()
        self.address, self.games, self.has_workers = address, PackedGames.pack(games), True
        self.worker_deaths = (distributed.KilledWorker,)
        self.stop_errors = (OSError, RuntimeError, CancelledError, distributed.CancelledError)
        try:
            self.client = distributed.Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise click.ClickException(f"There is no Dask scheduler at {address}: {error}") from error
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_TIMEOUT)
        except (OSError, TimeoutError) as error:
            self.client.close()
            raise click.ClickException(f"The scheduler at {address} has no workers.") from error
        self.executor = self.client.get_executor(pure=False)

    @property
    def slots(self) -> int:  # type: ignore[override]
        threads_by_worker: dict[str, int] = self.client.nthreads()
        return PIECES_PER_THREAD * max(1, sum(threads_by_worker.values()))

    def submit(self, work: Callable[..., Done], /, *arguments: Any, **options: Any) -> Future[Done]:
        future: Future[Done] = self.executor.submit(work_on_cluster, self.games, work, *arguments, **options)
        return future

    def check_workers(self) -> None:
        if self.has_workers and not self.client.nthreads():
            self.has_workers = False
            write_line("The cluster has no workers; waiting for one. Press Ctrl-C to stop.", err=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        with suppress(OSError, TimeoutError, RuntimeError):
            self.client.close(timeout=5)
        if isinstance(error, self.stop_errors):
            reason = next(iter(str(error).splitlines()), "") or type(error).__name__
            raise click.ClickException(f"The cluster at {self.address} stopped: {reason}") from error


def import_distributed() -> Any:
    """Import Dask. Raise a usage error if it is not installed."""
    try:
        import distributed
    except ImportError:
        raise click.UsageError(f"--cluster needs Dask. Install it: {build_install_command('cluster')}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # cardlang reports the errors that matter
    return distributed


ExecutorFactory = Callable[[], JobExecutor]


def choose_executor(jobs: int, cluster: str | None, games: KeyedGames) -> ExecutorFactory:
    """Return a function that opens the executor for the options `--jobs` and `--cluster`. Raise a usage error."""
    if cluster is None:
        return partial(open_local_executor, jobs)
    if jobs > 1:
        raise click.UsageError("--jobs does not go with --cluster, whose workers play all matches.")
    import_distributed()
    return partial(ClusterExecutor, cluster, games)


# ---------------------------------------------------------------- progress
LONG_SECONDS = 60
"""Shortest expected time, in seconds, for which an estimate is printed."""


@contextmanager
def show_progress() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows a line of progress if stderr is a terminal. Clear the line at the end."""
    is_terminal = sys.stderr.isatty()
    try:
        yield write_progress if is_terminal else lambda line: None
    finally:
        if is_terminal:
            clear_progress()


@define
class Progress:
    """Progress of a job with `total` items, with the time left. A long time is announced once.

    `items` is their name in the plural, and `show` a function that shows a line. `done` counts finished items, even
    those of an earlier run.
    """

    total: int
    items: str
    show: Callable[[str], None]
    done: int = 0
    started_at: float = field(factory=monotonic)
    done_now: int = 0
    announced: bool = False

    def advance(self, count: int) -> None:
        self.done += count
        self.done_now += count
        passed = monotonic() - self.started_at
        left = passed / self.done_now * (self.total - self.done)
        if not self.announced and passed > 1:
            self.announced = True
            if left > LONG_SECONDS:
                time = f"{self.total:,} {self.items} will take about {format_duration(left)}."
                write_line(f"{time} Press Ctrl-C to stop.", err=True)
        self.show(f"{self.done:,} of {self.total:,} {self.items}, {format_duration(left)} left" + " " * 12)


def format_duration(seconds: float) -> str:
    """Return `2 minutes`, `3 days` or `31 years`."""
    units = (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60))
    name, length = next((unit for unit in units if seconds >= 2 * unit[1]), units[-1])
    number = round(seconds / length)
    return f"{number:,} {name}{'s' * (number != 1)}"


# ---------------------------------------------------------------- checkpoints
CHECKPOINT_START = b'{"format": "cardlang unfinished report 1"'
MAX_CHECKPOINT_BYTES = 1 << 28
"""Maximum size of a checkpoint in bytes."""
SAVE_INTERVAL = 5.0
"""Seconds between two saves."""


@define
class Checkpoint:
    """File with the results so far of a job, next to its output.

    `path` is None if nothing is saved. `digest` is a digest of everything that the results depend on.
    """

    path: Path | None
    digest: str
    last_saved: float = field(factory=monotonic)
    failed: bool = False

    @classmethod
    def create(cls, output: Path | None, digest: str) -> Checkpoint:
        """Return the checkpoint of an output file. A device has none."""
        if output is None or (output.exists() and not output.is_file()):
            return cls(None, digest)
        return cls(output.with_name(output.name + ".part"), digest)

    def load(self) -> object:
        """Return the saved results, or None if there are none.

        If they are of another job, return None and report that. Raise `ClickException` if the file is no checkpoint.
        """
        if self.path is None or not self.path.exists():
            return None
        with report_os_error(f"{self.path} cannot be read"):
            data = storage.read_file_start(self.path, MAX_CHECKPOINT_BYTES)
        if data and not data.startswith(CHECKPOINT_START):
            raise click.ClickException(f"{self.path} is not an unfinished report, so it is not changed.")
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            fields = json.loads(data)
            if fields["of"] == self.digest:
                results: object = fields["sums"]
                return results
        self.report_mismatch()
        return None

    def report_mismatch(self) -> None:
        reason = "is for other rules, bots, seeds or another version. Starting from the beginning."
        write_line(f"{self.path} {reason}", err=True)

    def save_periodically(self, build_results: Callable[[], object]) -> None:
        if monotonic() - self.last_saved > SAVE_INTERVAL:
            self.save(build_results())

    def save(self, results: object) -> bool:
        """Save the results and return whether that worked. The first failure is reported."""
        if self.path is None:
            return False
        data = CHECKPOINT_START + b", " + json.dumps({"of": self.digest, "sums": results}).encode()[1:]
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
