"""Process pool: an ordered map over processes, and a cache of games in each process."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import click
from attrs import frozen

from cardlang import storage
from cardlang.cli.file_arguments import load_game, require_game_file
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.model import Game


MAX_RESTARTS = 20
"""Maximum number of times that killed worker processes are replaced."""
Piece = TypeVar("Piece")
Done = TypeVar("Done")


def map_in_order(work: Callable[[Piece], Done], pieces: Iterator[Piece], jobs: int) -> Iterator[Done]:
    """Yield the result of each piece in order, with `jobs` pieces at a time.

    With more than one job, the function, the pieces and the results must be picklable. Ctrl-C ends the processes. If a
    process is killed, a new pool does the remaining pieces. Raise `ClickException` if that happens too often.
    """
    if jobs == 1:
        yield from map(work, pieces)
        return
    waiting, restarts = deque(islice(pieces, 2 * jobs)), 0
    while waiting:
        try:
            yield from map_in_processes(work, waiting, pieces, jobs)
        except BrokenProcessPool:
            restarts += 1
            if restarts > MAX_RESTARTS:
                raise click.ClickException("Worker processes are killed again and again.") from None
            write_line("A worker process was killed; another one plays its matches.", err=True)


def map_in_processes(
    work: Callable[[Piece], Done], waiting: deque[Piece], pieces: Iterator[Piece], jobs: int
) -> Iterator[Done]:
    """Yield the results of one process pool.

    `waiting` has the pieces to do first. After an error it has all pieces without a result. Raise `BrokenProcessPool`.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        begun = deque(pool.submit(work, piece) for piece in waiting)
        while begun:
            done = begun.popleft().result()
            waiting.popleft()
            yield done
            for piece in islice(pieces, 1):
                waiting.append(piece)
                begun.append(pool.submit(work, piece))
    except KeyboardInterrupt:
        for child in active_children():
            child.terminate()  # their results are no longer needed
        raise
    finally:
        pool.shutdown(cancel_futures=True)


# ---------------------------------------------------------------- games in worker processes
@frozen
class GameKey:
    """Identifier of a game or variant, as plain values.

    `digest` covers the source files, so a changed file has a different identifier.
    """

    path: str
    variant: str | None
    digest: str


_games: dict[GameKey, Game] = {}


def register_game(game: Game, file: str) -> GameKey:
    """Return the identifier of a game loaded from `file`, and cache the game."""
    key = GameKey(str(require_game_file(file)), game.variant, digest_sources(game))
    cache_games([(key, game)])
    return key


def digest_sources(game: Game) -> str:
    return storage.compute_text_digest("".join(storage.compute_text_digest(source.text) for source in game.sources))


def load_cached_game(key: GameKey) -> Game:
    """Return the game, loaded once in each process. Raise `ClickException` if its file has changed."""
    if key not in _games:
        game = load_game(key.path, key.variant)
        if digest_sources(game) != key.digest:
            raise click.ClickException(f"{key.path} changed during the match. Start again.")
        cache_games([(key, game)])
    return _games[key]


def cache_games(games: Iterable[tuple[GameKey, Game]]) -> None:
    """Cache loaded games."""
    _games.update(games)
