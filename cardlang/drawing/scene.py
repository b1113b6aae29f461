"""Part of a table as it lies, as SVG: the places of one owner beside each other, with the cards that lie there."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Protocol

from cardlang.drawing.cards import HEIGHT, WIDTH, Look
from cardlang.drawing.table import INK, PALE, text

CARD, HIGH = 40.0, 40.0 * HEIGHT / WIDTH
TOP, GAP, EDGE = 30, 14, 12
STEP = {"row": 43.0, "fan": 15.0, "pile": 0.0}
"""How far a card lies from the next."""
BACK = "#5b7083"
NARROW = 92
LETTERS = 15
"""How wide a place is at least, and about how many letters stand on a line under it."""


class Lying(Protocol):
    """A place with its cards: see `cardlang.rulesheet.model.Lying`."""

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


def scene_svg(title: str, places: Sequence[Lying]) -> tuple[str, float]:
    """The places of one owner in a frame, as SVG, and how wide that is, where a card is 40 wide."""
    wide = [max(NARROW, extent(place)) for place in places]
    width = max(sum(wide) + GAP * (len(places) - 1) + 2 * EDGE, 8.5 * len(title))
    lines = max(len(under(place)) for place in places)
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
    """How wide the cards of a place are."""
    return CARD + STEP[place.form] * max(len(place.cards) - 1, 0)


def under(place: Lying) -> list[str]:
    """What stands under a place."""
    return textwrap.wrap(place.name, max(LETTERS, int(extent(place) / 7)))


def lying(place: Lying, middle: float) -> str:
    """The cards of a place, its name and its label; an empty place as an outline."""
    left = middle - extent(place) / 2
    names = [text(each, middle, TOP + HIGH + 19 + 15 * row, 13, INK) for row, each in enumerate(under(place))]
    cards = [card(look, left + STEP[place.form] * number, place.hidden) for number, look in enumerate(place.cards)]
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
    """A label on the corner of a place: a number in an example."""
    if not label:
        return ""
    width = 12 + 8 * len(label)
    return f'<rect x="{right - width / 2:g}" y="{TOP - 8}" width="{width}" height="20" rx="10" fill="{INK}"/>' + text(
        label, right, TOP + 7, 13, "#fff"
    )
