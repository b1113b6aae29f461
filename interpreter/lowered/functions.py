"""Define functions of the IR, and routines before they are cut into blocks."""

from __future__ import annotations

from attrs import field, frozen

from interpreter.lowered.expressions import Local
from interpreter.lowered.kinds import Kind
from interpreter.lowered.statements import Stmt


@frozen(eq=False)
class Function:
    """Function that runs from start to end without waiting.

    result: the type of its result, if any.
    place: the rule that it comes from.
    catches: a step that functions called from here may finish.
    site: the decision whose moves it lists, in the frame of `routine`."""

    name: str
    params: tuple[Local, ...]
    body: tuple[Stmt, ...]
    result: Kind | None = None
    place: int | None = None
    catches: str | None = None
    site: int | None = None


@frozen(eq=False)
class Routine:
    """Routine that may wait for decisions.

    params: the parameters, stored in its frame.
    wanted: variables that move listers and explanations read.
    links: groups of variables that are adjacent in the frame."""

    name: str
    params: tuple[Local, ...]
    body: tuple[Stmt, ...]
    wanted: frozenset[int] = field(default=frozenset())
    links: tuple[tuple[Local, ...], ...] = ()
