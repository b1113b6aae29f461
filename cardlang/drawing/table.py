"""Draw the plan of a table as SVG: its zones, their owners, and whether their cards are face up or down."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import Protocol

from cardlang.drawing.cards import FONT

BOX, ROW, GAP, HEADING = 150, 124, 10, 30
LETTER = 7
"""Average width of a letter of a heading."""
SMALL, LINE, UNDER = 6.2, 16, 14
"""Average width of a letter under a zone, line height of its name, and line height of the text under that."""
INK, PALE = "#222", "#555"
SEEN = {
    "everyone": "face up",
    "nobody": "face down",
    "owner": "for its owner only",
    "others": "for all but its owner",
}


BESIDE = ("in a row", "in rows", "one before")
"""Beginnings of the arrangements in which cards are next to each other."""


class Spot(Protocol):
    """A zone: see `cardlang.rulesheet.model.Spot`."""

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
    @property
    def lies(self) -> str: ...


def plan_svg(spots: Sequence[Spot], columns: int = 3) -> str:
    """Draw the zones, in a frame for the table and one for each kind of owner.

    `columns`: the maximum number of zones in a row. Frames share a row if their zones fit in it together.
    """
    owners = sorted(dict.fromkeys(spot.whose for spot in spots), key=bool)
    frames = [[spot for spot in spots if spot.whose == owner] for owner in owners]
    rows: list[list[list[Spot]]] = [[]]
    for frame in frames:
        if rows[-1] and sum(map(len, rows[-1])) + len(frame) > columns:
            rows.append([])
        rows[-1].append(frame)
    width, y = columns * BOX, 0.0
    parts: list[str] = []
    for row in rows:
        height = HEADING + ROW * max(-(-len(frame) // columns) for frame in row)
        parts += beside(row, columns, width, y, height)
        y += height + GAP
    size = f'viewBox="0 0 {width} {y - GAP:g}" width="{width}" height="{y - GAP:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def beside(row: Sequence[Sequence[Spot]], columns: int, width: float, y: float, height: float) -> Iterator[str]:
    """Draw the frames of one row, as wide together as the plan."""
    shares = [min(len(frame), columns) for frame in row]
    free, x = width - GAP * (len(row) - 1), 0.0
    for frame, share in zip(row, shares, strict=True):
        own = free * share / sum(shares)
        yield group(frame, share, x, y, own, height)
        x += own + GAP


def describe(spots: Sequence[Spot]) -> str:
    """Return a description of the plan in words."""
    said = [f"{spot.name} ({f'one for each {spot.whose}, ' if spot.whose else ''}{how(spot)})" for spot in spots]
    return f"Plan of the table: {', '.join(said)}."


def how(spot: Spot) -> str:
    """Return the arrangement of the cards of a zone: `face up, in a row`."""
    return f"{SEEN[spot.seen]}, {spot.lies}" if spot.lies else SEEN[spot.seen]


def heading(owner: str, names: Sequence[str], letters: int) -> str:
    """Return the heading of a frame: the owners of its zones, in at most `letters` letters."""
    if not owner:
        told = ["In the middle of the table", "The table"]
    elif owner == "player":
        told = ["In front of each player", "Each player"]
    else:
        told = [*([f"For each {owner}: {', '.join(names)}"] if len(names) < 7 else []), f"For each {owner}"]
    fitting = (said for said in told if len(said) <= letters)
    return next(fitting, textwrap.shorten(told[-1], letters, placeholder=" …"))


def group(spots: Sequence[Spot], columns: int, x: float, y: float, width: float, height: float) -> str:
    """Draw a frame with its zones, `columns` in a row."""
    frame = (
        f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{width - 2:g}" height="{height - 2:g}" rx="12" fill="#f2efe6" '
        'stroke="#777"/>'
    )
    shown = heading(spots[0].whose, spots[0].owners, int(width / LETTER))
    box = min(width / columns, 1.25 * BOX)
    parts = [frame, text(shown, x + width / 2, y + 21, 14, PALE)]
    for number, spot in enumerate(spots):
        row, column = divmod(number, columns)
        beside = min(columns, len(spots) - row * columns)
        middle = x + width / 2 + (column + 0.5 - beside / 2) * box
        parts.append(place(spot, middle, y + HEADING + row * ROW, box))
    return "".join(parts)


def place(spot: Spot, middle: float, y: float, width: float) -> str:
    """Draw a zone, at most `width` wide: its pile or single card, its name, and the arrangement of its cards."""
    lines = textwrap.wrap(spot.name, 18, max_lines=2, placeholder=" …")
    names = [text(each, middle, y + 76 + LINE * row, 15, INK) for row, each in enumerate(lines)]
    under = y + 76 + LINE * len(lines)
    said = textwrap.wrap(how(spot), int(width / SMALL), max_lines=2, placeholder=" …")
    seen = [text(each, middle, under + UNDER * row, 12.5, PALE) for row, each in enumerate(said)]
    return pile(spot, middle - 20, y + 2) + "".join([*names, *seen])


def pile(spot: Spot, x: float, y: float) -> str:
    """Draw a card or a pile: face down unless all players see it, and a fan if it is a hand."""
    if spot.seen in ("owner", "others") and not spot.single:
        return "".join(card(x, y, spot.seen, f"rotate({turn} {x + 20:g} {y + 70:g})") for turn in (-16, 0, 16))
    if spot.single:
        return card(x, y, spot.seen)
    if spot.lies.startswith(BESIDE):
        return "".join(card(x + step, y, spot.seen) for step in (-44, 0, 44))
    return "".join(card(x + step, y - step, spot.seen) for step in (-4, 0, 4))


def card(x: float, y: float, seen: str, turned: str = "") -> str:
    """Draw one card of 40 by 56."""
    move = f' transform="{turned}"' if turned else ""
    face = f'<rect x="{x:g}" y="{y:g}" width="40" height="56" rx="4" fill="#fff" stroke="{INK}"{move}/>'
    if seen == "everyone":
        return face + f'<path d="M{x + 6:g} {y + 10:g}h10M{x + 24:g} {y + 46:g}h10" stroke="{INK}" stroke-width="3"/>'
    back = f'<rect x="{x + 4:g}" y="{y + 4:g}" width="32" height="48" rx="2" fill="#5b7083"{move}/>'
    if seen == "nobody":
        return face + back
    return face + f'<rect x="{x + 4:g}" y="{y + 4:g}" width="32" height="48" rx="2" fill="#c3cfd9"{move}/>'


def text(said: str, x: float, y: float, size: float, colour: str) -> str:
    """Draw a centred line of text; `y` is its base line."""
    return (
        f'<text x="{x:g}" y="{y:g}" {FONT} font-size="{size:g}" fill="{colour}" text-anchor="middle">'
        f"{escape(said)}</text>"
    )
