"""The plan of a table as SVG: its places, whose they are, and whether cards lie face up or down there."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape
from typing import Protocol

from cardlang.drawing.cards import FONT

WIDTH, COLUMNS, ROW, GAP = 480, 3, 124, 10
BOX = (WIDTH - 2 * GAP) / COLUMNS
HEADING = 30
INK, PALE = "#222", "#555"
SEEN = {
    "everyone": "face up",
    "nobody": "face down",
    "owner": "for its owner only",
    "others": "for all but its owner",
}


class Spot(Protocol):
    """A place for cards: see `cardlang.rulesheet.model.Spot`."""

    @property
    def name(self) -> str: ...
    @property
    def whose(self) -> str: ...
    @property
    def owners(self) -> tuple[str, ...]: ...
    @property
    def seen(self) -> str: ...
    @property
    def single(self) -> bool: ...


def plan_svg(spots: Sequence[Spot]) -> str:
    """The places, in a frame for the table and one for each kind of owner."""
    whose = sorted(dict.fromkeys(spot.whose for spot in spots), key=bool)
    y, parts = 0.0, []
    for owner in whose:
        inside = [spot for spot in spots if spot.whose == owner]
        drawn, height = group(heading(owner, inside[0].owners), inside, y)
        parts.append(drawn)
        y += height + GAP
    size = f'viewBox="0 0 {WIDTH} {y - GAP:g}" width="{WIDTH}" height="{y - GAP:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def describe(spots: Sequence[Spot]) -> str:
    """What the plan shows, in words."""
    said = [f"{spot.name} ({f'one for each {spot.whose}, ' if spot.whose else ''}{SEEN[spot.seen]})" for spot in spots]
    return f"Plan of the table: {', '.join(said)}."


def heading(owner: str, names: Sequence[str]) -> str:
    if not owner:
        return "In the middle of the table"
    if owner == "player":
        return "In front of each player"
    return f"For each {owner}: {', '.join(names)}" if len(names) < 7 else f"For each {owner}"


def group(title: str, spots: Sequence[Spot], y: float) -> tuple[str, float]:
    """A frame with its places, and how high it is."""
    height = HEADING + ROW * -(-len(spots) // COLUMNS)
    frame = (
        f'<rect x="1" y="{y + 1:g}" width="{WIDTH - 2}" height="{height - 2}" rx="12" fill="#f2efe6" stroke="#777"/>'
    )
    shown = textwrap.shorten(title, 60, placeholder=" …")
    parts = [frame, text(shown, WIDTH / 2, y + 21, 14, PALE)]
    for number, spot in enumerate(spots):
        row, column = divmod(number, COLUMNS)
        empty = COLUMNS - min(COLUMNS, len(spots) - row * COLUMNS)
        parts.append(place(spot, GAP + (column + empty / 2) * BOX, y + HEADING + row * ROW))
    return "".join(parts), height


def place(spot: Spot, x: float, y: float) -> str:
    """A place: its pile or single card, its name, how its cards lie."""
    middle = x + BOX / 2
    lines = textwrap.wrap(spot.name, 18, max_lines=2, placeholder=" …")
    names = [text(each, middle, y + 76 + 17 * row, 15, INK) for row, each in enumerate(lines)]
    seen = text(SEEN[spot.seen], middle, y + 76 + 17 * len(lines), 12.5, PALE)
    return pile(spot, middle - 20, y + 2) + "".join(names) + seen


def pile(spot: Spot, x: float, y: float) -> str:
    """A card, or some on one another; its back if not everybody sees it; a fan if somebody holds it."""
    if spot.seen in ("owner", "others") and not spot.single:
        return "".join(card(x, y, spot.seen, f"rotate({turn} {x + 20:g} {y + 70:g})") for turn in (-16, 0, 16))
    if spot.single:
        return card(x, y, spot.seen)
    return "".join(card(x + step, y - step, spot.seen) for step in (-4, 0, 4))


def card(x: float, y: float, seen: str, turned: str = "") -> str:
    """One card of 40 by 56."""
    move = f' transform="{turned}"' if turned else ""
    face = f'<rect x="{x:g}" y="{y:g}" width="40" height="56" rx="4" fill="#fff" stroke="{INK}"{move}/>'
    if seen == "everyone":
        return face + f'<path d="M{x + 6:g} {y + 10:g}h10M{x + 24:g} {y + 46:g}h10" stroke="{INK}" stroke-width="3"/>'
    back = f'<rect x="{x + 4:g}" y="{y + 4:g}" width="32" height="48" rx="2" fill="#5b7083"{move}/>'
    if seen == "nobody":
        return face + back
    return face + f'<rect x="{x + 4:g}" y="{y + 4:g}" width="32" height="48" rx="2" fill="#c3cfd9"{move}/>'


def text(said: str, x: float, y: float, size: float, colour: str) -> str:
    """A centred line of text; `y` is its base line."""
    return (
        f'<text x="{x:g}" y="{y:g}" {FONT} font-size="{size:g}" fill="{colour}" text-anchor="middle">'
        f"{escape(said)}</text>"
    )
