"""Statements, resolved."""

from __future__ import annotations

from typing import Literal, TypeGuard, get_args

from attrs import field, frozen

from cardlang.game.expressions import Expr, Var
from cardlang.game.origin import NOWHERE, Origin
from cardlang.game.vocabulary import (
    BorneStepName,
    End,
    FinishedName,
    Name,
    Position,
    StepName,
    TrackName,
    Verb,
    ZoneName,
)  # fmt: skip
from cardlang.source import Span


@frozen(eq=False, repr=False)
class Place:
    """Where cards go. `of`: whose zone; `each`: to every player's in turn, one card at a time."""

    zone: ZoneName
    of: Expr | None
    each: bool = False


@frozen(eq=False, repr=False)
class Stmt:
    """`doc`: the author's words beside it."""

    span: Span = field(eq=False, repr=False)
    doc: str = field(default="", kw_only=True)


@frozen(eq=False, repr=False)
class AtOnce(Stmt):
    """What is done at once: it asks nobody, and nothing stands within it."""


@frozen(eq=False, repr=False)
class Aside(AtOnce):
    """Words for the reader alone. Nothing happens."""


@frozen(eq=False, repr=False)
class Note(Aside):
    text: str


@frozen(eq=False, repr=False)
class Ruling(Aside):
    """`origin`: of one that stands at the margin."""

    question: str
    answer: tuple[str, ...]
    origin: Origin = field(default=NOWHERE, eq=False, repr=False)


@frozen(eq=False, repr=False)
class Move(Stmt):
    """`end`: top, under, or `lowest`/`highest` (sorted, that one on top). `what` is a list of cards."""

    verb: Verb
    what: Expr
    to: Place
    end: End


@frozen(eq=False, repr=False)
class Shuffle(AtOnce):
    zone: Place


@frozen(eq=False, repr=False)
class ShufflePlayers(AtOnce):
    """Chance sets the order of seats anew."""


@frozen(eq=False, repr=False)
class Reveal(AtOnce):
    """Everybody (or one player) sees these cards; they stay where they are."""

    cards: Expr
    to: Expr | None


@frozen(eq=False, repr=False)
class SetTrack(AtOnce):
    """`operator`: `=` set, `+` add, `-` subtract."""

    track: TrackName
    of: Expr | None
    operator: Literal["=", "+", "-"]
    value: Expr


@frozen(eq=False, repr=False)
class Remember(AtOnce):
    """A variable without a name: who chooses next, unless it is `you`."""

    var: Var
    value: Expr


@frozen(eq=False, repr=False)
class Each(Stmt):
    """For each item of `list` (fixed at the start), from `start` on round to it again, where `condition` (tested
    again before each turn). A start that is not in the list: the next one in seat order that is.
    `together`: the body is one choice; all choose, then all bodies run in seat order."""

    list: Expr
    var: Var
    start: Expr | None
    condition: Expr | None
    together: bool
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Repeat(Stmt):
    until: Expr | None
    until_pass: bool
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Do(Stmt):
    """`of`: the player of a `step your …`."""

    step: StepName
    of: Expr | None
    args: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class DoBorne(Stmt):
    """The step `step` that `card` bears, done by `of`; nothing if the card bears none."""

    step: BorneStepName
    card: Expr
    of: Expr


@frozen(eq=False, repr=False)
class Finish(AtOnce):
    """End the innermost running step of that name; `game` ends the game."""

    step: FinishedName


@frozen(eq=False, repr=False)
class Eliminate(AtOnce):
    player: Expr


@frozen(eq=False, repr=False)
class Domain:
    """What a choice chooses from: a list, or the whole numbers from `low` to `high`. `doc`: the author's words beside a
    binder."""

    list: Expr | None
    low: Expr | None = None
    high: Expr | None = None
    doc: str = ""


@frozen(eq=False, repr=False)
class Pick(Stmt):
    """`who` moves `low` to `high` cards (None: no bound; clipped to what is there) to `to`. `may`: or passes.
    `position`: None if the cards are chosen; top, bottom, first, last or random if only their number is:
    then `source` is the list they come from."""

    who: Expr
    may: bool
    verb: Verb
    low: Expr | None
    high: Expr | None
    source: Expr
    position: Position | None
    to: Place

    @property
    def settled(self) -> bool:
        """A number of cards that is fixed, from the top or at random: there is nothing to decide."""
        return self.position is not None and not self.may and self.low is not None and self.low == self.high


@frozen(eq=False, repr=False)
class Choose(Stmt):
    """`who` chooses a value, or with `low`/`high` several, bound to `var`. Nothing to choose, or passed (`may`):
    the body is skipped. Without a body `var` is known to the statements that follow in the block."""

    who: Expr
    may: bool
    several: bool
    low: Expr | None
    high: Expr | None
    var: Var
    domain: Domain
    provided: Expr | None
    body: tuple[Stmt, ...]


MAX_MOVES = 100_000
"""How many moves are offered at once at most."""


@frozen(eq=False, repr=False)
class Option:
    """`when`: conditions over the player asked and the binders. `costs`: amount and track of the player asked. Both
    with the author's words beside them, which answer "why not?"; without any, `doc` does, with the condition.
    `called`: how a move of it is said on screens and in the log, by its name where it is empty; the words stand before,
    between and behind the values `called_with`."""

    name: Name
    binders: tuple[tuple[Var, Domain], ...]
    when: tuple[tuple[Expr, str], ...]
    costs: tuple[tuple[Expr, TrackName, str], ...]
    body: tuple[Stmt, ...]
    doc: str
    span: Span = field(eq=False, repr=False)
    called: tuple[str, ...] = ()
    called_with: tuple[Expr, ...] = ()


@frozen(eq=False, repr=False)
class Menu(Stmt):
    """`who` takes one option, or passes (`may`). No option open: skipped."""

    who: Expr
    may: bool
    options: tuple[Option, ...]


@frozen(eq=False, repr=False)
class Offer(Stmt):
    """Each player in turn is asked (as in `Each`); the first who takes an option ends it. `var` is who is asked.
    Nobody took one: `otherwise`."""

    list: Expr
    var: Var
    start: Expr | None
    condition: Expr | None
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Announce(Stmt):
    """An announcement that players can respond to (docs/language/reactions.md). `actor` makes it. `shared`: names and
    values that reactions can read, like the target."""

    name: Name
    actor: Expr
    target: Expr | None
    shared: tuple[tuple[Name, Expr], ...]
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Cancel(AtOnce):
    """In a reaction: the link it answers will not run its body."""


@frozen(eq=False, repr=False)
class Tell(AtOnce):
    """A sentence for the log, with what its values are now: seen by those who may see all of them, and by nobody else.
    `words`: what stands before, between and behind the values, one more than these."""

    words: tuple[str, ...]
    values: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Property(AtOnce):
    """Must hold when it is reached; the simulator checks it, play does not."""

    condition: Expr


Statement = (
    Note | Ruling | Move | Shuffle | ShufflePlayers | Reveal | SetTrack | Remember | Each | Repeat | If | Do | DoBorne
    | Finish | Eliminate | Pick | Choose | Menu | Offer | Announce | Cancel | Tell | Property
)  # fmt: skip
"""Every class of statements, once. What must know them all is compared with it (`tests/test_constructs.py`)."""
STATEMENTS: tuple[type[Stmt], ...] = get_args(Statement)


def is_statement(part: object) -> TypeGuard[Statement]:
    """Whether it is one of them, so that mypy sees which are forgotten where each is dealt with."""
    return isinstance(part, Stmt)
