"""Sizes in which a table can be drawn."""

from __future__ import annotations

from attrs import frozen


@frozen
class Sizes:
    """Size of each part of a table.

    `hand`, `middle`: 3 boxes, 2 fans, 1 text. `seats`: 3 columns with larger piles, 2 columns, 1 text. `spaced`: empty
    lines between the parts. `bare`: without the stacks that players have put away."""

    hand: int
    middle: int
    seats: int
    spaced: bool = False
    bare: bool = False

    @property
    def forms(self) -> tuple[bool, bool, bool]:
        """Return which of hand, middle and seats are drawn as cards or columns, not as text."""
        return self.hand > 1, self.middle > 1, self.seats > 1


SIZES = (
    Sizes(3, 3, 3, spaced=True),
    Sizes(3, 3, 3),
    Sizes(3, 3, 2),
    Sizes(3, 3, 2, bare=True),
    Sizes(3, 2, 2, bare=True),
    Sizes(2, 2, 2, bare=True),
    Sizes(2, 2, 1, bare=True),
    Sizes(2, 1, 2, bare=True),
    Sizes(2, 1, 1, bare=True),
    Sizes(1, 1, 1, bare=True),
)
"""All sizes, largest first. The first that fits is used."""
