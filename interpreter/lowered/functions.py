"""Functions of a lowered program, and routines before they are cut into blocks."""

from __future__ import annotations

from attrs import field, frozen

from interpreter.lowered.expressions import Local
from interpreter.lowered.kinds import Kind
from interpreter.lowered.statements import Stmt


@frozen(eq=False)
class Function:
    """Runs from its start to its end. `result`: what it gives, if anything. `place`: the rule that it comes from.
    `catches`: a step that others called from here may finish. `site`: it lists the moves of that decision, in the
    frame of `routine`."""

    name: str
    params: tuple[Local, ...]
    body: tuple[Stmt, ...]
    result: Kind | None = None
    place: int | None = None
    catches: str | None = None
    site: int | None = None


@frozen(eq=False)
class Routine:
    """May wait. `params` come with the frame. `wanted`: variables that listers of moves and explanations read.
    `links`: runs of variables that lie side by side in the frame."""

    name: str
    params: tuple[Local, ...]
    body: tuple[Stmt, ...]
    wanted: frozenset[int] = field(default=frozenset())
    links: tuple[tuple[Local, ...], ...] = ()
