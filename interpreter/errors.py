"""What can go wrong while a match is played: a rule at fault, a move that is not open, a record that was
altered."""

from __future__ import annotations

from cardlang.source import Span


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
        self.message = message
        super().__init__(f"{path}:{line}: {message}")
