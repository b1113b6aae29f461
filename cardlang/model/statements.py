"""Statement, step, reaction and trigger classes of the checked game."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from attrs import field

from cardlang.diagnostics import Span
from cardlang.model.expressions import Expr, Var
from cardlang.model.field_constraints import SharedItems
from cardlang.model.types import (
    NO_ORIGIN,
    BorneStepName,
    CardSide,
    DeclarationName,
    FinishedName,
    MoveVerb,
    Origin,
    PickPosition,
    PileEnd,
    StepName,
    TrackName,
    ZoneName,
)
from cardlang.tree import FrozenClass


class Place(FrozenClass):
    """Destination of cards. `of`: the owner of the zone; `each`: deal to all players in turn, one card at a time.

    `second`: its second owner, if any.
    """

    zone: ZoneName
    of: Expr | None
    each: bool = False
    second: Expr | None = None


class Stmt(FrozenClass):
    """A statement. `doc`: the author's text on it."""

    span: Span = field(eq=False, repr=False)
    doc: str = field(default="", kw_only=True)


class AtOnce(Stmt):
    """An atomic statement: no player acts during it, and it contains no statements."""


class Aside(AtOnce):
    """A text for readers of the rules. It has no effect."""


class Note(Aside):
    text: str


class Ruling(Aside):
    """A question about the rules and its answer. `origin`: of a ruling outside steps."""

    question: str
    answer: tuple[str, ...]
    origin: Origin = field(default=NO_ORIGIN, eq=False, repr=False)


class Move(Stmt):
    """A move of cards. `what` is a list of cards.

    `end`: top, under, or `lowest`/`highest` (sorted, that one on top).
    """

    verb: MoveVerb
    what: Expr
    to: Place
    end: PileEnd


class Insert(Stmt):
    """A move of cards on or under a card in its pile. They keep their order, from the bottom up.

    `places`: all piles in which that card may be.
    """

    verb: MoveVerb
    what: Expr
    card: Expr
    side: CardSide
    places: tuple[Place, ...]


class Shuffle(AtOnce):
    zone: Place


class ShufflePlayers(AtOnce):
    """A random seat order."""


class Reveal(AtOnce):
    """A reveal: all players (or one) see these cards, which stay in their zone."""

    cards: Expr
    to: Expr | None


class Hide(AtOnce):
    """Make players forget these cards, unless they see the zone. The cards stay in place."""

    cards: Expr


class SetTrack(AtOnce):
    """A change of a track. `operator`: `=` set, `+` add, `-` subtract. `second`: its second owner, if any."""

    track: TrackName
    of: Expr | None
    operator: Literal["=", "+", "-"]
    value: Expr
    second: Expr | None = None


class Remember(AtOnce):
    """A binding of a value to a variable. A variable without a name is the player who chooses next, unless that is
    `you`."""

    var: Var
    value: Expr


class Each(Stmt):
    """A loop over the items of `list` (fixed at the start), from `start` around, if `condition` holds.

    A player is `you` in the body, unless the author names the variable.

    `condition` is tested before each turn. If the start is not in the list, the next one in seat order that is starts.
    `together`: the body is one choice; all players choose, then all bodies run in seat order.
    """

    list: Expr
    var: Var
    start: Expr | None
    condition: Expr | None
    together: bool
    body: tuple[Stmt, ...]

    @property
    def is_named(self) -> bool:
        """True if the author names the variable: `each player as rival`."""
        return self.var.name not in (self.var.type.tag, self.var.type.of)


class Repeat(Stmt):
    """A loop. `most`: the maximum number of rounds, evaluated before the first."""

    until: Expr | None
    until_pass: bool
    body: tuple[Stmt, ...]
    most: Expr | None = None


class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


class Do(Stmt):
    """A call of a step. `of`: the player of a `step your …`."""

    step: StepName
    of: Expr | None
    args: tuple[Expr, ...]


class DoBorne(Stmt):
    """A call of the step `step` on `card`, run by `of`; no effect if the card has no such step."""

    step: BorneStepName
    card: Expr
    of: Expr


class Finish(AtOnce):
    """End the innermost running step of that name; `game` ends the game."""

    step: FinishedName


class Eliminate(AtOnce):
    player: Expr


class Domain(FrozenClass):
    """The domain of a choice: a list, or the whole numbers from `low` to `high`.

    `doc`: the author's text on a binder.
    """

    list: Expr | None
    low: Expr | None = None
    high: Expr | None = None
    doc: str = ""


class Pick(Stmt):
    """A choice of cards to move: `who` moves `low` to `high` cards to `to`. `may`: or passes.

    The bounds are limited to the cards available; None is no bound. `position` is None if the player chooses the cards.
    If the player chooses only their number, it is top, bottom, first, last or random, and `source` is the list of
    cards. If no card is chosen, `otherwise` runs.
    """

    who: Expr
    may: bool
    verb: MoveVerb
    low: Expr | None
    high: Expr | None
    source: Expr
    position: PickPosition | None
    to: Place
    otherwise: tuple[Stmt, ...] = ()

    @property
    def is_automatic(self) -> bool:
        """True if there is nothing to decide: a fixed number of cards, from the top or at random."""
        return self.position is not None and not self.may and self.low is not None and self.low == self.high


class Choose(Stmt):
    """A choice of a value, or with `low`/`high` several, bound to `var`. `who` chooses.

    If there is nothing to choose, or the player passes (`may`), `otherwise` runs instead of the body. Without a body,
    `var` is in scope for the statements that follow in the block.
    """

    who: Expr
    may: bool
    several: bool
    low: Expr | None
    high: Expr | None
    var: Var
    domain: Domain
    provided: Expr | None
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


MAX_MOVES = 100_000
"""Maximum number of moves that a decision offers."""


class Option(FrozenClass):
    """An option of a menu, an offer or a reaction.

    - `when`: conditions on the player acting and the binders.
    - `costs`: an amount and a track of the player acting.
    - Conditions and costs have the author's texts, which answer "why not?"; without any, `doc` and the condition do.
    - `called`: the wording of its moves on screens and in the log; if it is empty, they use the name. Its strings go
      around the values `called_with`.
    """

    name: DeclarationName
    binders: tuple[tuple[Var, Domain], ...]
    when: tuple[tuple[Expr, str], ...]
    costs: tuple[tuple[Expr, TrackName, str], ...]
    body: tuple[Stmt, ...]
    doc: str
    span: Span = field(eq=False, repr=False)
    called: tuple[str, ...] = ()
    called_with: tuple[Expr, ...] = ()


class Menu(Stmt):
    """A menu: `who` takes one option, or passes (`may`). If they take none, `otherwise` runs."""

    who: Expr
    may: bool
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...] = ()


class Offer(Stmt):
    """An offer to each player in turn, as in `Each`; it ends when a player takes an option.

    `var` is the player acting. If no player takes an option, `otherwise` runs.
    """

    list: Expr
    var: Var
    start: Expr | None
    condition: Expr | None
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...]


class Announce(Stmt):
    """An announcement that players can respond to (docs/language/reactions.md). `actor` makes it.

    `shared`: names and values that reactions can read, like the target.
    """

    name: DeclarationName
    actor: Expr
    target: Expr | None
    shared: tuple[tuple[DeclarationName, Expr], ...]
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]

    @property
    def values(self) -> dict[str | None, Expr]:
        """The values that reactions can read, by name. None: the target."""
        return {**({} if self.target is None else {None: self.target}), **dict(self.shared)}


class Cancel(AtOnce):
    """A cancellation, in a reaction: the body of the announcement that it responds to does not run."""


class Tell(AtOnce):
    """A log message with current values. Only players who may see all the values see the message.

    `words`: the strings around the values, one more than the values.
    """

    words: tuple[str, ...]
    values: tuple[Expr, ...]


class Property(AtOnce):
    """An invariant. The simulator checks it when it is reached; matches ignore it."""

    condition: Expr


Statement = (
    Note | Ruling | Move | Insert | Shuffle | ShufflePlayers | Reveal | Hide | SetTrack | Remember | Each | Repeat | If
    | Do | DoBorne | Finish | Eliminate | Pick | Choose | Menu | Offer | Announce | Cancel | Tell | Property
)  # fmt: skip
"""All statement classes, once each. `tests/test_constructs.py` compares each complete registry with it."""
STATEMENT_CLASSES: tuple[type[Stmt], ...] = get_args(Statement)


# ---------------------------------------------------------------- steps, reactions, triggers
class Step(FrozenClass):
    """A step. `you`: the player of a `step your …`. `unfilled`: a library declares it for a game to fill."""

    name: DeclarationName
    you: Var | None
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    unfilled: bool
    doc: str
    origin: Origin = field(eq=False, repr=False)


class BorneStep(FrozenClass):
    """A step on cards. `bodies`: by face number; `card` and `you` are bound in each."""

    name: DeclarationName
    bodies: Annotated[tuple[BorneStepBody | None, ...], SharedItems()]


class BorneStepBody(FrozenClass):
    name: str
    card: Var
    you: Var
    body: tuple[Stmt, ...]
    doc: str


class Reaction(FrozenClass):
    name: DeclarationName
    to: tuple[DeclarationName, ...]
    you: Var
    option: Option
    origin: Origin = field(eq=False, repr=False)


class Enters(FrozenClass):
    """A trigger for each card that enters the zone, directly after the move. `you`: the owner of the zone."""

    zone: ZoneName
    card: Var
    you: Var | None
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)


class Whenever(FrozenClass):
    """A trigger that runs when its condition becomes true, after the statement that changed it."""

    condition: Expr
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)
