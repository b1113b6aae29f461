"""Places of the parts of a card with text: where its title, its numbers, its picture and its text are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import asdict, frozen

ROWS, SIDES = ("top", "middle", "bottom"), ("left", "right")
CORNERS = ("top left", "top right", "bottom left", "bottom right")
WHOLE_CARD, NOWHERE = "whole card", "none"
PART_PLACES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("title", "type"), ("top", "bottom", *CORNERS, NOWHERE)),
    **dict.fromkeys(("symbol", "cost", "values"), (*CORNERS, *SIDES, NOWHERE)),
    "art": (*ROWS, *SIDES, WHOLE_CARD, NOWHERE),
    "text": (*ROWS, *SIDES, NOWHERE),
    "repeat": (*CORNERS, NOWHERE),
}
"""Places that each part can have."""
PLACE = re.compile(r"(.*?)(?: +([\d.]+) ?(mm|%))?")
MIN_SIZE, MAX_SHARE, MAX_SIDE_ART = 4, 90, 50
"""Least size of a part in millimetres, and the largest share of a card in percent: of a part, and of the picture next
to the text."""


@frozen
class PartPlace:
    """Place of a part, and its size in millimetres; 0 if it is as large as it needs to be."""

    name: str
    size: float = 0

    @property
    def row(self) -> str:
        """`top`, `middle` or `bottom`; empty if it is in no row."""
        return self.name.split()[0] if self.name.startswith(ROWS) else ""

    @property
    def side(self) -> str:
        """`left` or `right`; empty if it is on neither side."""
        return self.name.split()[-1] if self.name.endswith(SIDES) else ""


@frozen
class CardPlaces:
    """Places of the parts of a card with text. `repeat`: its symbol and cost once more, upside down."""

    title: PartPlace = PartPlace("top left")
    symbol: PartPlace = PartPlace("top left")
    cost: PartPlace = PartPlace("left")
    values: PartPlace = PartPlace("left")
    art: PartPlace = PartPlace("middle")
    text: PartPlace = PartPlace("bottom")
    type: PartPlace = PartPlace("bottom left")
    repeat: PartPlace = PartPlace("bottom right")

    def map_parts(self) -> dict[str, PartPlace]:
        return asdict(self, recurse=False)

    def find_conflicts(self, card: tuple[float, float]) -> Iterator[tuple[str, str, str]]:
        """Yield parts that get in each other's way: a part, the reason and the cure. `card`: width and height in
        millimetres."""
        pairs = [("title", "type", self.title.row, self.type.row), ("art", "text", self.art.name, self.text.name)]
        for first, second, one, two in pairs:
            if one == two != NOWHERE and one:
                yield second, f"`{first}` and `{second}` have one place, {one}", f"choose another place for `{second}`"
        large = {part: getattr(self, part) for part in ("title", "art", "text", "type")}
        for is_beside, word, room in ((True, "wide", card[0]), (False, "high", card[1])):
            sizes = {part: place.size for part, place in large.items() if (place.name in SIDES) == is_beside}
            if (needed := sum(sizes.values())) > room:
                reason = f"the parts of a card are {needed:.3g} mm {word}, but a card is {room:g} mm {word}"
                yield max(sizes, key=lambda part: sizes[part]), reason, "choose smaller sizes"


LAYOUTS = {
    "band": CardPlaces(),
    "full-art": CardPlaces(art=PartPlace(WHOLE_CARD)),
    "text": CardPlaces(art=PartPlace(NOWHERE)),
}
"""Named sets of places."""


def parse_place(part: str, text: str, card: tuple[float, float]) -> PartPlace:
    """Return a place such as `bottom 30 mm` or `left 40 %`. Raise ValueError with a reason and a cure.

    A percentage is of the height of a card, or of its width for a part on its left or right. `card`: both in
    millimetres.
    """
    name, number, unit = PLACE.fullmatch(" ".join(text.lower().split())).groups()  # type: ignore[union-attr]
    if name not in PART_PLACES[part]:
        size_form = ", with a size such as 30 mm or 40 %" if re.search(r"\d", text) else ""
        raise ValueError(f"`{part}` has no place “{text}”", f"choose {', '.join(PART_PLACES[part])}{size_form}")
    side = card[0] if name in SIDES else card[1]
    share = MAX_SIDE_ART if part == "art" and name in SIDES else MAX_SHARE
    largest = share / 100 * side
    try:
        size = float(number or 0) * (side / 100 if unit == "%" else 1)
    except ValueError:
        size = -1
    if number and (not MIN_SIZE <= size <= largest or name in (WHOLE_CARD, NOWHERE)):
        sizes = f"write {MIN_SIZE} to {largest:.3g} mm, or up to {share} %"
        raise ValueError(
            f"`{part}` can't have the size {number} {unit}", sizes if name in (*ROWS, *SIDES, *CORNERS) else "remove it"
        )
    return PartPlace(name, size)
