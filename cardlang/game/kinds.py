"""Kinds and their members, and the nouns that things are called by."""

from __future__ import annotations

from attrs import field, frozen

from cardlang.game.origin import Origin
from cardlang.game.vocabulary import KindName, Name


@frozen(eq=False, repr=False)
class Noun:
    """`called`, `counted`: the author gives the singular, and the plural too."""

    singular: str
    plural: str
    called: bool = False
    counted: bool = False


@frozen(eq=False, repr=False)
class Member:
    """`follows`: it is written in one run with the member before it (`2 to 10`)."""

    name: str
    code: str
    worth: int | None
    noun: Noun
    follows: bool = False


@frozen(eq=False, repr=False)
class Kind:
    """`includes`: a kind whose members come first here, so that both can be compared."""

    name: Name
    ordered: bool
    members: tuple[Member, ...]
    includes: KindName | None
    doc: str
    origin: Origin = field(eq=False, repr=False)

    @property
    def numeric(self) -> bool:
        return all(m.name.isdecimal() for m in self.members)
