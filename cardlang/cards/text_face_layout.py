"""Layout of a card with text: the boxes of its parts on the drawing, in a view box of 63 by 88."""

from __future__ import annotations

from functools import cached_property

from attrs import define, evolve, frozen

from cardlang.cards.card_content import CardBadge, CardSide
from cardlang.cards.card_places import NOWHERE, WHOLE_CARD
from cardlang.cards.card_text_layout import FittedText, fit_side_text, wrap_side_title
from cardlang.cards.svg_elements import CARD_HEIGHT, CARD_WIDTH

EDGE, BAND_HEIGHT, STRIP_HEIGHT = 2.0, 19.0, 9.0
"""Width of the edge, and heights of the strips at the top and bottom, with the title and without."""
LEFT, RIGHT = 5.0, 58.0
"""Edges of the text."""
SIGN_WIDTH, SMALL_SIGN_WIDTH = 12.0, 9.0
"""Width of the index or symbol with its space, and of the small one that is repeated."""
SIDE_ART = 0.4
"""Share of the picture of the width, next to the text."""


@frozen
class PartBox:
    """A rectangle on a card, in a view box of 63 by 88."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """Vertical centre."""
        return (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        return self.right - self.left


@define(slots=False)
class TextFaceLayout:
    """Layout of a card with text."""

    side: CardSide

    @cached_property
    def corner_parts(self) -> dict[str, float]:
        """Widths of the parts that can be in corners, by name; without parts that this card lacks."""
        side = self.side
        has_sign, first = bool(side.index or side.symbol), side.values[:2]
        widths = {
            "symbol": SIGN_WIDTH * has_sign,
            "cost": get_badge_width(side.cost) + 1 if side.cost else 0,
            "values": sum(get_badge_width(badge) + 1 for badge in side.badges),
            "repeat": SMALL_SIGN_WIDTH * has_sign + sum(get_badge_width(badge) + 1 for badge in first),
        }
        return {part: width for part, width in widths.items() if width}

    def find_strip(self, row: str) -> PartBox:
        """Return the strip at the top or bottom edge; it has no height if nothing is there."""
        parts = [*self.corner_parts, "type"]
        is_used = any(getattr(self.side.places, part).row == row for part in parts)
        height = BAND_HEIGHT if self.side.places.title.row == row else STRIP_HEIGHT * is_used
        top = EDGE if row == "top" else CARD_HEIGHT - EDGE - height
        return PartBox(EDGE, top, CARD_WIDTH - EDGE, top + height)

    def list_corner(self, row: str, side: str) -> list[str]:
        """Return the parts in a corner, from the edge inwards."""
        return [part for part in self.corner_parts if getattr(self.side.places, part).name == f"{row} {side}"]

    def find_corner_part(self, part: str) -> tuple[float, float] | None:
        """Return the left edge and the middle of a part in a corner; None if it is elsewhere."""
        place = getattr(self.side.places, part)
        if part not in self.corner_parts or place.row not in ("top", "bottom"):
            return None
        corner = self.list_corner(place.row, place.side)
        before = sum(self.corner_parts[other] for other in corner[: corner.index(part)])
        own, middle = self.corner_parts[part], self.find_strip(place.row).middle
        return (LEFT + before if place.side == "left" else RIGHT - before - own), middle

    def find_corner_badges(self, part: str) -> tuple[float, float] | None:
        """Return the left edge and the middle of numbers in a corner; None if they are elsewhere."""
        found = self.find_corner_part(part)
        return (found[0] - (getattr(self.side.places, part).side == "left"), found[1]) if found else None

    def find_strip_room(self, row: str) -> tuple[float, float]:
        """Return the edges of the room between both corners of a strip."""
        corners = (self.list_corner(row, side) for side in ("left", "right"))
        left, right = (sum(self.corner_parts[part] for part in corner) for corner in corners)
        return LEFT + left, RIGHT - right

    @cached_property
    def title_room(self) -> tuple[float, float]:
        return self.find_strip_room(self.side.places.title.row)

    @cached_property
    def title_lines(self) -> list[str]:
        left, right = self.title_room
        return wrap_side_title(self.side, right - left) if self.side.places.title.name != NOWHERE else []

    @cached_property
    def middle(self) -> PartBox:
        """Box of the picture and the text."""
        return PartBox(LEFT, self.find_strip("top").bottom + 2.5, RIGHT, self.find_strip("bottom").top - 2)

    @property
    def is_beside(self) -> bool:
        """True if the picture is next to the text."""
        art, text = self.side.places.art, self.side.places.text
        return bool(art.side or text.side) and NOWHERE not in (art.name, text.name) and bool(self.side.passages)

    @cached_property
    def text_width(self) -> float:
        art, text, width = self.side.places.art, self.side.places.text, self.middle.width
        return width - (art.size or max(width - text.size, 12) * bool(text.size) or SIDE_ART * width) * self.is_beside

    @cached_property
    def body(self) -> FittedText:
        """The text, fitted into its width."""
        shown = self.side if self.side.places.text.name != NOWHERE else evolve(self.side, passages=(), longest=())
        return fit_side_text(shown, self.text_width / self.middle.width)

    @property
    def is_text_first(self) -> bool:
        return self.side.places.art.name in ("bottom", "right") or self.side.places.text.name in ("top", "left")

    @cached_property
    def text_origin(self) -> tuple[float, float]:
        """Left edge of the text, and base line of its first line."""
        box, left = self.middle, LEFT
        if self.is_beside and not self.is_text_first:
            left = RIGHT - self.text_width
        if self.is_beside or self.is_text_first:
            return left, box.top + self.body.size
        return left, box.bottom - self.body.height

    @cached_property
    def art(self) -> PartBox | None:
        """Box of the picture; None if there is none, or no room."""
        box, places = self.middle, self.side.places
        if places.art.name == NOWHERE:
            return None
        if self.is_beside:
            left = LEFT + self.text_width + 1 if self.is_text_first else LEFT
            return PartBox(left, box.top - 1, left + box.width - self.text_width - 1, box.bottom)
        top, bottom = box.top, box.bottom - 5.5 - self.body.height
        if self.is_text_first:
            top, bottom = box.bottom - (bottom - top), box.bottom
        if bottom - top <= 10:
            return None
        size = min(places.art.size or 40.0, bottom - top)
        return PartBox(LEFT, top - 1, RIGHT, top + size + 1)

    @property
    def values_y(self) -> float:
        """Middle of the first number next to the picture."""
        return (self.art.top + 1 if self.art and self.is_text_first else self.middle.top) + 3.2

    def find_first_number(self) -> tuple[float, float] | None:
        """Return the left edge and the middle of the first number; None if it is left out."""
        part = "cost" if self.side.cost else "values"
        place, found = getattr(self.side.places, part), self.find_corner_badges(part)
        if found or not place.side:
            return found
        edges = (self.art.left + 0.8, self.art.right - 0.8) if self.art else (LEFT - 1, RIGHT + 1)
        if place.side == "right":
            return edges[1] - get_badge_width(self.side.values[0]), self.values_y
        return edges[0] + 9 * bool(self.side.symbol and self.side.index), self.values_y

    @property
    def is_whole_art(self) -> bool:
        """True if the picture fills the whole card."""
        return self.side.art is not None and self.side.places.art.name == WHOLE_CARD


def get_badge_width(badge: CardBadge) -> float:
    return 4.5 + 2.7 * len(badge.value) + (4.5 if badge.symbol else get_badge_name_width(badge))


def get_badge_name_width(badge: CardBadge) -> float:
    """Return the width of the name of a number without an icon; 0 if it has one."""
    return 0 if badge.symbol else min(1.8 * len(badge.name), 16)
