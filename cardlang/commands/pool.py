"""Work in pieces, done here or in processes of its own."""

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
"""So often processes that were ended from outside are replaced by others."""
Piece = TypeVar("Piece")
Done = TypeVar("Done")


def worked(work: Callable[[Piece], Done], pieces: Iterator[Piece], jobs: int) -> Iterator[Done]:
    """What comes of each piece, in their order; so many are done at once. With more than one job, the function, the
    pieces and what comes of them are sent between processes. Ctrl-C ends these too; where one is ended from outside,
    others do what is not done yet. Raises a ClickException if that happens again and again."""
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
    """The same by processes that end together. `waiting`: pieces that are to be done first; what is left in it was not
    done. Raises BrokenProcessPool."""
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
            child.terminate()  # what they are at is not wanted any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)
