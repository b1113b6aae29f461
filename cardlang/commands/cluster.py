"""Distribution of matches over a Dask cluster (`--cluster ADDRESS`). Only this module imports Dask.

Each piece of work includes the checked games as JSON. A worker reads them, and compiles each program, once. A few
pieces are submitted at a time, and their results are taken once, in order. If a worker disappears, another worker plays
its piece.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from itertools import islice
from threading import Lock
from typing import Any

import click
from attrs import astuple, frozen

from cardlang.commands.lab import Run, Work, watch_part
from cardlang.commands.rules import Rules, keep_games
from cardlang.extras import install_command
from cardlang.game import Game
from cardlang.game.game_json import from_json
from cardlang.lab.summing import Sums
from cardlang.terminal.telling import tell

WAIT = 20
"""Seconds to wait for the scheduler and for its first worker."""
PAUSE = 10
"""Seconds without a result before checking that the cluster has workers."""
AHEAD = 3
"""Pieces submitted in advance for each worker thread."""
DEATHS = 20
"""Number of times the scheduler may report that a piece killed its workers, before cardlang gives up."""

Games = tuple[tuple[Rules, Game], ...]
"""Rules with their checked games, so that workers don't need the files."""

_playing = Lock()
"""Lock that makes the threads of a worker take turns, because an instrumented program records one match at a time."""
_known: set[str] = set()


@frozen
class Packed:
    """Games serialized for workers.

    `digest` identifies the data. `version` is the cardlang version that workers need.
    """

    data: bytes
    digest: str
    version: str

    @classmethod
    def of(cls, games: Games) -> Packed:
        data = json.dumps([(astuple(rules), game.json().decode()) for rules, game in games]).encode()
        return cls(data, hashlib.sha256(data).hexdigest(), version("cardlang"))

    def unpack(self) -> None:
        """Load the games, once in each worker. Raise `RuntimeError` if another version of cardlang is installed."""
        here = version("cardlang")
        if here != self.version:
            raise RuntimeError(f"a worker has cardlang {here}, and this machine {self.version}")
        if self.digest not in _known:
            games = json.loads(self.data)
            keep_games((Rules(*told), from_json(text)) for told, text in games)
            _known.add(self.digest)


def play(packed: Packed, run: Run) -> Sums:
    """Play a piece on a worker. Raise `RuleError`, or `RuntimeError` like `Packed.unpack`."""
    with _playing:
        packed.unpack()
        return watch_part(run)


def on_cluster(address: str, games: Games) -> Work:
    """Return a function that plays pieces on the workers of a scheduler.

    Raise a usage error if Dask is not installed. The function raises `ClickException` if the scheduler doesn't answer
    or stops.
    """
    try:
        import distributed
    except ImportError:
        raise click.UsageError(f"--cluster needs Dask. Install it: {install_command('cluster')}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # cardlang reports the errors that matter
    packed = Packed.of(games)

    def work(pieces: Iterator[Run]) -> Iterator[Sums]:
        client = connected(distributed, address)
        try:
            yield from in_order(distributed, client, packed, pieces)
        except (OSError, RuntimeError, distributed.CancelledError, distributed.KilledWorker) as error:
            raise click.ClickException(f"The cluster at {address} stopped: {told(error)}") from error
        finally:
            with suppress(OSError, TimeoutError, RuntimeError):
                client.close(timeout=5)

    return work


def told(error: BaseException) -> str:
    """Return the first line of an error message, or the name of the error's class if it has none."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def connected(distributed: Any, address: str) -> Any:
    """Connect to the scheduler. Raise `ClickException` if there is none, or if it has no workers."""
    try:
        client = distributed.Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise click.ClickException(f"There is no Dask scheduler at {address}: {error}") from error
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except (OSError, TimeoutError) as error:
        client.close()
        raise click.ClickException(f"The scheduler at {address} has no workers.") from error
    return client


def in_order(distributed: Any, client: Any, packed: Packed, pieces: Iterator[Run]) -> Iterator[Sums]:
    """Yield the result of each piece in order, with a few pieces submitted at any time."""
    waiting: deque[tuple[Run, Any]] = deque()
    while True:
        for piece in islice(pieces, max(0, AHEAD * threads(client) - len(waiting))):
            waiting.append((piece, client.submit(play, packed, piece, pure=False)))
        if not waiting:
            return
        yield result(distributed, client, packed, *waiting.popleft())


def result(distributed: Any, client: Any, packed: Packed, piece: Run, future: Any) -> Sums:
    """Wait for the result of a piece.

    Resubmit it if its worker is killed, and say once if the cluster has no workers.
    """
    deaths, lonely = 0, False
    while True:
        try:
            found: Sums = future.result(timeout=PAUSE)
            return found
        except distributed.KilledWorker:
            deaths += 1
            if deaths > DEATHS:
                raise
            future = client.submit(play, packed, piece, pure=False)
        except TimeoutError:
            if not lonely and not client.nthreads():
                lonely = True
                tell("The cluster has no workers; waiting for one. Press Ctrl-C to stop.", err=True)


def threads(client: Any) -> int:
    found: dict[str, int] = client.nthreads()
    return max(1, sum(found.values()))
