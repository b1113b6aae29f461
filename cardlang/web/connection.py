"""One connection to a page: who is behind it, and what is on its way there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import define, field
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardlang.web.limits import SLOW, Bucket

if TYPE_CHECKING:
    from cardlang.web.sitting import Sitting

CLOSED = (WebSocketDisconnect, RuntimeError, OSError, asyncio.TimeoutError)
"""What comes of writing to somebody who is gone."""

MOST_ANSWERS = 100
"""So many answers wait for a page that does not take them; older ones are left out."""


@define(eq=False)
class Connection:
    """`sitting`, `seat`, `host`: where its `secret` leads; without a table it is that of the house. `sent`: the newest
    of each sort of message that was sent, which is not sent twice; `waiting`: those that are still to be sent. Of a
    table only the newest matters, so a slow page skips some and holds up nobody. `ended`: nothing is heard of it."""

    socket: WebSocket
    address: str
    sitting: Sitting | None = None
    seat: int | None = None
    host: bool = False
    secret: str = ""
    chosen: tuple[str, ...] = ()
    bucket: Bucket = field(factory=Bucket)
    sent: dict[str, str] = field(factory=dict)
    waiting: dict[str, str] = field(factory=dict)
    answers: list[str] = field(factory=list)
    woken: asyncio.Event = field(factory=asyncio.Event)
    ended: bool = False

    @property
    def name(self) -> str | None:
        """The player whose seat it is; None: looks on."""
        if self.sitting is None or self.seat is None:
            return None
        return self.sitting.seats[self.seat].name

    def put(self, sort: str, text: str) -> None:
        """What is true now; sent if it is not what was sent last."""
        if self.sent.get(sort) != text:
            self.sent[sort] = text
            self.waiting[sort] = text
            self.woken.set()

    def put_again(self, sort: str, data: Mapping[str, object]) -> None:
        """Sends what was asked for, in place of what waits of the same sort: it may be long."""
        self.waiting[sort] = json.dumps(data, ensure_ascii=False)
        self.woken.set()

    def answer(self, data: Mapping[str, object]) -> None:
        """What is sent once, in order."""
        self.answers.append(json.dumps(data, ensure_ascii=False))
        del self.answers[:-MOST_ANSWERS]
        self.woken.set()

    def end(self, why: str) -> None:
        """Lets it go: after this is sent nothing is heard of it any more."""
        self.ended = True
        self.answer({"is": "lost", "why": why})

    async def write(self) -> None:
        """Sends what waits, until the connection ends."""
        try:
            while True:
                await self.woken.wait()
                self.woken.clear()
                texts = [*self.waiting.values(), *self.answers]
                self.waiting.clear()
                self.answers.clear()
                for text in texts:
                    await asyncio.wait_for(self.socket.send_text(text), SLOW)
                if self.ended:
                    await self.socket.close(4404)
                    return
        except CLOSED:
            with suppress(*CLOSED):  # they take nothing any more: what reads from them ends, too
                await asyncio.wait_for(self.socket.close(1013), SLOW)
