"""IR statements, functions, routines, blocks and frames.

Code that may wait for a decision is lowered to a routine: statements in order, with `Wait`, `Run` and loops around
them. `interpreter.lower.block_splitter` splits a routine into blocks. It replaces the statements of
`ROUTINE_STATEMENTS` by those of `BLOCK_STATEMENTS`. A `Leave` remains if its step runs in another frame, or in the
caller of a function.
"""

from __future__ import annotations

from typing import Literal

from attrs import Factory, define, field

from cardlang.tree import FrozenClass, FrozenValue
from interpreter.ir.ir_expressions import Expr, Kind, Local, encode_absent


class Stmt(FrozenValue):
    pass


Body = tuple[Stmt, ...]


class Assign(Stmt):
    """Assignment to a variable. `copied`: copy a list that will change."""

    local: Local
    value: Expr
    copied: bool = False


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


class Bump(Stmt):
    """Addition to a track, or subtraction from it."""

    base: int
    of: Expr | None
    operator: Literal["+", "-"]
    value: Expr
    place: int
    checked: bool
    told: bool = True


class SetLink(Stmt):
    """Assignment to a value of an announcement; see `Link`. Without `depth`, in the current frame."""

    depth: Expr | None
    base: Expr
    offset: int
    value: Expr


class If(Stmt):
    condition: Expr
    then: Body
    otherwise: Body = ()


class ForEach(Stmt):
    local: Local
    list: Expr
    body: Body


class Answers(Stmt):
    """Loop over simultaneous choices: `who` chose, and `answer` (a code or picks)."""

    chosen: Local
    who: Local
    answer: Local
    body: Body


class While(Stmt):
    """Loop while the condition holds. None: until a statement in it leaves."""

    condition: Expr | None
    body: Body


class Effect(Stmt):
    """Operation that moves or shows cards, or changes the players: see `EFFECT_OPERATIONS`."""

    operation: str
    args: tuple[Expr, ...]
    place: int | None


class Event(Stmt):
    """Event for listeners."""

    name: str
    place: int
    args: tuple[Expr, ...]


class Fuel(Stmt):
    """Charge of steps to the step limit."""

    steps: Expr
    place: int


class Do(Stmt):
    """Call of a function without waiting. `finishes`: it may finish an enclosing step of this place."""

    function: str
    args: tuple[Expr, ...]
    finishes: bool = False


class DoBorne(Stmt):
    """Call of the function that a table has for a card; no effect if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]
    finishes: bool = False


class Expect(Stmt):
    """Property to check, if checks are on. `number`: of the property; `values`: of its operands."""

    number: int
    condition: Expr
    values: tuple[Expr, ...]


class Return(Stmt):
    value: Expr | None = None


class Collect(Stmt):
    """Addition of a value, or of all items of a list (`many`), to a list under construction."""

    local: Local
    value: Expr
    many: bool = False


class Leave(Stmt):
    """Exit from the innermost step of that name, in any frame."""

    step: str


# ---------------------------------------------------------------- in routines
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


class Run(Stmt):
    """Call of a routine with a frame of its own."""

    routine: str
    args: tuple[Expr, ...]
    place: int


class RunBorne(Stmt):
    """Call of the routine that a table has for a card; no effect if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]
    place: int


class Scope(Stmt):
    """Step within the same frame. Its `Leave` continues after it."""

    step: str
    body: Body


class Mark(Stmt):
    """Start of simultaneous choices, to which sampling goes back to re-draw them. `site`: their decision; `chosen`:
    their storage."""

    site: int
    chosen: Local


# ---------------------------------------------------------------- in blocks
class Stop(Stmt):
    """Wait for the move, which `block` takes."""

    block: int
    site: int
    who: Expr
    legal: Local


class Enter(Stmt):
    """Push a frame for a routine and continue there.

    routine: its name or, with `card`, the name of a table of routines by card.
    after: the block that continues here when the routine is done."""

    routine: str
    args: tuple[Expr, ...]
    after: int
    place: int
    card: Expr | None = None


class Goto(Stmt):
    block: int


class TakePick(Stmt):
    """Next pick of several. Waits for more until there are `most` or the player is done; then `answer` holds all
    picks.

    code: the code of this pick."""

    site: int
    code: Local
    most: Local
    answer: Local


class KeepPlace(Stmt):
    """Storage of the current block in the frame, for code that may finish an enclosing step."""

    block: int


class End(Stmt):
    """End of the match."""


class Again(Stmt):
    """Body of a block that loops to itself. A `Goto` to this block within the body restarts it."""

    block: int
    body: Body


class Pop(Stmt):
    """Pop of the finished frame: the one below continues."""


# ---------------------------------------------------------------- every class, once
COMMON_STATEMENTS: tuple[type[Stmt], ...] = (
    Assign, Store, Bump, SetLink, If, ForEach, Answers, While, Effect, Event, Fuel, Do, DoBorne, Expect, Return,
    Collect, Leave,
)  # fmt: skip
"""Allowed in functions, routines and blocks."""
ROUTINE_STATEMENTS: tuple[type[Stmt], ...] = (Wait, Run, RunBorne, Scope, Mark)
"""Statements at which routines are split into blocks."""
BLOCK_STATEMENTS: tuple[type[Stmt], ...] = (Stop, Enter, Goto, TakePick, KeepPlace, End, Again, Pop)
GENERATED_STATEMENTS = (*COMMON_STATEMENTS, *BLOCK_STATEMENTS)
"""Statements that the code generators must support."""


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
    def private_variables(self) -> frozenset[int]:
        """Variables that no other frame changes."""
        return frozenset(self.slots) - self.open

    @property
    def size(self) -> int:
        return len(self.kinds)

    @property
    def initial_values(self) -> list[object]:
        """Initial values of the slots after the parameters."""
        return [find_initial_value(kind) for kind in self.kinds[1 + self.params :]]

    @property
    def card_slots(self) -> list[int]:
        """Slots that hold cards or lists of cards."""
        return [slot for slot, kind in enumerate(self.kinds) if kind is not None and kind.is_cards]


def find_initial_value(kind: Kind | None) -> object:
    """Return the initial value of a slot."""
    return 0 if kind is None or kind.tag == "number" else encode_absent(kind)


class Function(FrozenClass):
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


class Routine(FrozenClass):
    """Routine that may wait for decisions.

    params: the parameters, stored in its frame.
    wanted: variables that move listers and explanations read.
    links: groups of variables that are adjacent in the frame."""

    name: str
    params: tuple[Local, ...]
    body: tuple[Stmt, ...]
    wanted: frozenset[int] = field(default=frozenset())
    links: tuple[tuple[Local, ...], ...] = ()
