"""What stays as it is from one screen to the next, so that nothing on a table jumps."""

from __future__ import annotations

from attrs import define, field

from cardlang.terminal.screen.blocks import Block


@define
class Calm:
    """The size that was chosen for a screen of `shape` (columns and rows), and how high its parts have been: they never
    grow smaller while a deal lasts. `deal`: so many were over before; `fanned`: the piles that lay as a fan; `widths`:
    how wide parts that lie beside others have been. What lasts longer than a deal: `came`: piles in the order in which
    they first lay there; `counted`: those of which only the number of cards was told; `grew`: those that grew broader
    with each card."""

    shape: tuple[int, int] = (0, 0)
    deal: int = 0
    size: int = 0
    heights: dict[str, int] = field(factory=dict)
    fanned: set[str] = field(factory=set)
    widths: dict[str, int] = field(factory=dict)
    came: list[str] = field(factory=list)
    counted: set[str] = field(factory=set)
    grew: set[str] = field(factory=set)

    def fit(self, columns: int, rows: int, deal: int = 0) -> None:
        """Begins anew on a screen of another size, and with another deal: what had no room in one may have in the
        next."""
        if (self.shape, self.deal) != ((columns, rows), deal):
            self.shape, self.deal, self.size, self.heights = (columns, rows), deal, 0, {}
            self.fanned.clear()
            self.widths.clear()


def raised(block: Block, height: int) -> Block:
    """A block with empty lines below it, up to a height."""
    return (*block, *[()] * (height - len(block)))
