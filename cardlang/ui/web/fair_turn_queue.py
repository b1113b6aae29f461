"""Fair queue of turns between tables (start-time fair queueing).

A table that floods the server waits for all others and gets only the time they leave.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Hashable
from contextlib import asynccontextmanager
from typing import TypeVar

from attrs import define, field

Result = TypeVar("Result")
YIELD_ITERATIONS = 4
"""Event loop iterations between two turns. New messages are read meanwhile and can be next."""


class QueueFull(Exception):
    """Error for a queue at its limit."""


@define(eq=False)
class FairQueue:
    """Queue with one turn at a time, fair between keys.

    `max_waiting`: maximum number of waiting turns. `finish_times`: virtual finish time of each key. `virtual_time`:
    virtual start time of the current turn."""

    max_waiting: int
    waiting: dict[Hashable, deque[asyncio.Future[None]]] = field(factory=dict)
    finish_times: dict[Hashable, float] = field(factory=dict)
    virtual_time: float = 0.0
    busy: bool = False
    waiting_count: int = 0
    turn_started: float = 0.0

    @asynccontextmanager
    async def take_turn(self, key: Hashable) -> AsyncIterator[None]:
        """Wait for a turn and charge its time to the key. Raise `QueueFull` if too many wait."""
        await self.acquire_turn(key)
        try:
            yield
        finally:
            self.release_turn(key)

    async def await_outside_turn(self, key: Hashable, work: Awaitable[Result]) -> Result:
        """Release the turn while awaiting work elsewhere, then wait for a new turn. Return the result."""
        self.release_turn(key)
        try:
            return await work
        finally:
            await self.acquire_turn(key, ignores_limit=True)

    async def acquire_turn(self, key: Hashable, ignores_limit: bool = False) -> None:
        if self.busy:
            if self.waiting_count >= self.max_waiting and not ignores_limit:
                raise QueueFull
            await self.wait_for_turn(key)
        self.busy = True
        self.virtual_time = self.compute_start_time(key)
        self.turn_started = time.perf_counter()

    async def wait_for_turn(self, key: Hashable) -> None:
        turn = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(key, deque()).append(turn)
        self.waiting_count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.grant_next_turn(0)  # this turn was already granted: pass it on
            raise
        finally:
            self.waiting_count -= 1

    def compute_start_time(self, key: Hashable) -> float:
        """Return the virtual start time of the key's next turn."""
        return max(self.virtual_time, self.finish_times.get(key, 0.0))

    def release_turn(self, key: Hashable) -> None:
        self.finish_times[key] = self.compute_start_time(key) + time.perf_counter() - self.turn_started
        if len(self.finish_times) > self.max_waiting:
            self.finish_times = {
                waiting_key: until for waiting_key, until in self.finish_times.items() if until > self.virtual_time
            }
        self.grant_next_turn(YIELD_ITERATIONS)

    def grant_next_turn(self, passes: int) -> None:
        """Grant the next turn, after some iterations of the event loop."""
        if passes:
            asyncio.get_running_loop().call_soon(self.grant_next_turn, passes - 1)
            return
        while self.waiting:
            key = min(
                self.waiting,
                key=lambda waiting_key: (self.compute_start_time(waiting_key), self.finish_times.get(waiting_key, 0.0)),
            )
            turns = self.waiting[key]
            turn = turns.popleft()
            if not turns:
                del self.waiting[key]
            if not turn.done():
                turn.set_result(None)
                return
        self.busy = False
