"""Types of values."""

from __future__ import annotations

from attrs import evolve, frozen

from cardlang.game.vocabulary import Tag, TypeName


@frozen
class Type:
    """The type of a value.

    - `tag`: number, flag, player, member, card, text, reading, nothing, list.
    - `of`: the kind of a member, the ranking of a reading. `item`: the type of the items of a list.
    - `maybe`: may be absent. `unlimited`: a number that may be without limit.
    - `ranked`: a list whose order matters when compared.
    - `named`: cards written with their codes, which match any copy.
    """

    tag: Tag
    of: TypeName | None = None
    item: Type | None = None
    maybe: bool = False
    unlimited: bool = False
    ranked: bool = False
    named: bool = False

    def or_nothing(self) -> Type:
        return evolve(self, maybe=True)

    def surely(self) -> Type:
        return evolve(self, maybe=False)


NUMBER = Type("number")
FLAG = Type("flag")
PLAYER = Type("player")
CARD = Type("card")
TEXT = Type("text")
NOTHING = Type("nothing", maybe=True)


def member(kind: str) -> Type:
    return Type("member", of=kind)


def list_of(item: Type, ranked: bool = False) -> Type:
    return Type("list", item=item, ranked=ranked)
