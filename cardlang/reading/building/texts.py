"""Values within a text, in braces: `"A bet may add up to {largest-bet}."`"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from cardlang.source import Diagnostic, Span

PIECE = re.compile(r"\\(?P<escaped>.)|\{(?P<value>[^{}]*)\}|(?P<open>\{)|(?P<plain>[^\\{]+)")


@frozen
class Value:
    """A value in a text: where it stands in it, without its braces."""

    start: int
    end: int


@frozen
class Open:
    """A brace that is never closed."""

    start: int


def pieces(text: str) -> Iterator[str | Value | Open]:
    """The pieces of a text as it is written, without its quotes: words without their escapes, and values."""
    said = ""
    for match in PIECE.finditer(text):
        if match["plain"] is not None or match["escaped"] is not None:
            said += match["plain"] or match["escaped"]
            continue
        yield said
        said = ""
        yield Open(match.start()) if match["open"] else Value(*match.span("value"))
    yield said


def never_closed(span: Span) -> Diagnostic:
    hint = "close it with `}`, or write `\\{` for the sign itself"
    return Diagnostic("E117", "a value begins here with `{` and does not end", span, hint)


def unreadable(span: Span) -> Diagnostic:
    hint = "write one value, as in `{pot}` or `{count of your hand}`, or `\\{` for the sign itself"
    message = "in braces stands a value, and this is none" if span.text.strip() else "in braces stands a value"
    return Diagnostic("E117", message, span, hint)
