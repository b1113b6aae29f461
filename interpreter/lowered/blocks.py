"""Define blocks, between which a match can pause, and the frames that store their variables."""

from __future__ import annotations

from attrs import Factory, define

from interpreter.lowered.expressions import Local
from interpreter.lowered.kinds import Kind, absent
from interpreter.lowered.statements import Stmt


@define(eq=False)
class Block:
    """Block of a routine.

    site: the decision whose move it takes, as `code`.
    enclosing: for each enclosing step in the same frame, the block after the step's end.
    routine: the routine whose frame it uses.
    reads: the variables that it reads before it sets them."""

    number: int
    routine: str
    body: list[Stmt] = Factory(list)
    site: int | None = None
    code: Local | None = None
    enclosing: dict[str, int] = Factory(dict)
    reads: set[int] = Factory(set)


@define(eq=False)
class Frame:
    """Layout of a routine's frame. Slot 0 holds the block to continue with, then come the parameters, then the rest.

    slots: the slot of each variable, by its number.
    kinds: by slot; None for slot 0.
    codes: slots with choices that wait for other players, with their sites.
    open: variables that other frames may change."""

    routine: str
    params: int
    slots: dict[int, int] = Factory(dict)
    kinds: list[Kind | None] = Factory(lambda: [None])
    codes: dict[int, int] = Factory(dict)
    open: frozenset[int] = frozenset()

    @property
    def held(self) -> frozenset[int]:
        """Variables that no other frame changes."""
        return frozenset(self.slots) - self.open

    @property
    def size(self) -> int:
        return len(self.kinds)

    @property
    def padding(self) -> list[object]:
        """Initial values of the slots after the parameters."""
        return [blank(kind) for kind in self.kinds[1 + self.params :]]

    @property
    def cards(self) -> list[int]:
        """Slots that hold cards or lists of cards."""
        return [slot for slot, kind in enumerate(self.kinds) if kind is not None and kind.is_cards]


def blank(kind: Kind | None) -> object:
    """Return the initial value of a slot."""
    return 0 if kind is None or kind.tag == "number" else absent(kind)
