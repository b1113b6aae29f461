"""How much a server takes on, so that nobody can fill or stop it."""

from __future__ import annotations

import time

from attrs import define, field

TABLES = 1000
"""Tables that are open at a time; the host closes those that are done with."""
READY = 400
"""Of these so many are kept in memory while nobody is connected; the others are read again when somebody comes."""
CONNECTIONS = 2000
BY_A_LINK = 40
"""Connections to one table by one of its links: whoever uses up those of a link locks out nobody else."""
FROM_ONE = 1200
"""Connections from one address; behind a proxy all come from its own."""
BYTES = 16 * 1024
"""A message has no more."""
BURST, A_SECOND = 60.0, 10.0
"""So many messages of one connection are taken at once, and every second after that."""
HELLO = 10.0
"""Seconds until a connection must have said who it is."""
WRONG = 1.0
"""Seconds after which a secret that opens nothing is answered."""
SLOW = 20.0
"""Seconds in which a message must be taken by whom it is sent to."""
THOUGHTS = 30
"""So many hints wait to be thought about."""
ODD, WORD = 200, 300
"""So many odd moments of a match are kept, with so many characters."""


@define
class Bucket:
    """Counts what one connection sends."""

    left: float = BURST
    at: float = field(factory=time.monotonic)

    def takes(self) -> bool:
        """Whether one more is not too many."""
        now = time.monotonic()
        self.left = min(BURST, self.left + (now - self.at) * A_SECOND)
        self.at = now
        self.left -= 1
        return self.left >= 0
