"""Work in pieces, done here or in processes of its own."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

Piece = TypeVar("Piece")
Done = TypeVar("Done")


def worked(work: Callable[[Piece], Done], pieces: Iterator[Piece], jobs: int) -> Iterator[Done]:
    """What comes of each piece, in their order; so many are done at once. With more than one job, the function, the
    pieces and what comes of them are sent between processes. Ctrl-C ends these too."""
    if jobs == 1:
        yield from map(work, pieces)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        waiting = deque(pool.submit(work, piece) for piece in islice(pieces, 2 * jobs))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, piece) for piece in islice(pieces, 1))
    except KeyboardInterrupt:
        for child in active_children():
            child.terminate()  # what they are at is not wanted any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)
