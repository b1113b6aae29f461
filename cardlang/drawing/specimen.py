"""Draw a printed card with labels that name its parts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from attrs import frozen

from cardlang.drawing.cards import FONT
from cardlang.drawing.parts import Box, parts
from cardlang.drawing.printed import HEIGHT, WIDTH, Side, side_body
from cardlang.plain_text import harmless

GAP, EDGE = 7, 2
"""Gap between a card and its labels, and width of the margin."""
SIZE, LINE, LETTERS, LETTER = 5.4, 6.3, 12, 2.5
"""Letter size of labels, line distance, letters in a line, and average width of a letter."""
INK, DOT = "#222", 0.9
"""Colour of the lines that lead to the parts, and radius of the dots at their ends."""
THIN = FONT.replace("700", "400")
PARTS = ("index", "symbol", "title", "frame", "picture", "text", "foot")
"""Parts that a label can name."""
LEFT = ("index", "symbol")
"""Parts with their label on the left."""


@frozen
class Label:
    """A part of a card, one of `PARTS`, and the text that describes it."""

    part: str
    text: str


def specimen_svg(side: Side, labels: Sequence[Label]) -> tuple[str, float]:
    """Return a card face with its labels as SVG, and the width of the drawing. The card is 63 wide.

    Labels of parts that this face lacks are left out.
    """
    where = parts(side)
    lines = {label: wrapped(label) for label in labels if label.part in where}
    left = {label: said for label, said in lines.items() if label.part in LEFT}
    right = {label: said for label, said in lines.items() if label.part not in LEFT}
    start = EDGE + taken(left)
    width = start + WIDTH + taken(right) + EDGE
    height = HEIGHT + 2 * EDGE
    card = f'<g transform="translate({start:g} {EDGE})">{side_body(side)}</g>'
    beside = [
        *called(left, where, start, start - GAP, "end"),
        *called(right, where, start, start + WIDTH + GAP, "start"),
    ]
    size = f'viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{card}{"".join(beside)}</svg>', width


def wrapped(label: Label) -> list[str]:
    return textwrap.wrap(harmless(label.text), LETTERS, max_lines=5, placeholder=" …")


def taken(lines: Mapping[Label, Sequence[str]]) -> float:
    """Return the width of some labels next to a card, with their gap; 0 if there are none."""
    longest = max((len(text) for said in lines.values() for text in said), default=0)
    return GAP + longest * LETTER if longest else 0


def called(
    lines: Mapping[Label, Sequence[str]], where: Mapping[str, Box], start: float, x: float, end: str
) -> Iterator[str]:
    """Draw labels next to a card that begins at `start`, with lines to the near edge of their parts.

    `end`: the text anchor of their lines, at `x`. A line is horizontal over the card, so that it crosses no other part.
    """
    free = EDGE + SIZE
    for label in sorted(lines, key=lambda label: where[label.part].middle):
        said, box = lines[label], where[label.part]
        to_x, to_y = start + (box.left if end == "end" else box.right), EDGE + box.middle
        rest = (len(said) - 1) * LINE
        y = min(max(free, to_y + SIZE / 3 - rest / 2), EDGE + HEIGHT - rest - 1)
        free = y + rest + LINE + 1.5
        middle, edge = y + rest / 2 - SIZE / 3, x - 1.5 if end == "start" else x + 1.5
        rim, dot = (start, to_x - DOT) if end == "end" else (start + WIDTH, to_x + DOT)
        yield (
            f'<path d="M{edge:g} {middle:g}L{rim:g} {to_y:g}H{to_x:g}" fill="none" stroke="{INK}" stroke-width=".5"/>'
            f'<circle cx="{dot:g}" cy="{to_y:g}" r="{DOT}" fill="{INK}"/>'
        )
        for row, text in enumerate(said):
            yield (
                f'<text x="{x:g}" y="{y + row * LINE:g}" {THIN} font-size="{SIZE}" fill="{INK}" '
                f'text-anchor="{end}">{escape(text)}</text>'
            )
