"""Errors of rules, moves and records."""

from __future__ import annotations

from pathlib import Path

from cardlang.diagnostics import Span
from cardlang.english.control_characters import escape_invisible_characters

MAX_QUOTE_LENGTH = 300
"""Maximum length of quotes from a record in a message, in characters."""


class RuleError(Exception):
    """Rule that fails in play, such as a number out of bounds or a loop without an end.

    Attributes:
        span: Place of the rule.
        message: The reason, in a sentence."""

    def __init__(self, span: Span, message: str) -> None:
        self.span = span
        self.message = message
        super().__init__(f"{span}: {message}")


class MoveError(ValueError):
    """Illegal move.

    Attributes:
        message: The reason, in a sentence.
        span: Place of the rule that forbids the move, or None.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.message = message
        self.span = span
        super().__init__(message)


class RecordError(ValueError):
    """Invalid record.

    Attributes:
        path: The record.
        line: First invalid line, from 1. The lines before it can be resumed.
        message: The reason, in a sentence.
    """

    def __init__(self, path: str, line: int, message: str) -> None:
        self.path = path
        self.line = line
        escaped = escape_invisible_characters(message)
        self.message = escaped if len(escaped) <= MAX_QUOTE_LENGTH else f"{escaped[:MAX_QUOTE_LENGTH]}…"
        super().__init__(f"{path}:{line}: {self.message}")


class RecordingError(OSError):
    """Record that cannot be written. An existing file stays as it was.

    Attributes:
        path: The record.
        reason: The reason, in words.
    """

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
