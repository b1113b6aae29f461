"""Timing of bots' moves on a screen: an even pace for all decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cardlang.terminal.session import Session


class Pace(Protocol):
    """Clock with the time that a decision takes. See `interpreter.players.pace.Pace`."""

    def clock(self) -> float: ...

    def left(self, begun: float) -> float: ...


class Timing:
    """Timer for consecutive decisions of the bots on one screen."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.begun = 0.0
        self.is_bot = False

    def begin(self) -> None:
        """Start timing a move. A choice of several cards is timed from its first pick."""
        session = self.session
        self.is_bot = session.person is None
        if session.pace is not None and not session.match.state.picks:
            self.begun = session.pace.clock()

    @property
    def goes_on(self) -> bool:
        """Return whether a bot is in the middle of a choice of several cards. Its partial picks are not shown."""
        return self.is_bot and bool(self.session.match.state.picks)

    def left(self) -> float:
        """Return the seconds to wait before the result of the move is shown."""
        pace = self.session.pace
        return 0.0 if pace is None or not self.is_bot or self.goes_on else pace.left(self.begun)
