"""Tracks: stored numbers, flags, players and members."""

from __future__ import annotations

from attrs import field, frozen

from cardlang.game.expressions import Expr, Var
from cardlang.game.kinds import Noun
from cardlang.game.origin import Origin
from cardlang.game.types import Type
from cardlang.game.vocabulary import Name, RestartName, Subject


@frozen(eq=False, repr=False)
class Restart:
    """A restart of a track. `own`: for that player only.

    `step` names a step, or `move` (a mark on a card restarts when the card changes zones).
    """

    step: RestartName
    own: bool


@frozen(eq=False, repr=False)
class Track:
    """A track. `subject`: None, `player`, `card` or a kind.

    `start` is evaluated for `var`, the subject (None for the table). `starts`: the author gives the start value.
    """

    name: Name
    subject: Subject | None
    type: Type
    var: Var | None
    start: Expr
    restarts: tuple[Restart, ...]
    secret: bool
    noun: Noun
    starts: bool
    doc: str
    origin: Origin = field(eq=False, repr=False)
