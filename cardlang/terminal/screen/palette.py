"""How the pieces of a drawing look, in as many colours as the terminal has. All but the cards is in the terminal's own
colours, so that it is read on dark and on light; cards are paper, so that black suits are seen on both."""

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
"""The paper of cards by role: in many colours, and in 16."""


@cache
def style_of(role: str, ink: str, few: bool) -> Style:
    """`few`: the terminal has 16 colours."""
    base, _, cursor = role.partition(".")
    if base not in PAPER:
        return Style.parse(PLAIN[base]) + Style(reverse=bool(cursor))
    paper = PAPER["cursor" if cursor and base != "chosen" else base][few]
    return Style(color=ink or "#333333", bgcolor=paper, bold=bool(cursor) or base == "chosen", dim=None)


def strip(line: Line, columns: int, few: bool) -> Strip:
    """A line as Textual takes it, filled up to the width; every piece has a style, as its filters for NO_COLOR need."""
    return Strip([segment(span, few) for span in line]).adjust_cell_length(columns, Style.null())


def segment(span: Span, few: bool) -> Segment:
    return Segment(span.text, style_of(span.role, span.ink, few))
