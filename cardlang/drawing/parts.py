"""Compute the bounding boxes of the parts of a printed card, for lines that lead to them."""

from __future__ import annotations

from attrs import frozen

from cardlang.drawing.printed import (
    CENTRE,
    HEIGHT,
    MIDDLE,
    PIPS,
    WIDTH,
    Side,
    fitting,
    headed,
    pictured,
    start_of,
    told_on,
)

BOLD, SMALL = 0.56, 0.45
"""Average width of a letter of a title and of the text on a card, relative to its size."""
CAPITAL = 0.66
"""Height of a capital or digit, relative to its size."""


@frozen
class Box:
    """A rectangle on a card, in a view box of 63 by 88."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """Vertical centre."""
        return (self.top + self.bottom) / 2


def parts(side: Side) -> dict[str, Box]:
    """Return the boxes of the parts of a face, by their names in `cardlang.drawing.specimen.PARTS`."""
    return corner(side) | (read(side) if side.read else plain(side)) | {"frame": Box(61, 19, WIDTH, 25)}


def corner(side: Side) -> dict[str, Box]:
    """Return the boxes of the index and symbol in the first corner.

    On a card with text, a symbol without an index is next to the title.
    """
    if not side.index:
        return {"symbol": around(9.5, 11, 9) if side.read else around(8.5, 10, 9)} if side.mark else {}
    size = 15 if len(side.index) == 1 else 13 if len(side.index) == 2 else 9.5
    wide = size * BOLD * len(side.index)
    index = {"index": Box(8.5 - wide / 2, 15 - CAPITAL * size, 8.5 + wide / 2, 15)}
    return index | ({"symbol": around(8.5, 24, 9)} if side.mark else {})


def read(side: Side) -> dict[str, Box]:
    """Return the boxes of the parts of a card with text."""
    start, head, (lines, size, step) = start_of(side), headed(side), told_on(side)
    broad = max(fitting(each, 58 - start, 6.6, 0.56) * len(each) * BOLD for each in head)
    first = 13 if len(head) == 1 else 10
    found = {"title": Box(start, first - 4.4, start + broad, first + 7 * (len(head) - 1))}
    y, large = pictured(len(lines) * step)
    if large:
        found["picture"] = around(MIDDLE, y, large)
    if lines:
        wide = max(fitting(each, 53, size, 0.52) * len(each) * SMALL for each in lines)
        found["text"] = Box(5, 75 - len(lines) * step - CAPITAL * size, 5 + wide, 75 - step)
    if side.foot:
        wide = fitting(side.foot[:40], 53, 3.9, 0.52) * len(side.foot[:40]) * SMALL
        found["foot"] = Box(5, 80, 5 + wide, 83)
    return found


def plain(side: Side) -> dict[str, Box]:
    """Return the boxes of the other parts of a card without text.

    If it has many symbols, return the one on the right that is nearest to the centre.
    """
    if side.mark and side.index.isdecimal() and int(side.index) in PIPS:
        large = 22.0 if int(side.index) == 1 else 11.5
        x, y = min(PIPS[int(side.index)], key=lambda at: (-at[0], abs(at[1] - CENTRE)))
        return {"picture": around(x, y, large)}
    if side.mark and side.index:
        return {"picture": Box(16, 14, 47, 74)}
    if side.mark:
        return {"picture": around(MIDDLE, 38, 30), "title": Box(6, 60, 57, 74)}
    return {"picture": Box(11.5, 27, 51.5, 59)} if side.index else {"title": Box(5.5, CENTRE - 8, 57.5, HEIGHT / 2 + 8)}


def around(x: float, y: float, size: float) -> Box:
    return Box(x - size / 2, y - size / 2, x + size / 2, y + size / 2)
