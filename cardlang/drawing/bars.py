"""Draw a bar chart of the players' numbers as SVG.

Lines cut the bars at some heights. A label on the right names the band between two cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from attrs import frozen

from cardlang.drawing.cards import FONT
from cardlang.drawing.table import INK, PALE, text

BAR, GAP, LETTER = 46, 12, 7
"""Width of a bar, gap to the next bar, and average width of a letter."""
HIGH, LEAST, FOOT = 66, 22, 20
"""Height of the highest bar, minimum height of a slice, and height of the labels under the bars."""
SHADES = ("#e9e2cf", "#cfdde8", "#e3d3dc", "#d5e3d0")


@frozen
class Bar:
    """A number and its label."""

    name: str
    number: int


@frozen
class Cut:
    """A height at which the bars are cut. `text` names the band below it, down to the previous cut."""

    at: int
    text: str


def bars_svg(bars: Sequence[Bar], cuts: Sequence[Cut]) -> tuple[str, float]:
    """Return the chart as SVG, and its width."""
    heights = edges(cuts)
    top = 2 + max([0.0, *heights.values()])
    columns = [max(BAR, LETTER * len(bar.name)) for bar in bars]
    right = sum(columns) + GAP * len(bars)
    width = right + LETTER * max((len(cut.text) for cut in cuts), default=0) + 4
    parts = [*named(cuts, heights, top, right, width)]
    x = 0.0
    for bar, column in zip(bars, columns, strict=True):
        middle = x + column / 2
        parts += [*sliced(bar, cuts, heights, top, middle), text(bar.name, middle, top + 16, 12.5, INK)]
        x += column + GAP
    size = f'viewBox="0 0 {width:g} {top + FOOT:g}" width="{width:g}" height="{top + FOOT:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>', width


def describe_bars(bars: Sequence[Bar], cuts: Sequence[Cut]) -> str:
    """Return a description of the chart in words."""
    said = "; ".join(f"{bar.name}: {bar.number}" for bar in bars)
    return f"{said}. {' '.join(f'Up to {cut.at}: {cut.text}.' for cut in cuts)}"


def edges(cuts: Sequence[Cut]) -> dict[int, float]:
    """Return the height at which each cut is drawn, from the base line."""
    found, highest = {0: 0.0}, max((cut.at for cut in cuts), default=1)
    for below, cut in pairwise((0, *(cut.at for cut in cuts))):
        found[cut] = found[below] + max(LEAST, HIGH * (cut - below) / highest)
    return found


def named(cuts: Sequence[Cut], heights: dict[int, float], top: float, right: float, width: float) -> Iterator[str]:
    """Yield a line for each cut, with the label of the band below it."""
    for below, cut in zip((0, *(cut.at for cut in cuts)), cuts, strict=False):
        y, foot = top - heights[cut.at], top - heights[below]
        yield f'<path d="M0 {y:g}H{width:g}" stroke="{PALE}" stroke-dasharray="3 3"/>'
        yield (
            f'<text x="{right:g}" y="{(y + foot) / 2 + 4.5:g}" {FONT} font-size="12.5" fill="{INK}">'
            f"{escape(cut.text)}</text>"
        )


def sliced(bar: Bar, cuts: Sequence[Cut], heights: dict[int, float], top: float, middle: float) -> Iterator[str]:
    """Yield the slices of a bar, with their numbers."""
    for row, (below, cut) in enumerate(zip((0, *(cut.at for cut in cuts)), cuts, strict=False)):
        own = min(bar.number, cut.at) - below
        if own <= 0:
            return
        foot = top - heights[below]
        high = (heights[cut.at] - heights[below]) * own / (cut.at - below)
        yield (
            f'<rect x="{middle - BAR / 2:g}" y="{foot - high:g}" width="{BAR}" height="{high:g}" rx="3" '
            f'fill="{SHADES[row % len(SHADES)]}" stroke="{INK}"/>'
        )
        yield text(str(own), middle, foot - high / 2 + 4.5, 12.5, INK)
