"""Annotated string types of fields: enumerations and references to declarations.

All are plain strings; only the codec distinguishes them.
"""

from __future__ import annotations

from typing import Annotated

from cardlang.codec.rules import Counted, OneOf, Refers, Spelt

Name = Annotated[str, Spelt(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")]
KindName = Annotated[str, Refers("kind", "kinds")]
SetName = Annotated[str, Refers("set of cards", "sets")]
VarNumber = Annotated[int, Counted()]
FaceNumber = Annotated[int, Refers("face", "faces")]
ColumnName = Annotated[str, Refers("column", "columns")]
ZoneName = Annotated[str, Refers("zone", "zones")]
TrackName = Annotated[str, Refers("number or flag", "tracks")]
DefineName = Annotated[str, Refers("definition", "defines")]
BorneDefineName = Annotated[str, Refers("definition of cards", "borne_defines")]
OrderName = Annotated[str, Refers("order", "orders")]
RankingName = Annotated[str, Refers("ranking", "rankings")]
StepName = Annotated[str, Refers("step", "steps")]
BorneStepName = Annotated[str, Refers("step of cards", "borne_steps")]
FinishedName = Annotated[str, Refers("step", "finished")]
"""Name of a step, a step on cards, or `game`."""
RestartName = Annotated[str, Refers("step", "restarts")]
"""Name of a step, or `move`."""
TypeName = Annotated[str, Refers("kind or ranking", "types")]
Subject = Annotated[str, Refers("subject", "subjects")]
"""Subject of a declaration: `player`, `card`, `cards`, a kind or a ranking."""

Tag = Annotated[
    str, OneOf("number", "flag", "player", "member", "card", "text", "reading", "nothing", "list")
]  # fmt: skip
VERBS = (
    "move", "deal", "draw", "discard", "play", "put", "place", "take", "return", "remove", "turn", "give", "pass",
)  # fmt: skip
Verb = Annotated[str, OneOf(*VERBS)]
End = Annotated[str, OneOf("top", "under", "lowest", "highest")]
Position = Annotated[str, OneOf("top", "bottom", "first", "last", "random")]
Form = Annotated[str, OneOf("stack", "row", "fan", "trick", "grid")]
Viewer = Annotated[str, OneOf("everyone", "owner", "others", "nobody")]
How = Annotated[str, OneOf("those", "best", "worst", "higher", "lower", "later", "earlier")]
Arrangement = Annotated[str, OneOf("flat", "groups")]
Sharing = Annotated[str, OneOf("one", "different", "consecutive")]
Size = Annotated[str, OneOf("all", "groups")]
Comparison = Annotated[str, OneOf("=", "!=", "<", ">", "<=", ">=")]
BuiltinName = Annotated[
    str,
    OneOf(
        "players", "winners", "left", "right", "others", "seat", "owner", "title", "size", "used", "rest", "wilds"
    ),
]  # fmt: skip
Function = Annotated[
    str,
    OneOf(
        "count", "total", "highest", "lowest", "first", "last", "top", "bottom", "random", "reverse", "distinct",
        "subsets",
    ),
]  # fmt: skip
