"""Value types, field constraints for names, and origins of declarations.

All types of names are plain strings; only the codec distinguishes them.
"""

from __future__ import annotations

from typing import Annotated

from cardlang.diagnostics import Source, Span
from cardlang.model.field_constraints import DeclaredName, MatchesPattern, OneOf, PositiveNumber
from cardlang.tree import FrozenClass, FrozenValue

DeclarationName = Annotated[str, MatchesPattern(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")]
KindName = Annotated[str, DeclaredName("kind", "kinds")]
SetName = Annotated[str, DeclaredName("set of cards", "sets")]
VariableId = Annotated[int, PositiveNumber()]
FaceNumber = Annotated[int, DeclaredName("face", "faces")]
ColumnName = Annotated[str, DeclaredName("column", "columns")]
ZoneName = Annotated[str, DeclaredName("zone", "zones")]
TrackName = Annotated[str, DeclaredName("number or flag", "tracks")]
DefineName = Annotated[str, DeclaredName("definition", "defines")]
BorneDefineName = Annotated[str, DeclaredName("definition of cards", "borne_defines")]
OrderName = Annotated[str, DeclaredName("order", "orders")]
RankingName = Annotated[str, DeclaredName("ranking", "rankings")]
StepName = Annotated[str, DeclaredName("step", "steps")]
BorneStepName = Annotated[str, DeclaredName("step of cards", "borne_steps")]
FinishedName = Annotated[str, DeclaredName("step", "finished")]
"""Name of a step, a step on cards, or `game`."""
RestartName = Annotated[str, DeclaredName("step", "restarts")]
"""Name of a step, or `move`."""
TypeName = Annotated[str, DeclaredName("kind or ranking", "types")]
SubjectName = Annotated[str, DeclaredName("subject", "subjects")]
"""Subject of a declaration: `player`, `card`, `cards`, a kind or a ranking."""
TypeTag = Annotated[
    str, OneOf("number", "flag", "player", "member", "card", "text", "reading", "nothing", "list")
]  # fmt: skip
MOVE_VERBS = (
    "move", "deal", "draw", "discard", "play", "put", "place", "take", "return", "remove", "turn", "give", "pass",
)  # fmt: skip
MoveVerb = Annotated[str, OneOf(*MOVE_VERBS)]
PileEnd = Annotated[str, OneOf("top", "under", "lowest", "highest")]
CardSide = Annotated[str, OneOf("on", "under")]
PickPosition = Annotated[str, OneOf("top", "bottom", "first", "last", "random")]
ZoneForm = Annotated[str, OneOf("stack", "row", "fan", "trick", "grid")]
ZoneViewer = Annotated[str, OneOf("everyone", "owner", "others", "nobody")]
OrderRule = Annotated[str, OneOf("those", "best", "worst", "higher", "lower", "later", "earlier")]
ListLayout = Annotated[str, OneOf("flat", "groups")]
TraitWord = Annotated[str, OneOf("one", "different", "consecutive")]
RankingSize = Annotated[str, OneOf("all", "groups")]
ComparisonOperator = Annotated[str, OneOf("=", "!=", "<", ">", "<=", ">=")]
BuiltinName = Annotated[
    str,
    OneOf(
        "players", "winners", "left", "right", "others", "seat", "owner", "title", "above", "below", "used",
        "rest", "wilds",
    ),
]  # fmt: skip
AggregateFunction = Annotated[
    str,
    OneOf("count", "total", "highest", "lowest", "first", "last", "top", "bottom", "random", "reverse", "distinct"),
]  # fmt: skip


class Type(FrozenValue):
    """The type of a value.

    - `tag`: number, flag, player, member, card, text, reading, nothing, list.
    - `of`: the kind of a member, the ranking of a reading. `item`: the type of the items of a list.
    - `maybe`: may be absent. `unlimited`: a number that may be without limit.
    - `ranked`: a list whose order matters when compared.
    - `named`: cards written with their codes, which match any copy.
    """

    tag: TypeTag
    of: TypeName | None = None
    item: Type | None = None
    maybe: bool = False
    unlimited: bool = False
    ranked: bool = False
    named: bool = False

    def as_optional(self) -> Type:
        return self.replace(maybe=True)

    def as_required(self) -> Type:
        return self.replace(maybe=False)


NUMBER = Type("number")
FLAG = Type("flag")
PLAYER = Type("player")
CARD = Type("card")
TEXT = Type("text")
NOTHING = Type("nothing", maybe=True)


def is_card_type(type_: Type) -> bool:
    """Return whether values of a type are cards or lists of cards."""
    return type_.tag == "card" or (type_.item is not None and type_.item.tag == "card")


def build_member_type(kind: str) -> Type:
    return Type("member", of=kind)


def build_list_type(item: Type, ranked: bool = False) -> Type:
    return Type("list", item=item, ranked=ranked)


class Origin(FrozenClass):
    """Location of a declaration.

    - `place`: number of items before it. Items of libraries come first; an override takes the place of the original.
    - `library`: the library that declares it, even if the game overrides it; empty if none does.
    - `varied`: it is part of the variant.
    - `span`: the whole item; `name`: its name, or the item again if it has none.
    """

    place: int
    library: str
    varied: bool
    span: Span
    name: Span


NO_ORIGIN = Origin(0, "", False, *2 * (Span(Source("", ""), 0, 0),))
