"""Renderer of diagnostics as text, single lines or JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from attrs import frozen

from cardlang.diagnostics import Diagnostic, Span
from cardlang.english.control_characters import escape_invisible_characters, render_json

ReportFormat = Literal["full", "concise", "json"]
EXCERPT_WIDTH = 100
TAB_REPLACEMENT = "    "
ZERO_WIDTH_CATEGORIES = ("Mn", "Me", "Cf")
ANSI_STYLES = {"error": "1;31", "warning": "1;33", "note": "1;36", "place": "1", "frame": "34", "hint": "36"}


def render_diagnostics(
    diagnostics: Sequence[Diagnostic],
    format: ReportFormat = "full",
    colour: bool = False,
    extra_fields: Mapping[str, object] | None = None,
) -> str:
    """Return diagnostics as text that ends with a line break, or as JSON.

    `render_full` shows each one with its line, underlined words, related places and a hint, and ends with a summary.
    `concise` has one line each: `FILE:LINE:COLUMN: error[E101]: message`. `json` is one object:

        {"errors": 1, "warnings": 0, "diagnostics": [
          {"code": "E101", "severity": "error", "message": "…", "hint": "…",
           "file": "a.cardgame", "line": 3, "column": 5, "end_line": 3, "end_column": 9,
           "related": [{"message": "…", "file": …, "line": …, "column": …, "end_line": …, "end_column": …}],
           "more": 0}]}

    Lines and columns count characters from 1. The end column is one past the last character. `more` is the number of
    similar diagnostics left out. `extra_fields` has further keys for the object."""
    if format == "json":
        return render_json_report(diagnostics, extra_fields or {})
    paint = AnsiStyler(colour)
    if format == "concise":
        return "".join(
            f"{render_headline(d, paint)}{f' ({format_omitted_count(d)})' if d.more else ''}\n" for d in diagnostics
        )
    blocks = [render_full(diagnostic, paint) for diagnostic in diagnostics]
    return "\n".join([*blocks, f"{format_totals(diagnostics)}\n"]) if blocks else ""


def format_totals(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the totals in words, such as `3 errors, 1 warning`."""
    counts = zip(count_by_severity(diagnostics), SEVERITIES, strict=True)
    return ", ".join(f"{n:,} {word}{'s' * (n != 1)}" for n, word in counts if n) or "no errors"


def count_by_severity(diagnostics: Iterable[Diagnostic]) -> tuple[int, ...]:
    """Return the numbers of errors, warnings and notes, including those not listed."""
    counts = dict.fromkeys(SEVERITIES, 0)
    for diagnostic in diagnostics:
        counts[find_severity(diagnostic)] += 1 + diagnostic.more
    return tuple(counts.values())


def format_omitted_count(diagnostic: Diagnostic) -> str:
    return f"and {diagnostic.more:,} more like this"


# ---------------------------------------------------------------- full
@frozen
class AnsiStyler:
    is_coloured: bool

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{ANSI_STYLES[style]}m{text}\x1b[0m" if self.is_coloured and text else text


SEVERITIES = ("error", "warning", "note")


def find_severity(diagnostic: Diagnostic) -> str:
    """Return `error`, `warning` or `note`. Results of playtests (`N…`) are notes."""
    return "note" if diagnostic.code.startswith("N") else "warning" if diagnostic.warning else "error"


def render_headline(diagnostic: Diagnostic, styler: AnsiStyler) -> str:
    kind = find_severity(diagnostic)
    position = styler(f"{escape_invisible_characters(str(diagnostic.span))}:", "place")
    return f"{position} {styler(f'{kind}[{diagnostic.code}]:', kind)} {escape_invisible_characters(diagnostic.message)}"


def render_full(diagnostic: Diagnostic, styler: AnsiStyler) -> str:
    spans = [diagnostic.span, *(span for span, _ in diagnostic.related)]
    gutter = len(str(max(span.line for span in spans)))
    lines = [
        render_headline(diagnostic, styler),
        *(
            render_excerpt(diagnostic.span, gutter, find_severity(diagnostic), styler)
            if diagnostic.span.source.text
            else ()
        ),
    ]
    for span, words in diagnostic.related:
        lines.append(
            f"{' ' * gutter} {styler(f'{escape_invisible_characters(str(span))}:', 'place')} "
            f"{escape_invisible_characters(words)}"
        )
        lines.extend(render_excerpt(span, gutter, "frame", styler))
    if diagnostic.hint:
        lines.append(f"{' ' * gutter} {styler('hint:', 'hint')} {escape_invisible_characters(diagnostic.hint)}")
    if diagnostic.more:
        lines.append(f"{' ' * gutter} {format_omitted_count(diagnostic)}")
    return "".join(f"{line}\n" for line in lines)


def render_excerpt(span: Span, gutter: int, style: str, styler: AnsiStyler) -> list[str]:
    """Return the line of a span, with carets below its words."""
    line, column = span.source.get_line(span.line), span.column - 1
    first = max(0, column - EXCERPT_WIDTH)  # distant text isn't shown: a line may be as long as a file
    text, start = line[first : column + 2 * EXCERPT_WIDTH], column - first
    end = max(start + 1, min(start + span.end - span.start, len(text)))
    cells = [render_character(char) for char in text] + [" "]
    low, high = find_visible_range(cells, start, end)
    cut = low + first > 0
    shown = ("…" if cut else "") + "".join(cells[low:high]).rstrip() + ("…" if first + high < len(line) else "")
    before = measure_text_width("".join(cells[low:start])) + cut
    width = measure_text_width("".join(cells[start : min(end, high)]))
    number, bar = styler(f"{span.line:>{gutter}} |", "frame"), styler(f"{' ' * gutter} |", "frame")
    return [f"{number} {shown}".rstrip(), f"{bar} {' ' * before}{styler('^' * max(width, 1), style)}"]


def find_visible_range(cells: list[str], start: int, end: int) -> tuple[int, int]:
    """Return the range of characters to show: the whole line, or as much as fits around the span."""
    if measure_text_width("".join(cells)) <= EXCERPT_WIDTH:
        return 0, len(cells)
    low, used = start, 0
    while low > 0 and used + measure_text_width(cells[low - 1]) <= EXCERPT_WIDTH // 3:
        low -= 1
        used += measure_text_width(cells[low])
    high = start
    while high < len(cells) and used + measure_text_width(cells[high]) <= EXCERPT_WIDTH:
        used += measure_text_width(cells[high])
        high += 1
    return low, high


def render_character(char: str) -> str:
    return TAB_REPLACEMENT if char == "\t" else escape_invisible_characters(char)


def measure_text_width(text: str) -> int:
    """Return the width of a string in terminal columns."""
    if text.isascii():
        return len(text)
    return sum(map(measure_character_width, text))


def measure_character_width(char: str) -> int:
    if unicodedata.category(char) in ZERO_WIDTH_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


# ---------------------------------------------------------------- JSON
def render_json_report(diagnostics: Sequence[Diagnostic], extra_fields: Mapping[str, object]) -> str:
    errors, warnings, _ = count_by_severity(diagnostics)
    report = {
        "errors": errors,
        "warnings": warnings,
        "diagnostics": [build_diagnostic_record(diagnostic) for diagnostic in diagnostics],
        **extra_fields,
    }
    return render_json(report) + "\n"


def build_diagnostic_record(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "severity": find_severity(diagnostic),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        **build_position_record(diagnostic.span),
        "related": [{"message": words, **build_position_record(span)} for span, words in diagnostic.related],
        "more": diagnostic.more,
    }


def build_position_record(span: Span) -> dict[str, object]:
    end_line, end_column = span.source.find_line_and_column(span.end)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }
