"""Renderer of diagnostics."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from attrs import frozen

from cardlang.plain_text import json_text, visible
from cardlang.source import Diagnostic, Span

Format = Literal["full", "concise", "json"]
WIDTH = 100
TAB = "    "
WITHOUT_WIDTH = ("Mn", "Me", "Cf")
STYLES = {"error": "1;31", "warning": "1;33", "note": "1;36", "place": "1", "frame": "34", "hint": "36"}


def render(
    diagnostics: Sequence[Diagnostic],
    format: Format = "full",
    colour: bool = False,
    beside: Mapping[str, object] | None = None,
) -> str:
    """Return diagnostics as text that ends with a line break, or as JSON.

    `full` shows each one with its line, underlined words, related places and a hint, and ends with a summary. `concise`
    has one line each: `FILE:LINE:COLUMN: error[E101]: message`. `json` is one object:

        {"errors": 1, "warnings": 0, "diagnostics": [
          {"code": "E101", "severity": "error", "message": "…", "hint": "…",
           "file": "a.cardgame", "line": 3, "column": 5, "end_line": 3, "end_column": 9,
           "related": [{"message": "…", "file": …, "line": …, "column": …, "end_line": …, "end_column": …}],
           "more": 0}]}

    Lines and columns count characters from 1. The end column is one past the last character. `more` is the number of
    similar diagnostics left out. `beside` has further keys for the object."""
    if format == "json":
        return as_json(diagnostics, beside or {})
    paint = Paint(colour)
    if format == "concise":
        return "".join(f"{headline(d, paint)}{f' ({others(d)})' if d.more else ''}\n" for d in diagnostics)
    blocks = [full(diagnostic, paint) for diagnostic in diagnostics]
    return "\n".join([*blocks, f"{summary(diagnostics)}\n"]) if blocks else ""


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the totals in words, such as `3 errors, 1 warning`."""
    counts = zip(numbers(diagnostics), SEVERITIES, strict=True)
    return ", ".join(f"{n:,} {word}{'s' * (n != 1)}" for n, word in counts if n) or "no errors"


def numbers(diagnostics: Iterable[Diagnostic]) -> tuple[int, ...]:
    """Return the numbers of errors, warnings and notes, including those not listed."""
    counts = dict.fromkeys(SEVERITIES, 0)
    for diagnostic in diagnostics:
        counts[severity(diagnostic)] += 1 + diagnostic.more
    return tuple(counts.values())


def others(diagnostic: Diagnostic) -> str:
    return f"and {diagnostic.more:,} more like this"


# ---------------------------------------------------------------- full
@frozen
class Paint:
    colour: bool

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


SEVERITIES = ("error", "warning", "note")


def severity(diagnostic: Diagnostic) -> str:
    """Return `error`, `warning` or `note`. Results of playtests (`N…`) are notes."""
    return "note" if diagnostic.code.startswith("N") else "warning" if diagnostic.warning else "error"


def headline(diagnostic: Diagnostic, paint: Paint) -> str:
    kind = severity(diagnostic)
    place = paint(f"{visible(str(diagnostic.span))}:", "place")
    return f"{place} {paint(f'{kind}[{diagnostic.code}]:', kind)} {visible(diagnostic.message)}"


def full(diagnostic: Diagnostic, paint: Paint) -> str:
    places = [diagnostic.span, *(span for span, _ in diagnostic.related)]
    gutter = len(str(max(span.line for span in places)))
    lines = [headline(diagnostic, paint), *excerpt(diagnostic.span, gutter, severity(diagnostic), paint)]
    for span, words in diagnostic.related:
        lines.append(f"{' ' * gutter} {paint(f'{visible(str(span))}:', 'place')} {visible(words)}")
        lines.extend(excerpt(span, gutter, "frame", paint))
    if diagnostic.hint:
        lines.append(f"{' ' * gutter} {paint('hint:', 'hint')} {visible(diagnostic.hint)}")
    if diagnostic.more:
        lines.append(f"{' ' * gutter} {others(diagnostic)}")
    return "".join(f"{line}\n" for line in lines)


def excerpt(span: Span, gutter: int, style: str, paint: Paint) -> list[str]:
    """Return the line of a span, with carets below its words."""
    line, column = span.source.line(span.line), span.column - 1
    first = max(0, column - WIDTH)  # distant text isn't shown: a line may be as long as a file
    text, start = line[first : column + 2 * WIDTH], column - first
    end = max(start + 1, min(start + span.end - span.start, len(text)))
    cells = [cell(char) for char in text] + [" "]
    low, high = window(cells, start, end)
    cut = low + first > 0
    shown = ("…" if cut else "") + "".join(cells[low:high]).rstrip() + ("…" if first + high < len(line) else "")
    before = columns("".join(cells[low:start])) + cut
    width = columns("".join(cells[start : min(end, high)]))
    number, bar = paint(f"{span.line:>{gutter}} |", "frame"), paint(f"{' ' * gutter} |", "frame")
    return [f"{number} {shown}".rstrip(), f"{bar} {' ' * before}{paint('^' * max(width, 1), style)}"]


def window(cells: list[str], start: int, end: int) -> tuple[int, int]:
    """Return the range of characters to show: the whole line, or as much as fits around the span."""
    if columns("".join(cells)) <= WIDTH:
        return 0, len(cells)
    low, used = start, 0
    while low > 0 and used + columns(cells[low - 1]) <= WIDTH // 3:
        low -= 1
        used += columns(cells[low])
    high = start
    while high < len(cells) and used + columns(cells[high]) <= WIDTH:
        used += columns(cells[high])
        high += 1
    return low, high


def cell(char: str) -> str:
    return TAB if char == "\t" else visible(char)


def columns(text: str) -> int:
    """Return the width of a string in terminal columns."""
    if text.isascii():
        return len(text)
    return sum(map(width, text))


def width(char: str) -> int:
    if unicodedata.category(char) in WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


# ---------------------------------------------------------------- JSON
def as_json(diagnostics: Sequence[Diagnostic], beside: Mapping[str, object]) -> str:
    errors, warnings, _ = numbers(diagnostics)
    found = {
        "errors": errors,
        "warnings": warnings,
        "diagnostics": [as_record(diagnostic) for diagnostic in diagnostics],
        **beside,
    }
    return json_text(found) + "\n"


def as_record(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "severity": severity(diagnostic),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        **place(diagnostic.span),
        "related": [{"message": words, **place(span)} for span, words in diagnostic.related],
        "more": diagnostic.more,
    }


def place(span: Span) -> dict[str, object]:
    end_line, end_column = span.source.place(span.end)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }
