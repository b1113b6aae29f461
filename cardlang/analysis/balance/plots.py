"""SVG plots of shares, histograms and curves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from attrs import frozen

PLOT_WIDTH = 360
"""Width of the view box. On paper and screens, plots scale to the available width."""
ROW_HEIGHT, LABEL_WIDTH, FOOT_HEIGHT, PLOT_HEIGHT = 24, 84, 18, 150
MAX_BINS = 24
MIN_LABEL_GAP = 13


@frozen
class ShareBar:
    """Share and its confidence interval, with a label."""

    label: str
    share: float
    low: float
    high: float


def wrap_svg(height: float, parts: Sequence[str], alt_text: str) -> str:
    """Wrap parts in an SVG element. `alt_text` is the alternative text for screen readers."""
    size = f'viewBox="0 0 {PLOT_WIDTH} {height:g}"'
    return f'<svg {size} role="img" aria-label="{escape(alt_text)}">{"".join(parts)}</svg>'


def draw_text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def draw_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def draw_rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"/>'


def draw_shares(bars: Sequence[ShareBar], mark: float, alt_text: str) -> str:
    """Draw a row for each share: a point, and a line for its interval.

    `mark` is the expected share if all are equal."""
    top = min(1.0, 1.15 * max(max((bar.high for bar in bars), default=0), mark, 0.01))
    room = PLOT_WIDTH - LABEL_WIDTH - 46

    def x(share: float) -> float:
        return LABEL_WIDTH + room * share / top

    height = ROW_HEIGHT * len(bars) + FOOT_HEIGHT
    parts = [draw_line(x(mark), 0, x(mark), height - FOOT_HEIGHT, "mark")]
    for row, bar in enumerate(bars):
        y = ROW_HEIGHT * row + ROW_HEIGHT / 2
        parts += [
            draw_text(LABEL_WIDTH - 8, y + 4, bar.label, "end"),
            draw_line(x(bar.low), y, x(bar.high), y, "interval"),
            f'<circle class="point" cx="{x(bar.share):.1f}" cy="{y:.1f}" r="4"/>',
            draw_text(PLOT_WIDTH, y + 4, f"{100 * bar.share:.1f}%", "end"),
        ]
    parts += [
        draw_text(LABEL_WIDTH, height - 4, "0", "middle", "pale"),
        draw_text(x(mark), height - 4, f"{100 * mark:.3g}%", "middle", "pale"),
    ]
    return wrap_svg(height, parts, alt_text)


def draw_histogram(counts: Sequence[tuple[int, int]], alt_text: str) -> str:
    """Draw a histogram. `counts` has pairs of a number and its count, ascending. Wide ranges are binned evenly."""
    low, high = counts[0][0], counts[-1][0]
    size = max(1, -(-(high - low + 1) // MAX_BINS))
    columns = [0] * ((high - low) // size + 1)
    for value, count in counts:
        columns[(value - low) // size] += count
    most, total, wide = max(columns), sum(columns), PLOT_WIDTH / len(columns)
    parts = [draw_line(0, PLOT_HEIGHT, PLOT_WIDTH, PLOT_HEIGHT, "axis")]
    for at, count in enumerate(columns):
        tall = (PLOT_HEIGHT - 16) * count / most
        parts.append(draw_rect(at * wide + 0.5, PLOT_HEIGHT - tall, wide - 1, tall, "column"))
    last = low + size * len(columns) - 1
    middle = low + size * (len(columns) // 2)
    parts += [
        draw_text(0, PLOT_HEIGHT + 14, f"{low:,}", "start", "pale"),
        draw_text(PLOT_WIDTH, PLOT_HEIGHT + 14, f"{min(last, high):,}", "end", "pale"),
        draw_text(0, 11, f"{100 * most / total:.0f}%", "start", "pale"),
    ]
    if len(columns) > 2:
        x = (len(columns) // 2 + (0.5 if size == 1 else 0)) * wide
        parts.append(draw_text(x, PLOT_HEIGHT + 14, f"{middle:,}", "middle", "pale"))
    return wrap_svg(PLOT_HEIGHT + FOOT_HEIGHT, parts, alt_text)


def draw_curves(lines: Sequence[tuple[str, Sequence[float]]], alt_text: str) -> str:
    """Draw shares over the course of a match, from start to end, as named lines."""
    left, right = 36, PLOT_WIDTH - 50
    parts = []
    for share in (0, 0.5, 1):
        y = PLOT_HEIGHT - (PLOT_HEIGHT - 12) * share
        parts += [
            draw_text(left - 4, y + 4, f"{100 * share:.0f}%", "end", "pale"),
            draw_line(left, y, right, y, "grid"),
        ]
    named: list[float] = []
    for number, (name, shares) in enumerate(lines):
        step = (right - left) / (len(shares) - 1)
        points = [(left + step * at, PLOT_HEIGHT - (PLOT_HEIGHT - 12) * share) for at, share in enumerate(shares)]
        parts.append(f'<polyline class="curve c{number}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
        named.append(
            min(points[-1][1] + 4, PLOT_HEIGHT) if not named else separate_labels(points[-1][1] + 4, named[-1])
        )
        parts.append(draw_text(right + 4, named[-1], name))
    parts += [
        draw_text(left, PLOT_HEIGHT + 14, "start", "start", "pale"),
        draw_text(right, PLOT_HEIGHT + 14, "end", "end", "pale"),
    ]
    return wrap_svg(PLOT_HEIGHT + FOOT_HEIGHT, parts, alt_text)


def separate_labels(y: float, other: float) -> float:
    """Return a height for a label that doesn't overlap another label."""
    if abs(y - other) >= MIN_LABEL_GAP:
        return y
    return other + MIN_LABEL_GAP if y >= other and other + MIN_LABEL_GAP <= PLOT_HEIGHT + 4 else other - MIN_LABEL_GAP


def draw_differences(bars: Sequence[ShareBar], alt_text: str) -> str:
    """Draw a row for each difference of shares: its name, a point, and a line for its interval.

    Zero is in the middle."""
    widest = max(0.005, *(max(abs(bar.low), abs(bar.high)) for bar in bars))
    tall = 2 * ROW_HEIGHT - 14

    def x(share: float) -> float:
        return PLOT_WIDTH / 2 + (PLOT_WIDTH / 2 - 6) * share / widest

    height = tall * len(bars) + FOOT_HEIGHT
    parts = [draw_line(x(0), 0, x(0), height - FOOT_HEIGHT, "mark")]
    for at, bar in enumerate(bars):
        y = tall * at + 24
        parts += [
            draw_text(0, y - 10, bar.label),
            draw_line(x(bar.low), y, x(bar.high), y, "interval"),
            f'<circle class="point" cx="{x(bar.share):.1f}" cy="{y:.1f}" r="4"/>',
        ]
    for share, anchor in ((-widest, "start"), (0, "middle"), (widest, "end")):
        parts.append(
            draw_text(
                PLOT_WIDTH / 2 + PLOT_WIDTH / 2 * share / widest, height - 4, f"{100 * share:+.1f}", anchor, "pale"
            )
        )
    return wrap_svg(height, parts, alt_text)
