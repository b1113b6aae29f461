"""Steps, those that cards bear, reactions, and what runs by itself."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen

from cardlang.codec.rules import Shared
from cardlang.game.expressions import Expr, Var
from cardlang.game.origin import Origin
from cardlang.game.statements import Option, Stmt
from cardlang.game.vocabulary import Name, ZoneName
from cardlang.source import Span


@frozen(eq=False, repr=False)
class Step:
    """`you`: the player of a `step your …`. `unfilled`: of a library, for a game to fill."""

    name: Name
    you: Var | None
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    unfilled: bool
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class BorneStep:
    """`bodies`: by face number; `card` and `you` are bound in each."""

    name: Name
    bodies: Annotated[tuple[BorneStepBody | None, ...], Shared()]


@frozen(eq=False, repr=False)
class BorneStepBody:
    name: str
    card: Var
    you: Var
    body: tuple[Stmt, ...]
    doc: str


@frozen(eq=False, repr=False)
class Reaction:
    name: Name
    to: tuple[Name, ...]
    you: Var
    option: Option
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Enters:
    """Runs for each card that enters the zone, at once after the move. `you`: whose zone it is."""

    zone: ZoneName
    card: Var
    you: Var | None
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Whenever:
    """Runs when the condition turns from no to yes, after the statement that changed it."""

    condition: Expr
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)
