"""Start-time fair queueing: one turn at a time, next for the key with the least service so far.

A table that floods the server waits for all others and gets only the time they leave."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Hashable
from contextlib import asynccontextmanager
from typing import TypeVar

from attrs import define, field

Result = TypeVar("Result")
PASSES = 4
"""Event loop iterations between two turns. New messages are read meanwhile and can be next."""


class QueueFull(Exception):
    """Error for a queue at its limit."""


@define(eq=False)
class FairQueue:
    """Queue with one turn at a time, fair between keys.

    `most`: maximum number of waiting turns. `used`: virtual finish time of each key. `clock`: virtual start time of the
    current turn."""

    most: int
    waiting: dict[Hashable, deque[asyncio.Future[None]]] = field(factory=dict)
    used: dict[Hashable, float] = field(factory=dict)
    clock: float = 0.0
    busy: bool = False
    count: int = 0
    began: float = 0.0

    @asynccontextmanager
    async def turn(self, key: Hashable) -> AsyncIterator[None]:
        """Wait for a turn and charge its time to the key. Raise `QueueFull` if too many wait."""
        await self.enter(key)
        try:
            yield
        finally:
            self.leave(key)

    async def aside(self, key: Hashable, work: Awaitable[Result]) -> Result:
        """Release the turn while awaiting work elsewhere, then wait for a new turn. Return the result."""
        self.leave(key)
        try:
            return await work
        finally:
            await self.enter(key, always=True)

    async def enter(self, key: Hashable, always: bool = False) -> None:
        if self.busy:
            if self.count >= self.most and not always:
                raise QueueFull
            await self.wait(key)
        self.busy = True
        self.clock = self.start(key)
        self.began = time.perf_counter()

    async def wait(self, key: Hashable) -> None:
        turn = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(key, deque()).append(turn)
        self.count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.next(0)  # this turn was already granted: pass it on
            raise
        finally:
            self.count -= 1

    def start(self, key: Hashable) -> float:
        """Return the virtual start time of the key's next turn."""
        return max(self.clock, self.used.get(key, 0.0))

    def leave(self, key: Hashable) -> None:
        self.used[key] = self.start(key) + time.perf_counter() - self.began
        if len(self.used) > self.most:
            self.used = {each: until for each, until in self.used.items() if until > self.clock}
        self.next(PASSES)

    def next(self, passes: int) -> None:
        """Grant the next turn, after some iterations of the event loop."""
        if passes:
            asyncio.get_running_loop().call_soon(self.next, passes - 1)
            return
        while self.waiting:
            key = min(self.waiting, key=lambda each: (self.start(each), self.used.get(each, 0.0)))
            turns = self.waiting[key]
            turn = turns.popleft()
            if not turns:
                del self.waiting[key]
            if not turn.done():
                turn.set_result(None)
                return
        self.busy = False
