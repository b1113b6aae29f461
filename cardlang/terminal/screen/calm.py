"""What stays as it is from one screen to the next, so that nothing on a table jumps."""

from __future__ import annotations

from attrs import define, field

from cardlang.terminal.screen.blocks import Block


@define
class Calm:
    """The size that was chosen for a screen of `shape` (columns and rows), and how high its parts have been: they never
    grow smaller while it holds. `fanned`: the piles that lay as a fan."""

    shape: tuple[int, int] = (0, 0)
    size: int = 0
    heights: dict[str, int] = field(factory=dict)
    fanned: set[str] = field(factory=set)

    def fit(self, columns: int, rows: int) -> None:
        """Begins anew on a screen of another size."""
        if self.shape != (columns, rows):
            self.shape, self.size, self.heights = (columns, rows), 0, {}
            self.fanned.clear()


def raised(block: Block, height: int) -> Block:
    """A block with empty lines below it, up to a height."""
    return (*block, *[()] * (height - len(block)))
