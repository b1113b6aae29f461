"""Blocks, between which a match can stand still, and the frames in which their variables lie."""

from __future__ import annotations

from attrs import Factory, define

from interpreter.lowered.expressions import Local
from interpreter.lowered.kinds import Kind, absent
from interpreter.lowered.statements import Stmt


@define(eq=False)
class Block:
    """`site`: of the decision whose answer it takes, as `code`. `enclosing`: for each step around it in the same frame,
    the block that follows the step's end. `routine`: whose frame it works in. `reads`: the variables that it reads
    before it sets them."""

    number: int
    routine: str
    body: list[Stmt] = Factory(list)
    site: int | None = None
    code: Local | None = None
    enclosing: dict[str, int] = Factory(dict)
    reads: set[int] = Factory(set)


@define(eq=False)
class Frame:
    """Slot 0 is the block to go on with, then come the parameters, then the rest. `slots`: of each variable, by its
    number; `kinds`: by slot, None for slot 0; `codes`: slots that hold choices waiting for others, with their sites;
    `open`: variables that other frames may change."""

    routine: str
    params: int
    slots: dict[int, int] = Factory(dict)
    kinds: list[Kind | None] = Factory(lambda: [None])
    codes: dict[int, int] = Factory(dict)
    open: frozenset[int] = frozenset()

    @property
    def held(self) -> frozenset[int]:
        """The variables that nobody else changes."""
        return frozenset(self.slots) - self.open

    @property
    def size(self) -> int:
        return len(self.kinds)

    @property
    def padding(self) -> list[object]:
        """What a frame holds beside its parameters when it is pushed."""
        return [blank(kind) for kind in self.kinds[1 + self.params :]]

    @property
    def cards(self) -> list[int]:
        """The slots that hold cards or lists of cards."""
        return [slot for slot, kind in enumerate(self.kinds) if kind is not None and kind.is_cards]


def blank(kind: Kind | None) -> object:
    """What a slot holds before it is set."""
    return 0 if kind is None or kind.tag == "number" else absent(kind)
