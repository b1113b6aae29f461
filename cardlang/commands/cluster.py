"""Matches played by the workers of a Dask cluster: `--cluster ADDRESS`. The only room that imports Dask.

Each piece of work comes with the checked games, packed; a worker reads them, and makes each program, once. A few pieces
are handed out at a time, and what comes of each is taken once, in their order: a piece whose worker is gone is played
again by another."""

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
"""So many seconds a scheduler, and its first worker, may take to answer."""
PAUSE = 10
"""After so many seconds without a result it is looked whether anybody works."""
AHEAD = 3
"""So many pieces for each thread of a worker are handed out at once."""
DEATHS = 20
"""A piece is given up when the scheduler has told so often that all who played it were gone."""

Games = tuple[tuple[Rules, Game], ...]
"""Workers need not have the files."""

_playing = Lock()
"""A program notes what one match comes to: threads of a worker take turns."""
_known: set[str] = set()


@frozen
class Packed:
    """Games for workers. `digest`: tells one packet from another; `version`: of the cardlang that is to play them."""

    data: bytes
    digest: str
    version: str

    @classmethod
    def of(cls, games: Games) -> Packed:
        data = json.dumps([(astuple(rules), game.json().decode()) for rules, game in games]).encode()
        return cls(data, hashlib.sha256(data).hexdigest(), version("cardlang"))

    def unpack(self) -> None:
        """Raises RuntimeError where another cardlang is installed."""
        here = version("cardlang")
        if here != self.version:
            raise RuntimeError(f"a worker has cardlang {here}, and this machine {self.version}")
        if self.digest not in _known:
            games = json.loads(self.data)
            keep_games((Rules(*told), from_json(text)) for told, text in games)
            _known.add(self.digest)


def play(packed: Packed, run: Run) -> Sums:
    """On a worker. Raises RuleError, and RuntimeError as `Packed.unpack` does."""
    with _playing:
        packed.unpack()
        return watch_part(run)


def on_cluster(address: str, games: Games) -> Work:
    """Plays pieces on the workers of the scheduler at an address. Raises a usage error if Dask is not installed; the
    work raises a ClickException if nobody answers there, or no more."""
    try:
        import distributed
    except ImportError:
        raise click.UsageError(f"--cluster needs Dask. Install it: {install_command('cluster')}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told here
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
    """The first line of what is said, or what kind of error it is."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def connected(distributed: Any, address: str) -> Any:
    """A client of the scheduler. Raises a ClickException if there is none, or nobody works for it."""
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
    """What comes of each piece; a few are with the workers at any time."""
    waiting: deque[tuple[Run, Any]] = deque()
    while True:
        for piece in islice(pieces, max(0, AHEAD * threads(client) - len(waiting))):
            waiting.append((piece, client.submit(play, packed, piece, pure=False)))
        if not waiting:
            return
        yield result(distributed, client, packed, *waiting.popleft())


def result(distributed: Any, client: Any, packed: Packed, piece: Run, future: Any) -> Sums:
    """What comes of a piece. Who waits for nobody is told so."""
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
