"""SVG plots. They take their colors from the page, so they work in print and in dark mode. All strings are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from attrs import frozen

WIDTH = 360
"""Width of the view box. On paper and screens, plots scale to the available width."""
ROW, LABEL, FOOT, HIGH = 24, 84, 18, 150
BINS = 24
APART = 13


@frozen
class Bar:
    """Share and its confidence interval, with a label."""

    label: str
    share: float
    low: float
    high: float


def svg(height: float, parts: Sequence[str], told: str) -> str:
    """Wrap parts in an SVG element. `told` is the alternative text for screen readers."""
    size = f'viewBox="0 0 {WIDTH} {height:g}"'
    return f'<svg {size} role="img" aria-label="{escape(told)}">{"".join(parts)}</svg>'


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"/>'


def shares(bars: Sequence[Bar], mark: float, told: str) -> str:
    """Draw a row for each share: a point, and a line for its interval.

    `mark` is the expected share if all are equal."""
    top = min(1.0, 1.15 * max(max((bar.high for bar in bars), default=0), mark, 0.01))
    room = WIDTH - LABEL - 46

    def x(share: float) -> float:
        return LABEL + room * share / top

    height = ROW * len(bars) + FOOT
    parts = [line(x(mark), 0, x(mark), height - FOOT, "mark")]
    for row, bar in enumerate(bars):
        y = ROW * row + ROW / 2
        parts += [
            text(LABEL - 8, y + 4, bar.label, "end"),
            line(x(bar.low), y, x(bar.high), y, "interval"),
            f'<circle class="point" cx="{x(bar.share):.1f}" cy="{y:.1f}" r="4"/>',
            text(WIDTH, y + 4, f"{100 * bar.share:.1f}%", "end"),
        ]
    parts += [
        text(LABEL, height - 4, "0", "middle", "pale"),
        text(x(mark), height - 4, f"{100 * mark:.3g}%", "middle", "pale"),
    ]
    return svg(height, parts, told)


def histogram(counts: Sequence[tuple[int, int]], told: str) -> str:
    """Draw a histogram. `counts` has pairs of a number and its count, ascending. Wide ranges are binned evenly."""
    low, high = counts[0][0], counts[-1][0]
    size = max(1, -(-(high - low + 1) // BINS))
    columns = [0] * ((high - low) // size + 1)
    for value, count in counts:
        columns[(value - low) // size] += count
    most, total, wide = max(columns), sum(columns), WIDTH / len(columns)
    parts = [line(0, HIGH, WIDTH, HIGH, "axis")]
    for at, count in enumerate(columns):
        tall = (HIGH - 16) * count / most
        parts.append(box(at * wide + 0.5, HIGH - tall, wide - 1, tall, "column"))
    last = low + size * len(columns) - 1
    middle = low + size * (len(columns) // 2)
    parts += [
        text(0, HIGH + 14, f"{low:,}", "start", "pale"),
        text(WIDTH, HIGH + 14, f"{min(last, high):,}", "end", "pale"),
        text(0, 11, f"{100 * most / total:.0f}%", "start", "pale"),
    ]
    if len(columns) > 2:
        x = (len(columns) // 2 + (0.5 if size == 1 else 0)) * wide
        parts.append(text(x, HIGH + 14, f"{middle:,}", "middle", "pale"))
    return svg(HIGH + FOOT, parts, told)


def curves(lines: Sequence[tuple[str, Sequence[float]]], told: str) -> str:
    """Draw shares over the course of a match, from start to end, as named lines."""
    left, right = 36, WIDTH - 50
    parts = []
    for share in (0, 0.5, 1):
        y = HIGH - (HIGH - 12) * share
        parts += [text(left - 4, y + 4, f"{100 * share:.0f}%", "end", "pale"), line(left, y, right, y, "grid")]
    named: list[float] = []
    for number, (name, shares) in enumerate(lines):
        step = (right - left) / (len(shares) - 1)
        points = [(left + step * at, HIGH - (HIGH - 12) * share) for at, share in enumerate(shares)]
        parts.append(f'<polyline class="curve c{number}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
        named.append(min(points[-1][1] + 4, HIGH) if not named else apart(points[-1][1] + 4, named[-1]))
        parts.append(text(right + 4, named[-1], name))
    parts += [text(left, HIGH + 14, "start", "start", "pale"), text(right, HIGH + 14, "end", "end", "pale")]
    return svg(HIGH + FOOT, parts, told)


def apart(y: float, other: float) -> float:
    """Return a height for a label that doesn't overlap another label."""
    if abs(y - other) >= APART:
        return y
    return other + APART if y >= other and other + APART <= HIGH + 4 else other - APART


def differences(bars: Sequence[Bar], told: str) -> str:
    """Draw a row for each difference of shares: its name, a point, and a line for its interval.

    Zero is in the middle."""
    widest = max(0.005, *(max(abs(bar.low), abs(bar.high)) for bar in bars))
    tall = 2 * ROW - 14

    def x(share: float) -> float:
        return WIDTH / 2 + (WIDTH / 2 - 6) * share / widest

    height = tall * len(bars) + FOOT
    parts = [line(x(0), 0, x(0), height - FOOT, "mark")]
    for at, bar in enumerate(bars):
        y = tall * at + 24
        parts += [
            text(0, y - 10, bar.label),
            line(x(bar.low), y, x(bar.high), y, "interval"),
            f'<circle class="point" cx="{x(bar.share):.1f}" cy="{y:.1f}" r="4"/>',
        ]
    for share, anchor in ((-widest, "start"), (0, "middle"), (widest, "end")):
        parts.append(text(WIDTH / 2 + WIDTH / 2 * share / widest, height - 4, f"{100 * share:+.1f}", anchor, "pale"))
    return svg(height, parts, told)
