"""WebSocket connection of one browser, with its queue of messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress

from attrs import define, field
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardlang.ui.web.client_message import SEND_TIMEOUT, TokenBucket
from cardlang.ui.web.game_room import PERSON, GameRoom

CLOSED_ERRORS = (WebSocketDisconnect, RuntimeError, OSError, asyncio.TimeoutError)
"""Exceptions raised by writing to a closed connection."""
MAX_QUEUED_RESPONSES = 100
"""Maximum number of queued responses. If a client is too slow, the oldest are dropped."""


@define(eq=False)
class Connection:
    """State of one connection.

    `secret`: the link's secret. It determines `room`, `seat` and `is_host`; without a table, the connection belongs to
    the lobby. `last_sent`: last message of each kind, to avoid duplicates. `queued_states`: next message of each kind.
    Only the newest state counts, so a slow client skips some and delays no other. `ended`: ignore further input."""

    socket: WebSocket
    address: str
    room: GameRoom | None = None
    seat: int | None = None
    is_host: bool = False
    secret: str = ""
    selection: tuple[str, ...] = ()
    bucket: TokenBucket = field(factory=TokenBucket)
    last_sent: dict[str, str] = field(factory=dict)
    queued_states: dict[str, str] = field(factory=dict)
    queued_responses: list[str] = field(factory=list)
    wake_event: asyncio.Event = field(factory=asyncio.Event)
    ended: bool = False

    @property
    def player_name(self) -> str | None:
        """Return the player of this seat, or None for the lobby, a spectator or a person whom a bot replaces."""
        if self.room is None or self.seat is None:
            return None
        seat = self.room.seats[self.seat]
        return seat.name if seat.kind == PERSON else None

    def queue_state(self, kind: str, text: str) -> None:
        """Queue a state message unless the last one was identical."""
        if self.last_sent.get(kind) != text:
            self.last_sent[kind] = text
            self.queued_states[kind] = text
            self.wake_event.set()

    def queue_requested(self, kind: str, text: str) -> None:
        """Queue a requested message, replacing a queued one of its kind, because it may be long."""
        self.queued_states[kind] = text
        self.wake_event.set()

    def queue_response(self, data: Mapping[str, object]) -> None:
        """Queue a response. Responses are sent once and in order."""
        self.queued_responses.append(json.dumps(data, ensure_ascii=False))
        del self.queued_responses[:-MAX_QUEUED_RESPONSES]
        self.wake_event.set()

    def end_with_message(self, reason: str) -> None:
        """End the connection after a final message."""
        self.ended = True
        self.queue_response({"is": "lost", "why": reason})

    async def send_queued(self) -> None:
        """Send queued messages until the connection ends."""
        try:
            while True:
                await self.wake_event.wait()
                self.wake_event.clear()
                texts = [*self.queued_states.values(), *self.queued_responses]
                self.queued_states.clear()
                self.queued_responses.clear()
                for text in texts:
                    async with asyncio.timeout(SEND_TIMEOUT):
                        await self.socket.send_text(text)
                if self.ended:
                    await self.socket.close(4404)
                    return
        except CLOSED_ERRORS:
            with suppress(*CLOSED_ERRORS):  # the client no longer reads: close, so that the reader ends as well
                await asyncio.wait_for(self.socket.close(1013), SEND_TIMEOUT)
