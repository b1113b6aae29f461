"""Chat of one table: messages of its players, and who may write.

Messages are stored with the table, apart from matches and their records.
"""

from __future__ import annotations

from attrs import define, field, frozen

from cardlang.ui.web.client_message import RequestRefused, TokenBucket
from cardlang.ui.web.database import Store

MAX_CHAT_LENGTH = 200
"""Maximum length of a chat message, in characters."""
CHAT_BURST, CHAT_MESSAGES_PER_SECOND = 5.0, 0.5
"""Token bucket of one seat's chat: burst size in messages, and refill rate per second."""


@frozen
class ChatLine:
    """Chat message. `number`: its position among all messages of the server."""

    number: int
    who: str
    text: str


@define
class Chat:
    """Chat of a table. `muted`: seats that can't write."""

    store: Store
    room_number: int
    muted: set[int] = field(factory=set)
    buckets: dict[int, TokenBucket] = field(factory=dict)

    @staticmethod
    def restore(store: Store, room_number: int) -> Chat:
        return Chat(store, room_number, store.read_muted_seats(room_number))

    def read_lines(self) -> list[ChatLine]:
        """Return the latest messages, oldest first."""
        return [ChatLine(*row) for row in self.store.read_chat(self.room_number)]

    def add_line(self, seat: int, author: str, text: str, repeated: bool) -> ChatLine | None:
        """Store a message of a seat. Raise `RequestRefused` if the seat can't write now.

        Return None for a message that was `repeated` after a lost connection and is stored already."""
        if seat in self.muted:
            raise RequestRefused("The host has switched off your chat.")
        if not text:
            raise RequestRefused("Write a message first.")
        if repeated and any((line.who, line.text) == (author, text) for line in self.read_lines()):
            return None
        bucket = self.buckets.setdefault(seat, TokenBucket(CHAT_BURST, CHAT_MESSAGES_PER_SECOND))
        if not bucket.take_token():
            bucket.tokens += 1  # only messages that are sent count, so that the wait stays short
            raise RequestRefused("Too many messages. Wait a moment.")
        return ChatLine(self.store.add_chat_line(self.room_number, author, text), author, text)

    def mute(self, seats: set[int], is_muted: bool) -> None:
        """Stop seats from writing, or let them write again."""
        muted = self.muted | seats if is_muted else self.muted - seats
        self.store.save_muted_seats(self.room_number, muted)
        self.muted = muted
