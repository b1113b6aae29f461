"""Layout stability: sizes and positions that persist between frames, so that nothing on a table jumps."""

from __future__ import annotations

from attrs import define, field

from cardlang.terminal.screen.blocks import Block


@define
class Calm:
    """Layout state shared by consecutive frames.

    `shape`: columns and rows of the screen. `deal`: number of finished deals. `size`: index of the chosen size.
    `heights`, `widths`: minimum height or width of each part, which never shrinks within a deal. `fanned`: piles drawn
    as fans.

    Some fields outlast a deal. `came`: piles in order of first appearance. `counted`: piles shown only as a count.
    `grew`: piles that grow wider with each card."""

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
        """Reset the layout if the screen size or the deal has changed. Then parts that didn't fit get another
        chance."""
        if (self.shape, self.deal) != ((columns, rows), deal):
            self.shape, self.deal, self.size, self.heights = (columns, rows), deal, 0, {}
            self.fanned.clear()
            self.widths.clear()


def raised(block: Block, height: int) -> Block:
    """Return a block padded with empty lines to a height."""
    return (*block, *[()] * (height - len(block)))
