"""WebSocket connection to one client: its identity and its queue of outgoing messages."""

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
"""Exceptions raised by writing to a closed connection."""

MOST_ANSWERS = 100
"""Maximum number of queued responses. If a client is too slow, the oldest are dropped."""


@define(eq=False)
class Connection:
    """State of one connection.

    `secret`: the link's secret. It determines `sitting`, `seat` and `host`; without a table, the connection belongs to
    the lobby. `sent`: last message of each kind, to avoid duplicates. `waiting`: next message of each kind. Only the
    newest state counts, so a slow client skips some and delays no other. `ended`: ignore further input."""

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
        """Return the player of this seat, or None for a spectator or the lobby."""
        if self.sitting is None or self.seat is None:
            return None
        return self.sitting.seats[self.seat].name

    def put(self, sort: str, text: str) -> None:
        """Queue a state message unless the last one was identical."""
        if self.sent.get(sort) != text:
            self.sent[sort] = text
            self.waiting[sort] = text
            self.woken.set()

    def put_again(self, sort: str, data: Mapping[str, object]) -> None:
        """Queue a requested message, replacing a queued one of its kind, because it may be long."""
        self.waiting[sort] = json.dumps(data, ensure_ascii=False)
        self.woken.set()

    def answer(self, data: Mapping[str, object]) -> None:
        """Queue a response. Responses are sent once and in order."""
        self.answers.append(json.dumps(data, ensure_ascii=False))
        del self.answers[:-MOST_ANSWERS]
        self.woken.set()

    def end(self, why: str) -> None:
        """End the connection after a final message."""
        self.ended = True
        self.answer({"is": "lost", "why": why})

    async def write(self) -> None:
        """Send queued messages until the connection ends."""
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
            with suppress(*CLOSED):  # the client no longer reads: close, so that the reader ends as well
                await asyncio.wait_for(self.socket.close(1013), SLOW)
