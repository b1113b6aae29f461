"""Limits of the server's load, as protection against overload and denial of service."""

from __future__ import annotations

import time

from attrs import define, field

TABLES = 1000
"""Maximum number of open tables. The person who started the server closes finished ones."""
READY = 400
"""Maximum number of tables in memory. Beyond it, tables without connections are evicted and restored on demand."""
CONNECTIONS = 2000
BY_A_LINK = 40
"""Maximum number of connections to a table by one link, so that one link can't lock out others."""
FROM_ONE = 1200
"""Maximum number of connections from one address. Behind a proxy, all share the proxy's address."""
BYTES = 16 * 1024
"""Maximum size of a message, in bytes."""
BURST, A_SECOND = 60.0, 10.0
"""Token bucket of one connection: burst size in messages, and refill rate per second."""
HELLO = 10.0
"""Seconds within which a new connection must identify itself."""
WRONG = 1.0
"""Delay in seconds before an unknown secret is rejected."""
SLOW = 20.0
"""Timeout in seconds for sending a message."""
THOUGHTS = 30
"""Maximum number of queued hint requests."""
ODD, WORD = 200, 300
"""Maximum number of problem reports for a match, and maximum length of each in characters."""


@define
class Bucket:
    """Token bucket that limits the messages of one connection."""

    left: float = BURST
    at: float = field(factory=time.monotonic)

    def takes(self) -> bool:
        """Take a token. Return False if the connection has exceeded its rate."""
        now = time.monotonic()
        self.left = min(BURST, self.left + (now - self.at) * A_SECOND)
        self.at = now
        self.left -= 1
        return self.left >= 0
