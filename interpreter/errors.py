"""What can go wrong while a match is played: a rule at fault, a move that is not open, a record that was
altered."""

from __future__ import annotations

from pathlib import Path

from cardlang.plain_text import visible
from cardlang.source import Span

LONGEST = 300
"""So many characters of what a record tells stand in a message about it."""


class RuleError(Exception):
    """A rule of the game cannot be carried out: a number out of bounds, a loop without end. `span` is its
    place."""

    def __init__(self, span: Span, message: str) -> None:
        self.span = span
        self.message = message
        super().__init__(f"{span}: {message}")


class MoveError(ValueError):
    """A move that is not open: `message` says why in words, `span` is the rule that forbids it, if there is
    one."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.message = message
        self.span = span
        super().__init__(message)


class RecordError(ValueError):
    """A record that does not hold together: `line` (from 1) is the first at fault; all before it can be
    resumed."""

    def __init__(self, path: str, line: int, message: str) -> None:
        self.path = path
        self.line = line
        told = visible(message)
        self.message = told if len(told) <= LONGEST else f"{told[:LONGEST]}…"
        super().__init__(f"{path}:{line}: {self.message}")


class RecordingError(OSError):
    """A record that cannot be written: its `path`, and the `reason` in words. What stood there before stays."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(*error.args)
        self.path = path
        self.reason = (
            "another process is playing this match"
            if isinstance(error, BlockingIOError)
            else (error.strerror or str(error)).lower()
        )

    def __str__(self) -> str:
        return f"{self.path} cannot be written: {self.reason}."
