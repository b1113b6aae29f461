"""Draw part of a table as SVG: the zones of one owner in a row, with their cards."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Protocol

from cardlang.drawing.cards import HEIGHT, WIDTH, Look
from cardlang.drawing.table import INK, PALE, text

CARD, HIGH = 40.0, 40.0 * HEIGHT / WIDTH
TOP, GAP, EDGE = 30, 14, 12
BACKS, FAN = 9, 26
"""Distance of cards in a fan: for face-down cards, and for cards identified by their index."""
BACK = "#5b7083"
LETTERS, LETTER = 12, 7.4
SHORT = 2
"""Average number of letters in a line under a card, and width of a letter.

A label of at most `SHORT` letters goes on a corner.
"""


class Lying(Protocol):
    """A zone with its cards: see `cardlang.rulesheet.model.Lying`."""

    @property
    def name(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def cards(self) -> tuple[Look, ...]: ...
    @property
    def hidden(self) -> bool: ...
    @property
    def label(self) -> str: ...


def scene_svg(title: str, places: Sequence[Lying], lines: int) -> tuple[str, float]:
    """Draw the zones of one owner in a frame, as SVG, and return its width. A card is 40 wide.

    `lines`: the maximum number of lines under a zone.
    """
    wide = [max(extent(place), *(LETTER * len(line) for line in under(place))) for place in places]
    width = max(sum(wide) + GAP * (len(places) - 1) + 2 * EDGE, 7.8 * len(title) + EDGE)
    height = TOP + HIGH + 20 + 15 * lines
    x = (width - sum(wide) - GAP * (len(places) - 1)) / 2
    parts = [
        f'<rect x="1" y="1" width="{width - 2:g}" height="{height - 2:g}" rx="12" fill="#f2efe6" stroke="#777"/>',
        text(title, width / 2, 20, 14, INK),
    ]
    for place, share in zip(places, wide, strict=True):
        parts.append(lying(place, x + share / 2))
        x += share + GAP
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>', width


def extent(place: Lying) -> float:
    """Return the width of the cards of a zone."""
    return CARD + step(place) * max(len(place.cards) - 1, 0)


def step(place: Lying) -> float:
    """Return the distance from one card of a zone to the next."""
    if place.form == "pile":
        return 0
    if place.form == "fan" and place.hidden:
        return BACKS
    return FAN if place.form == "fan" and all(look.index for look in place.cards) else CARD + 3


def under(place: Lying) -> list[str]:
    """Return the lines under a zone: its name, and a label that is too long for a corner."""
    letters = max(LETTERS, int(extent(place) / LETTER))
    names = textwrap.wrap(place.name, letters, break_long_words=False)
    return [*names, *([place.label] if len(place.label) > SHORT else [])]


def lying(place: Lying, middle: float) -> str:
    """Draw the cards of a zone, its name and its label; an empty zone as an outline."""
    left = middle - extent(place) / 2
    names = [text(each, middle, TOP + HIGH + 19 + 15 * row, 13, INK) for row, each in enumerate(under(place))]
    cards = [card(look, left + step(place) * number, place.hidden) for number, look in enumerate(place.cards)]
    if place.form == "pile":
        cards = [blank(left - 3 * depth, TOP - 3 * depth) for depth in range(min(len(cards), 3) - 1, 0, -1)] + cards[:1]
    if not cards:
        cards = [f'<rect x="{left:g}" y="{TOP}" width="{CARD}" height="{HIGH:g}" rx="4" fill="none" stroke="{PALE}" '
                 'stroke-dasharray="4 4"/>']  # fmt: skip
    return "".join((*cards, badge(place.label, middle + extent(place) / 2), *names))


def card(look: Look, x: float, hidden: bool) -> str:
    if hidden:
        return (
            blank(x, TOP)
            + f'<rect x="{x + 4:g}" y="{TOP + 4}" width="{CARD - 8}" height="{HIGH - 8:g}" fill="{BACK}"/>'
        )
    return f'<g transform="translate({x:g} {TOP}) scale({CARD / WIDTH:.4g})">{look.body}</g>'


def blank(x: float, y: float) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{CARD}" height="{HIGH:g}" rx="4" fill="#fff" stroke="{INK}"/>'


def badge(label: str, right: float) -> str:
    """Draw a label on the corner of a zone: a number in an example."""
    if not label or len(label) > SHORT:
        return ""
    width = 12 + 8 * len(label)
    return f'<rect x="{right - width / 2:g}" y="{TOP - 8}" width="{width}" height="20" rx="10" fill="{INK}"/>' + text(
        label, right, TOP + 7, 13, "#fff"
    )
