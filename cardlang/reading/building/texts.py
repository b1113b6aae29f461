"""Interpolated values in strings: `"A bet may add up to {largest-bet}."`"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from cardlang.source import Diagnostic, Span

PIECE = re.compile(
    r"""\\(?P<escaped>["{}\\])|(?P<escape>\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|.))
    |\{(?P<value>[^{}]*)\}|(?P<open>\{)|(?P<plain>[^\\{]+)""",
    re.VERBOSE,
)
MADE_OF = "a code can have letters, digits and hyphens, and must start with a letter"


@frozen
class Value:
    """Range of a value in a string, without its braces."""

    start: int
    end: int


@frozen
class Open:
    """Brace that is never closed."""

    start: int


@frozen
class Escape:
    """Invalid escape sequence, such as `\\n` or `\\u00bd`."""

    start: int
    end: int


def pieces(text: str) -> Iterator[str | Value | Open | Escape]:
    """Yield the pieces of a raw string without its quotes: unescaped text, values, and errors."""
    said = ""
    for match in PIECE.finditer(text):
        if match["plain"] is not None or match["escaped"] is not None:
            said += match["plain"] or match["escaped"]
            continue
        yield said
        said = ""
        if match["escape"]:
            yield Escape(*match.span())
        else:
            yield Open(match.start()) if match["open"] else Value(*match.span("value"))
    yield said


def never_closed(span: Span) -> Diagnostic:
    hint = "close it with `}`, or write `\\{` for a plain brace"
    return Diagnostic("E117", "this `{` is never closed", span, hint)


def meaningless(span: Span) -> Diagnostic:
    escape = span.text
    sign = escaped_sign(escape)
    if escape == "\\n":
        hint = "text in quotes stays on one line. Remove the `\\n`, or write a second text where several are allowed"
    elif sign:
        hint = f"write the character itself: `{sign}`"
    else:
        hint = f"remove it, or write `\\\\{escape[1:]}` to print a backslash"
    message = f"unknown escape `{escape}`. Put a backslash only before a quote, a brace or another backslash"
    return Diagnostic("E125", message, span, hint)


def escaped_sign(escape: str) -> str:
    """Return the visible character of an escape such as `\\u00bd` in other languages, or an empty string."""
    digits = escape[2:].strip("{}")
    code = int(digits, 16) if escape[1] in "uUx" and digits else 0
    return chr(code) if 0x20 < code < 0x110000 and chr(code).isprintable() else ""


def not_a_code(span: Span, near: str) -> Diagnostic:
    hint = f"{MADE_OF}, as in `({near})`" if near[:1].isalpha() else MADE_OF
    return Diagnostic("E115", f"`{span.text}` is not a valid code", span, hint)


def unreadable(span: Span) -> Diagnostic:
    hint = "write one value, as in `{pot}` or `{count of your hand}`. For a plain brace, write `\\{`"
    message = "the text in braces is not a value" if span.text.strip() else "these braces are empty"
    return Diagnostic("E117", message, span, hint)
