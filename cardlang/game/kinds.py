"""Kinds and their members, and noun forms."""

from __future__ import annotations

from attrs import field, frozen

from cardlang.game.origin import Origin
from cardlang.game.vocabulary import KindName, Name


@frozen(eq=False, repr=False)
class Noun:
    """Singular and plural of a name. `called`: the author gives the singular; `counted`: and the plural."""

    singular: str
    plural: str
    called: bool = False
    counted: bool = False


@frozen(eq=False, repr=False)
class Member:
    """A member of a kind. `follows`: it continues a range with the member before it (`2 to 10`)."""

    name: str
    code: str
    worth: int | None
    noun: Noun
    follows: bool = False


@frozen(eq=False, repr=False)
class Kind:
    """A kind. `includes`: a kind whose members come first in this one, so that both are comparable."""

    name: Name
    ordered: bool
    members: tuple[Member, ...]
    includes: KindName | None
    doc: str
    origin: Origin = field(eq=False, repr=False)

    @property
    def numeric(self) -> bool:
        return all(m.name.isdecimal() for m in self.members)
