"""Ordered parallel map over a process pool."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

import click

from cardlang.terminal.telling import tell

RESTARTS = 20
"""Maximum number of times that killed worker processes are replaced."""
Piece = TypeVar("Piece")
Done = TypeVar("Done")


def worked(work: Callable[[Piece], Done], pieces: Iterator[Piece], jobs: int) -> Iterator[Done]:
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
            yield from in_processes(work, waiting, pieces, jobs)
        except BrokenProcessPool:
            restarts += 1
            if restarts > RESTARTS:
                raise click.ClickException("Worker processes are killed again and again.") from None
            tell("A worker process was killed; another one plays its matches.", err=True)


def in_processes(
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
