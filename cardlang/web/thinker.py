"""Computation of hints in a separate process, so that it doesn't slow down matches."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

from attrs import define, field

from cardlang.web.shelf import known_text
from interpreter.matches.allowing import Deed
from interpreter.matches.match import Match
from interpreter.matches.record import Entry, header, match_of
from interpreter.players.hints import Hint, hint
from interpreter.state import State

PATIENCE = 5
"""Niceness of the process, which matters if processors are scarce."""


@define(eq=False)
class Thinker:
    """Owner of the executor for hints.

    `begin` creates the executor on first use, and again if its process was killed."""

    begin: Callable[[], Executor]
    executor: Executor | None = field(default=None)

    async def hint(self, match: Match, name: str, seconds: float) -> Hint:
        """Return a hint for a player in the current position, unaffected by later moves."""
        stands = match.program.clone(match.state), list(match.choices), match.limit
        try:
            return await self.run(hint_for, header(match), stands, name, seconds)
        except BrokenProcessPool:
            self.executor = None
            return await self.run(hint_for, header(match), stands, name, seconds)

    async def run(self, function: Callable[..., Hint], *given: Any) -> Hint:
        if self.executor is None:
            self.executor = self.begin()
        return await asyncio.get_running_loop().run_in_executor(self.executor, function, *given)

    def close(self) -> None:
        if self.executor is not None:
            self.executor.shutdown(wait=False, cancel_futures=True)


def in_thread() -> Executor:
    return ThreadPoolExecutor(1)


def in_process() -> Executor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=stand_back)


def stand_back() -> None:
    """Initialize the worker process: lower its priority, ignore Ctrl-C, and exit with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(PATIENCE)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def hint_for(entry: Entry, stands: tuple[State, list[Deed], int], name: str, seconds: float) -> Hint:
    """Return the hint for a match given by header, state, choices and step limit."""
    match = match_of(entry, Path("match"), again)
    match.state, match.choices, match.limit = stands
    return hint(match, name, seconds)


def again(text: str, name: str, variant: str | None, libraries: Any) -> Any:
    return known_text(text, name, variant, tuple(sorted(libraries.items())))
