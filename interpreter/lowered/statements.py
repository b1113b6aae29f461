"""Statements of a lowered program.

What may wait for an answer is lowered as a routine: statements in order, with `Wait`, `Run` and loops around them. The
pass `interpreter.lowering.splitting` cuts a routine into blocks; then those of `IN_ROUTINES` are gone, and those of
`IN_BLOCKS` stand in their place. A `Leave` is left where the step runs in another frame, or in what called a function.
"""

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
    """`copied`: a list that will change is copied."""

    local: Local
    value: Expr
    copied: bool = False


@frozen(eq=False)
class Store(Stmt):
    """Sets a track. `place`: of the rule, if somebody may be told; None: nobody is told. `checked`: a number that may
    be absent or too large. `count`: so many slots from there on."""

    base: int
    of: Expr | None
    value: Expr
    place: int | None = None
    checked: bool = False
    count: int = 1


@frozen(eq=False)
class Bump(Stmt):
    """Adds to a track, or takes from it."""

    base: int
    of: Expr | None
    operator: Literal["+", "-"]
    value: Expr
    place: int
    checked: bool
    told: bool = True


@frozen(eq=False)
class SetLink(Stmt):
    """Changes a value of an announcement; see `Link`. Without `depth`, in the frame that runs."""

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
    """Through what those who choose together have chosen: `who`, and `answer` (a code or picks)."""

    chosen: Local
    who: Local
    answer: Local
    body: Body


@frozen(eq=False)
class While(Stmt):
    """As long as the condition holds; None: until something in it leaves."""

    condition: Expr | None
    body: Body


@frozen(eq=False)
class Effect(Stmt):
    """Something that moves or shows cards, or changes who plays: see `interpreter.lowered.operations`."""

    operation: str
    args: tuple[Expr, ...]
    place: int | None


@frozen(eq=False)
class Event(Stmt):
    """What listeners are told."""

    name: str
    place: int
    args: tuple[Expr, ...]


@frozen(eq=False)
class Fuel(Stmt):
    """So many steps of the author's rules are done here."""

    steps: Expr
    place: int


@frozen(eq=False)
class Do(Stmt):
    """A function that waits for nobody. `finishes`: it may finish a step around this place."""

    function: str
    args: tuple[Expr, ...]
    finishes: bool = False


@frozen(eq=False)
class DoBorne(Stmt):
    """The function that a table of functions has for a card; nothing if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]
    finishes: bool = False


@frozen(eq=False)
class Expect(Stmt):
    """What must hold, where that is tested. `number`: of the property; `values`: of its sides."""

    number: int
    condition: Expr
    values: tuple[Expr, ...]


@frozen(eq=False)
class Return(Stmt):
    value: Expr | None = None


@frozen(eq=False)
class Collect(Stmt):
    """Adds a value, or all of a list (`many`), to a list that is being made."""

    local: Local
    value: Expr
    many: bool = False


@frozen(eq=False)
class Leave(Stmt):
    """Finishes the innermost step of that name, wherever it runs."""

    step: str


# ---------------------------------------------------------------- in routines
@frozen(eq=False)
class Wait(Stmt):
    """Somebody is asked; goes on when `answer` is there. `legal`: the codes of the moves open, which are some.
    `most`: a choice of several, one by one, up to so many; then `answer` is what was picked. `told`: the place of the
    rule, if listeners are told each answer at once."""

    site: int
    who: Expr
    legal: Local
    answer: Local
    most: Local | None = None
    told: int | None = None


@frozen(eq=False)
class Run(Stmt):
    """A routine with a frame of its own."""

    routine: str
    args: tuple[Expr, ...]
    place: int


@frozen(eq=False)
class RunBorne(Stmt):
    """The routine that a table of routines has for a card; nothing if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]
    place: int


@frozen(eq=False)
class Scope(Stmt):
    """A step within the same frame: `Leave` of it goes on behind."""

    step: str
    body: Body


@frozen(eq=False)
class Mark(Stmt):
    """A place that others go back to. `site`: the decision of those who choose together from here on, `chosen`: where
    their choices wait."""

    site: int
    chosen: Local


# ---------------------------------------------------------------- in blocks
@frozen(eq=False)
class Stop(Stmt):
    """Wait for the answer, which `block` takes."""

    block: int
    site: int
    who: Expr
    legal: Local


@frozen(eq=False)
class Enter(Stmt):
    """Push a frame for a routine and go on there; `after`: the block that goes on here when it is done. `routine` is
    its name, or, with `card`, a table of routines by card."""

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
    """One more is picked: asks on until there are `most`, or `done` is said; then `answer` is all that was picked.
    `code`: the answer to this one."""

    site: int
    code: Local
    most: Local
    answer: Local


@frozen(eq=False)
class KeepPlace(Stmt):
    """Notes in the frame where one is, for what may finish a step around it."""

    block: int


@frozen(eq=False)
class End(Stmt):
    """The match is over."""


@frozen(eq=False)
class Again(Stmt):
    """The statements of a block that goes on with itself; a `Goto` to it within them begins them anew."""

    block: int
    body: Body


@frozen(eq=False)
class Pop(Stmt):
    """The frame is done: go on in the one below."""


# ---------------------------------------------------------------- every class, once
EVERYWHERE: tuple[type[Stmt], ...] = (
    Assign, Store, Bump, SetLink, If, ForEach, Answers, While, Effect, Event, Fuel, Do, DoBorne, Expect, Return,
    Collect, Leave,
)  # fmt: skip
"""In functions, routines and blocks."""
IN_ROUTINES: tuple[type[Stmt], ...] = (Wait, Run, RunBorne, Scope, Mark)
"""Where routines are cut."""
IN_BLOCKS: tuple[type[Stmt], ...] = (Stop, Enter, Goto, TakePick, KeepPlace, End, Again, Pop)
PRINTED = (*EVERYWHERE, *IN_BLOCKS)
"""What printers know."""
