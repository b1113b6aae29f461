"""Where text comes from, and how findings about it are shown: one error class for all stages."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from attrs import field, frozen


@frozen(slots=False, eq=False)
class Source:
    """A text with a name to show: a path as the user wrote it, or `<text>`. `written`: the text as it is in the file,
    if other signs are read in place of some; both have the same length."""

    name: str
    text: str = field(repr=False)
    written: str = field(default="", repr=False)

    @property
    def whole(self) -> Span:
        """All of it."""
        return Span(self, 0, len(self.text))

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(index + 1 for index, char in enumerate(self.text) if char == "\n")
        return starts

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        start = self.line_starts[number - 1]
        text = self.written or self.text
        end = text.find("\n", start)
        return text[start:].rstrip("\r") if end < 0 else text[start:end].rstrip("\r")


@frozen
class Span:
    """A piece of a source: offsets `start` to `end`, the end not included."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.place(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.place(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of the other."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


@frozen
class Diagnostic:
    """One finding: a stable code, what is wrong, where, what else is involved, what to write instead. `more`: so many
    others like it are not listed."""

    code: str
    message: str
    span: Span
    hint: str = ""
    related: tuple[tuple[Span, str], ...] = ()
    warning: bool = False
    more: int = field(default=0, eq=False)


class GameError(Exception):
    """A game file is at fault; `diagnostics` says how, errors and warnings in the order of the text."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0]
        super().__init__(f"{first.span}: {first.message}")
