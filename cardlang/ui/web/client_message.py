"""Validation and rate limits of client messages."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

from attrs import Factory, define, field, frozen

from cardlang.english.control_characters import INVISIBLE_PATTERN, remove_invisible_characters
from interpreter.runtime.errors import RecordingError

MAX_REFS = 200
"""Maximum number of refs in a message."""
MAX_REF_LENGTH = 300
"""Maximum length of the ref of a card, pile or player, in characters."""


class RequestRefused(Exception):
    """Error for a rejected request, with the reason for the sender."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotSavedError(RequestRefused):
    """Error for an action that was cancelled because it could not be saved, for example on a full disk."""

    def __init__(self, error: RecordingError, subject: str = "This") -> None:
        super().__init__(f"{subject} could not be saved and has no effect: {error.reason}.")


@frozen
class ClientMessage:
    """Message as a JSON object with validated accessors. Each method raises `RequestRefused` for an invalid value."""

    data: Mapping[str, object]

    @staticmethod
    def parse(text: str | bytes) -> ClientMessage:
        try:
            data = json.loads(text)
            json.dumps(data, ensure_ascii=False).encode()  # reject lone surrogates: they can't be encoded in a reply
        except (ValueError, RecursionError):
            raise RequestRefused("This is not a valid message.") from None
        if not isinstance(data, dict):
            raise RequestRefused("This is not a valid message.")
        return ClientMessage(data)

    def get_text(self, key: str, max_length: int = 100) -> str:
        """Return a one-line string without invisible characters, or an empty string if it is missing."""
        value = self.data.get(key, "")
        if not isinstance(value, str) or len(value) > max_length:
            raise RequestRefused(f"{key} must be text of at most {max_length} characters.")
        return remove_invisible_characters(value)

    def get_exact_text(self, key: str, max_length: int = 100) -> str:
        """Return a string unchanged. Use it for identifiers issued by the server."""
        value = self.data.get(key, "")
        if not isinstance(value, str) or len(value) > max_length:
            raise RequestRefused(f"{key} must be text of at most {max_length} characters.")
        return value

    def get_number(self, key: str, low: int = 0, high: int = 1_000_000) -> int:
        value = self.data.get(key)
        if type(value) is not int or not low <= value <= high:
            raise RequestRefused(f"{key} must be a number from {low} to {high}.")
        return value

    def get_flag(self, key: str) -> bool:
        return self.data.get(key) is True

    def get_refs(self, key: str) -> tuple[str, ...]:
        """Return refs of cards and the like, without duplicates."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or len(value) > MAX_REFS:
            raise RequestRefused(f"{key} must be a list of at most {MAX_REFS} names.")
        if not all(isinstance(ref, str) and len(ref) <= MAX_REF_LENGTH for ref in value):
            raise RequestRefused(f"{key} must be a list of names.")
        return tuple(dict.fromkeys(value))

    def get_objects(self, key: str, max_count: int) -> list[ClientMessage]:
        value = self.data.get(key, [])
        if not isinstance(value, list) or len(value) > max_count or not all(isinstance(item, dict) for item in value):
            raise RequestRefused(f"{key} must be a list of at most {max_count} objects.")
        return [ClientMessage(item) for item in value]


def parse_player_name(text: str) -> str:
    """Return a valid player name. Raise `RequestRefused` for any other string."""
    name = " ".join(text.split())
    if not name or len(name) > 24 or set(name) & set("[](),:#") or INVISIBLE_PATTERN.search(name):
        raise RequestRefused("A name has 1 to 24 characters, without brackets, commas, colons or #.")
    return name


# ---------------------------------------------------------------- rate limit
MAX_TABLES = 1000
"""Maximum number of open tables. The person who started the server closes finished ones."""
MAX_TABLES_IN_MEMORY = 400
"""Maximum number of tables in memory. Beyond it, tables without connections are evicted and restored on demand."""
MAX_CONNECTIONS = 2000
MAX_CONNECTIONS_PER_LINK = 40
"""Maximum number of connections to a table by one link, so that one link can't lock out others."""
MAX_CONNECTIONS_PER_ADDRESS = 1200
"""Maximum number of connections from one address. Behind a proxy, all share the proxy's address."""
MAX_MESSAGE_BYTES = 16 * 1024
"""Maximum size of a message, in bytes."""
BURST_MESSAGES, MESSAGES_PER_SECOND = 60.0, 10.0
"""Token bucket of one connection: burst size in messages, and refill rate per second."""
HELLO_TIMEOUT = 10.0
"""Seconds within which a new connection must identify itself."""
WRONG_SECRET_DELAY = 1.0
"""Delay in seconds before an unknown secret is rejected."""
SEND_TIMEOUT = 20.0
"""Timeout in seconds for sending a message."""
MAX_QUEUED_HINTS = 30
"""Maximum number of queued hint requests."""
MAX_REPORTS, MAX_REPORT_LENGTH = 50, 300
"""Maximum number of problem reports of a player, or of all spectators, and maximum length of each in characters."""


@define
class TokenBucket:
    """Token bucket that limits messages. `burst`: its size in messages. `per_second`: its refill rate."""

    burst: float = BURST_MESSAGES
    per_second: float = field(factory=lambda: MESSAGES_PER_SECOND)
    tokens: float = field(default=Factory(lambda bucket: bucket.burst, takes_self=True))
    updated_at: float = field(factory=time.monotonic)

    def take_token(self) -> bool:
        """Take a token. Return False if the rate is exceeded."""
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.updated_at) * self.per_second)
        self.updated_at = now
        self.tokens -= 1
        return self.tokens >= 0
