"""Fair queueing (start-time): one turn at a time, and the next one for whoever has taken the least. What floods a table
waits behind all others, and takes no more than they leave."""

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
"""So many passes of the event loop are between two turns: what comes in meanwhile is read, and may be next."""


class QueueFull(Exception):
    """More wait than a queue takes."""


@define(eq=False)
class FairQueue:
    """`most`: so many wait at most. `used`: by key, the virtual time up to which its turns are paid for; `clock`: that
    of the turn that is taken now."""

    most: int
    waiting: dict[Hashable, deque[asyncio.Future[None]]] = field(factory=dict)
    used: dict[Hashable, float] = field(factory=dict)
    clock: float = 0.0
    busy: bool = False
    count: int = 0
    began: float = 0.0

    @asynccontextmanager
    async def turn(self, key: Hashable) -> AsyncIterator[None]:
        """Waits for a turn; what is done in it counts as the key's. Raises QueueFull."""
        await self.enter(key)
        try:
            yield
        finally:
            self.leave(key)

    async def aside(self, key: Hashable, work: Awaitable[Result]) -> Result:
        """Waits, within a turn, for something that is done elsewhere; others have their turns meanwhile."""
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
                self.next(0)  # it was this one's turn
            raise
        finally:
            self.count -= 1

    def start(self, key: Hashable) -> float:
        """The virtual time at which a turn of this key begins."""
        return max(self.clock, self.used.get(key, 0.0))

    def leave(self, key: Hashable) -> None:
        self.used[key] = self.start(key) + time.perf_counter() - self.began
        if len(self.used) > self.most:
            self.used = {each: until for each, until in self.used.items() if until > self.clock}
        self.next(PASSES)

    def next(self, passes: int) -> None:
        """Gives the next turn, after some passes of the event loop."""
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
