"""The time that bots take at a screen: the same for every decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cardlang.terminal.session import Session


class Pace(Protocol):
    """How long each decision takes, see `interpreter.players.pace.Pace`."""

    def clock(self) -> float: ...

    def left(self, begun: float) -> float: ...


class Timing:
    """The time of one decision after another, of bots at one screen."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.begun = 0.0
        self.is_bot = False

    def begin(self) -> None:
        """A move is to be made. A choice of several begins with its first pick."""
        session = self.session
        self.is_bot = session.person is None
        if session.pace is not None and not session.match.state.picks:
            self.begun = session.pace.clock()

    @property
    def goes_on(self) -> bool:
        """Whether a bot is amid a choice of several, of which nobody sees how far it is."""
        return self.is_bot and bool(self.session.match.state.picks)

    def left(self) -> float:
        """Return the seconds to wait until anybody sees what was done."""
        pace = self.session.pace
        return 0.0 if pace is None or not self.is_bot or self.goes_on else pace.left(self.begun)
