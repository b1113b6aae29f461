"""Definitions: named values of the table, of players, cards and members, and on single cards."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen

from cardlang.codec.rules import Shared
from cardlang.game.expressions import Expr, Var
from cardlang.game.kinds import Noun
from cardlang.game.origin import Origin
from cardlang.game.types import Type
from cardlang.game.vocabulary import Name, Subject


@frozen(eq=False, repr=False)
class Define:
    """A definition. `subject`: None, `player`, `card`, `cards` (a list), a kind or a ranking.

    In `value`, the variable `var` is the subject.
    """

    name: Name
    subject: Subject | None
    type: Type
    var: Var | None
    value: Expr
    noun: Noun
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class BorneDefine:
    """A definition on cards.

    `bodies`: by face number, None for cards without it. `var` is the card, `owner` its owner.
    """

    name: Name
    type: Type
    bodies: Annotated[tuple[BorneBody | None, ...], Shared()]


@frozen(eq=False, repr=False)
class BorneBody:
    name: str
    var: Var
    owner: Var
    value: Expr
    doc: str
