"""Source texts, spans and diagnostics, and the error for a faulty game file."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from attrs import field, frozen


@frozen(slots=False, eq=False)
class Source:
    """Text of a game or library with its name.

    `original_text` is the text of the file if cardlang reads other characters in place of some. Both have the same
    length.
    """

    name: str
    text: str = field(repr=False)
    original_text: str = field(default="", repr=False)

    @property
    def full_span(self) -> Span:
        """Span of the whole text."""
        return Span(self, 0, len(self.text))

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(index + 1 for index, char in enumerate(self.text) if char == "\n")
        return starts

    def find_line_and_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def get_line(self, number: int) -> str:
        """Return the text of a line, from 1, without its line break."""
        start = self.line_starts[number - 1]
        text = self.original_text or self.text
        end = text.find("\n", start)
        return text[start:].rstrip("\r") if end < 0 else text[start:end].rstrip("\r")


@frozen
class Span:
    """Part of a source, from the offset `start` up to `end`."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the start, from 1."""
        return self.source.find_line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the start, from 1."""
        return self.source.find_line_and_column(self.start)[1]

    @property
    def text(self) -> str:
        """Text of this part."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


def punctuate_message(text: str) -> str:
    """Return a text with a capital first letter, and a full stop if it has no other end."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}" if text else ""


@frozen
class Diagnostic:
    """Error, warning or note about a game."""

    code: str
    """Stable code, such as `E201`."""
    message: str = field(converter=punctuate_message)
    """Description of the problem. It gets a capital letter and a full stop."""
    span: Span
    """Position of the problem."""
    hint: str = field(default="", converter=punctuate_message)
    """Cure for the problem in a sentence, or empty."""
    related: tuple[tuple[Span, str], ...] = ()
    """Related places with a note each."""
    warning: bool = False
    """Flag: the game can still be played. Notes count as warnings."""
    more: int = field(default=0, eq=False)
    """Number of similar diagnostics left out after this one."""


class GameError(Exception):
    """Error in a game file.

    Attributes:
        diagnostics: The errors and warnings, in the order of the text.
    """

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0]
        super().__init__(f"{first.span}: {first.message}")
