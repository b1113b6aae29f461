"""Separate process that computes hints."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

from attrs import define, field

from cardlang.ui.web.game_catalog import load_game_text
from interpreter.bots.hints import Hint, find_hint
from interpreter.match.match import Match
from interpreter.match.match_record import RecordEntry, build_header
from interpreter.match.record_resume import start_recorded_match
from interpreter.match.state_edits import ChoiceOrEdit
from interpreter.native.background_engine_builds import wait_for_engine
from interpreter.runtime.state import State

WORKER_NICENESS = 5
"""Niceness of the process, which matters if processors are scarce."""


@define(eq=False)
class HintWorker:
    """Owner of the executor for hints.

    `create_executor` creates the executor on first use, and again if its process was killed."""

    create_executor: Callable[[], Executor]
    executor: Executor | None = field(default=None)

    async def compute_hint(self, match: Match, name: str, seconds: float) -> Hint:
        """Return a hint for a player in the current position, unaffected by later moves."""
        stands = match.program.clone(match.state), list(match.choices), match.decision_limit
        table = None if match.game.translation is None else match.game.translation.table
        given = build_header(match), table, stands, name, seconds
        try:
            return await self.run_in_executor(compute_hint_for_state, *given)
        except BrokenProcessPool:
            self.executor = None
            return await self.run_in_executor(compute_hint_for_state, *given)

    async def run_in_executor(self, function: Callable[..., Hint], *given: Any) -> Hint:
        if self.executor is None:
            self.executor = self.create_executor()
        return await asyncio.get_running_loop().run_in_executor(self.executor, function, *given)

    def close(self) -> None:
        if self.executor is not None:
            self.executor.shutdown(wait=False, cancel_futures=True)


def create_thread_executor() -> Executor:
    return ThreadPoolExecutor(1)


def create_process_executor() -> Executor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=init_worker_process)


def init_worker_process() -> None:
    """Initialize the worker process: lower its priority, ignore Ctrl-C, and exit with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(WORKER_NICENESS)
    threading.Thread(target=exit_with_parent, daemon=True).start()


def exit_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def compute_hint_for_state(
    entry: RecordEntry, table: str | None, position: tuple[State, list[ChoiceOrEdit], int], name: str, seconds: float
) -> Hint:
    """Return the hint for a match given by header, translation, state, choices and step limit.

    The first hint waits up to `seconds` for the engine, which loads quickly if bots of the game have built it.
    """
    match = start_recorded_match(entry, Path("match"), partial(load_game_text, translation=table))
    match.state, match.choices, match.decision_limit = position
    return find_hint(match, name, seconds, engines=partial(wait_for_engine, seconds=seconds))
