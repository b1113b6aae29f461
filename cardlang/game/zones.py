"""Zones: their owners, and the players who see their cards."""

from __future__ import annotations

from attrs import field, frozen

from cardlang.game.kinds import Noun
from cardlang.game.origin import Origin
from cardlang.game.vocabulary import Name, Subject, Viewer


@frozen(eq=False, repr=False)
class Zone:
    """A zone. `subject`: None (the table), `player`, or a kind. `viewer`: everyone, owner, others or nobody."""

    name: Name
    subject: Subject | None
    single: bool
    viewer: Viewer
    noun: Noun
    doc: str
    origin: Origin = field(eq=False, repr=False)
