"""Styles of spans, in 16 or more colours.

Everything but the cards uses the terminal's own colours, readable on dark and light. Cards have a paper colour, so
black suits are visible on both."""

from __future__ import annotations

from functools import cache

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from cardlang.terminal.screen.blocks import Line, Span

PLAIN = {
    "": "", "dim": "dim", "rule": "dim", "title": "bold", "name": "bold", "out": "dim strike", "question": "bold",
    "note": "italic", "key": "bold", "button": "", "number": "bold", "closed": "dim",
}  # fmt: skip
PAPER = {
    "paper": ("#fbfaf5", "bright_white"),
    "shade": ("#b4b2ab", "white"),
    "chosen": ("#ffd970", "bright_yellow"),
    "back": ("#c9d8e8", "bright_cyan"),
    "cursor": ("#a8dcff", "bright_green"),
}
"""Paper colours of cards by role: true colour, and one of 16."""


@cache
def style_of(role: str, ink: str, few: bool) -> Style:
    """Return the style of a role and an ink colour.

    `few`: the terminal has only 16 colours."""
    base, _, cursor = role.partition(".")
    if base not in PAPER:
        return Style.parse(PLAIN[base]) + Style(reverse=bool(cursor))
    paper = PAPER["cursor" if cursor and base != "chosen" else base][few]
    return Style(color=ink or "#333333", bgcolor=paper, bold=bool(cursor) or base == "chosen", dim=None)


def strip(line: Line, columns: int, few: bool) -> Strip:
    """Return a line as a Textual strip, padded to a width.

    Each segment has a style, as required by Textual's filters for NO_COLOR."""
    return Strip([segment(span, few) for span in line]).adjust_cell_length(columns, Style.null())


def segment(span: Span, few: bool) -> Segment:
    return Segment(span.text, style_of(span.role, span.ink, few))
