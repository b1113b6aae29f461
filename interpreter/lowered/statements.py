"""Define the statements of the IR.

Code that may wait is lowered to a routine: statements in order, with `Wait`, `Run` and loops around them. The pass
`interpreter.lowering.splitting` cuts a routine into blocks. It replaces the statements of `IN_ROUTINES` by those of
`IN_BLOCKS`. A `Leave` remains if its step runs in another frame, or in the caller of a function."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from interpreter.lowered.expressions import Expr, Local


@frozen(eq=False)
class Stmt:
    pass


Body = tuple[Stmt, ...]


@frozen(eq=False)
class Assign(Stmt):
    """Assignment to a variable. `copied`: copy a list that will change."""

    local: Local
    value: Expr
    copied: bool = False


@frozen(eq=False)
class Store(Stmt):
    """Assignment to a track.

    place: the rule, if listeners receive an event; None: no event.
    checked: the number may be absent or too large.
    count: the number of consecutive slots to set."""

    base: int
    of: Expr | None
    value: Expr
    place: int | None = None
    checked: bool = False
    count: int = 1


@frozen(eq=False)
class Bump(Stmt):
    """Addition to a track, or subtraction from it."""

    base: int
    of: Expr | None
    operator: Literal["+", "-"]
    value: Expr
    place: int
    checked: bool
    told: bool = True


@frozen(eq=False)
class SetLink(Stmt):
    """Assignment to a value of an announcement; see `Link`. Without `depth`, in the current frame."""

    depth: Expr | None
    base: Expr
    offset: int
    value: Expr


@frozen(eq=False)
class If(Stmt):
    condition: Expr
    then: Body
    otherwise: Body = ()


@frozen(eq=False)
class ForEach(Stmt):
    local: Local
    list: Expr
    body: Body


@frozen(eq=False)
class Answers(Stmt):
    """Loop over simultaneous choices: `who` chose, and `answer` (a code or picks)."""

    chosen: Local
    who: Local
    answer: Local
    body: Body


@frozen(eq=False)
class While(Stmt):
    """Loop while the condition holds. None: until a statement in it leaves."""

    condition: Expr | None
    body: Body


@frozen(eq=False)
class Effect(Stmt):
    """Operation that moves or shows cards, or changes the players: see `interpreter.lowered.operations`."""

    operation: str
    args: tuple[Expr, ...]
    place: int | None


@frozen(eq=False)
class Event(Stmt):
    """Event for listeners."""

    name: str
    place: int
    args: tuple[Expr, ...]


@frozen(eq=False)
class Fuel(Stmt):
    """Charge of steps to the step limit."""

    steps: Expr
    place: int


@frozen(eq=False)
class Do(Stmt):
    """Call of a function without waiting. `finishes`: it may finish an enclosing step of this place."""

    function: str
    args: tuple[Expr, ...]
    finishes: bool = False


@frozen(eq=False)
class DoBorne(Stmt):
    """Call of the function that a table has for a card; no effect if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]
    finishes: bool = False


@frozen(eq=False)
class Expect(Stmt):
    """Property to check, if checks are on. `number`: of the property; `values`: of its operands."""

    number: int
    condition: Expr
    values: tuple[Expr, ...]


@frozen(eq=False)
class Return(Stmt):
    value: Expr | None = None


@frozen(eq=False)
class Collect(Stmt):
    """Addition of a value, or of all items of a list (`many`), to a list under construction."""

    local: Local
    value: Expr
    many: bool = False


@frozen(eq=False)
class Leave(Stmt):
    """Exit from the innermost step of that name, in any frame."""

    step: str


# ---------------------------------------------------------------- in routines
@frozen(eq=False)
class Wait(Stmt):
    """Wait for a player's move, which `answer` receives.

    legal: the non-empty codes of the legal moves.
    most: for a choice of several items, one by one, the maximum number; `answer` receives the picks.
    told: the place of the rule, if each move is reported immediately."""

    site: int
    who: Expr
    legal: Local
    answer: Local
    most: Local | None = None
    told: int | None = None


@frozen(eq=False)
class Run(Stmt):
    """Call of a routine with a frame of its own."""

    routine: str
    args: tuple[Expr, ...]
    place: int


@frozen(eq=False)
class RunBorne(Stmt):
    """Call of the routine that a table has for a card; no effect if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]
    place: int


@frozen(eq=False)
class Scope(Stmt):
    """Step within the same frame. Its `Leave` continues after it."""

    step: str
    body: Body


@frozen(eq=False)
class Mark(Stmt):
    """Start of simultaneous choices, to which sampling goes back to re-draw them. `site`: their decision; `chosen`:
    their storage."""

    site: int
    chosen: Local


# ---------------------------------------------------------------- in blocks
@frozen(eq=False)
class Stop(Stmt):
    """Wait for the move, which `block` takes."""

    block: int
    site: int
    who: Expr
    legal: Local


@frozen(eq=False)
class Enter(Stmt):
    """Push a frame for a routine and continue there.

    routine: its name or, with `card`, the name of a table of routines by card.
    after: the block that continues here when the routine is done."""

    routine: str
    args: tuple[Expr, ...]
    after: int
    place: int
    card: Expr | None = None


@frozen(eq=False)
class Goto(Stmt):
    block: int


@frozen(eq=False)
class TakePick(Stmt):
    """Next pick of several. Waits for more until there are `most` or the player is done; then `answer` holds all
    picks.

    code: the code of this pick."""

    site: int
    code: Local
    most: Local
    answer: Local


@frozen(eq=False)
class KeepPlace(Stmt):
    """Storage of the current block in the frame, for code that may finish an enclosing step."""

    block: int


@frozen(eq=False)
class End(Stmt):
    """End of the match."""


@frozen(eq=False)
class Again(Stmt):
    """Body of a block that loops to itself. A `Goto` to this block within the body restarts it."""

    block: int
    body: Body


@frozen(eq=False)
class Pop(Stmt):
    """Pop of the finished frame: the one below continues."""


# ---------------------------------------------------------------- every class, once
EVERYWHERE: tuple[type[Stmt], ...] = (
    Assign, Store, Bump, SetLink, If, ForEach, Answers, While, Effect, Event, Fuel, Do, DoBorne, Expect, Return,
    Collect, Leave,
)  # fmt: skip
"""Allowed in functions, routines and blocks."""
IN_ROUTINES: tuple[type[Stmt], ...] = (Wait, Run, RunBorne, Scope, Mark)
"""Statements at which routines are cut."""
IN_BLOCKS: tuple[type[Stmt], ...] = (Stop, Enter, Goto, TakePick, KeepPlace, End, Again, Pop)
PRINTED = (*EVERYWHERE, *IN_BLOCKS)
"""Statements that the code generators must support."""
