"""Timing of bot moves on a screen."""

from __future__ import annotations

from typing import Protocol

from interpreter.match.match import Match


class BotPace(Protocol):
    """Clock with the time that a decision takes. See `interpreter.bots.equal_response_time.EqualResponseTime`."""

    def clock(self) -> float: ...

    def get_remaining_seconds(self, started_at: float) -> float: ...


class TimedSession(Protocol):
    """Session, as the timer sees it. See `cardlang.ui.terminal.session_state.Session`."""

    @property
    def match(self) -> Match: ...
    @property
    def pace(self) -> BotPace | None: ...
    @property
    def current_person(self) -> str | None: ...


class MoveTimer:
    """Timer for consecutive decisions of the bots on one screen."""

    def __init__(self, session: TimedSession) -> None:
        self.session = session
        self.started_at = 0.0
        self.is_bot = False

    def start_move(self) -> None:
        """Start timing a move. A choice of several cards is timed from its first pick."""
        session = self.session
        self.is_bot = session.current_person is None
        if session.pace is not None and not session.match.state.picks:
            self.started_at = session.pace.clock()

    @property
    def is_bot_mid_choice(self) -> bool:
        """Return whether a bot is in the middle of a choice of several cards. Its partial picks are not shown."""
        return self.is_bot and bool(self.session.match.state.picks)

    def count_seconds_left(self) -> float:
        """Return the seconds to wait before the result of the move is shown."""
        pace = self.session.pace
        return (
            0.0
            if pace is None or not self.is_bot or self.is_bot_mid_choice
            else pace.get_remaining_seconds(self.started_at)
        )
