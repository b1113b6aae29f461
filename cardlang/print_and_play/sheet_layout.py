"""Arrangement of cards on pages: sizes, rows, columns, backs and bleed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import frozen

T = TypeVar("T")
PAPER_SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}
"""Width and height of papers in millimetres."""
LAYOUTS = {"sheet": "portrait", "landscape": "landscape", "gutterfold": "portrait", "single": "portrait"}
MAX_CARDS_PER_FILE = 270
"""Maximum number of cards in a file: more would need hundreds of megabytes of memory."""
MARK_MARGIN = 6.5
"""Room for crop marks at each edge of the paper, in millimetres."""


@frozen
class SheetLayout:
    """Arrangement of cards on pages. Lengths are in millimetres.

    - `backs`: each page of fronts is followed by its backs, if True. `is_folded`: the backs are next to the fronts.
    - `bleed`: width of the strip around each card that is cut off.
    """

    columns: int
    rows: int
    page: tuple[float, float]
    card: tuple[float, float]
    bleed: float = 0
    backs: bool = True
    is_folded: bool = False

    @property
    def slots_per_page(self) -> int:
        return self.columns * self.rows

    @property
    def cards_per_page(self) -> int:
        return self.slots_per_page // (2 if self.is_folded else 1)

    @property
    def cards_per_file(self) -> int:
        return max(MAX_CARDS_PER_FILE, self.cards_per_page) // self.cards_per_page * self.cards_per_page

    @property
    def pages_per_sheet(self) -> int:
        return 2 if self.backs and not self.is_folded else 1

    def split_into_pages(self, slots: Sequence[T]) -> list[tuple[T | None, ...]]:
        """Split cards into pages, row by row. Empty slots of the last page are None."""
        filled = [*slots, *[None] * (-len(slots) % self.slots_per_page)]
        return [tuple(filled[at : at + self.slots_per_page]) for at in range(0, len(filled), self.slots_per_page)]

    def mirror_page(self, page: Sequence[T]) -> tuple[T, ...]:
        """Return the back of a page that is flipped on its long edge: each row from right to left."""
        rows = [page[first : first + self.columns] for first in range(0, len(page), self.columns)]
        return tuple(slot for row in rows for slot in reversed(row))

    def build_inputs(self) -> dict[str, str]:
        """Return the inputs of the Typst template."""
        lengths = {
            "page-width": self.page[0],
            "page-height": self.page[1],
            "width": self.card[0],
            "height": self.card[1],
            "bleed": self.bleed,
            "columns": self.columns,
            "rows": self.rows,
        }
        return {name: str(value) for name, value in lengths.items()}


def build_layout(
    arrangement: str, paper: str, card: tuple[float, float], bleed: float = 0, backs: bool = True
) -> SheetLayout:
    """Return one of `LAYOUTS` for cards of a size. Raise ValueError if no card fits on the paper."""
    width, height = (length + 2 * bleed for length in card)
    if arrangement == "single":
        return SheetLayout(1, 1, (width, height), card, bleed, backs)
    page = PAPER_SIZES[paper]
    if LAYOUTS[arrangement] == "landscape":
        page = (page[1], page[0])
    columns, rows = (
        int((side - 2 * MARK_MARGIN) // length) for side, length in zip(page, (width, height), strict=True)
    )
    is_folded = arrangement == "gutterfold"
    if min(columns, rows) < 1 or (is_folded and columns < 2):
        raise ValueError(f"No card of {width:g} by {height:g} mm fits on this paper.")
    return SheetLayout(2 if is_folded else columns, rows, page, card, bleed, backs, is_folded)
