"""How large a table can be drawn."""

from __future__ import annotations

from attrs import frozen


@frozen
class Sizes:
    """How large things are drawn: `hand`, `middle`: 3 boxes, 2 fans, 1 lines; `seats`: 2 columns, 1 lines; `spaced`:
    with empty lines between the parts; `bare`: without what players have put away in stacks."""

    hand: int
    middle: int
    seats: int
    spaced: bool = False
    bare: bool = False

    @property
    def forms(self) -> tuple[bool, bool, bool]:
        """What is drawn as cards and columns, and what is told in lines."""
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
"""From the largest: the first that fits is taken."""
