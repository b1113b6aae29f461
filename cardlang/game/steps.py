"""Steps, steps on cards, reactions, and triggers."""

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
    """A step. `you`: the player of a `step your …`. `unfilled`: a library declares it for a game to fill."""

    name: Name
    you: Var | None
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    unfilled: bool
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class BorneStep:
    """A step on cards. `bodies`: by face number; `card` and `you` are bound in each."""

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
    """A trigger for each card that enters the zone, directly after the move. `you`: the owner of the zone."""

    zone: ZoneName
    card: Var
    you: Var | None
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Whenever:
    """A trigger that runs when its condition becomes true, after the statement that changed it."""

    condition: Expr
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)
