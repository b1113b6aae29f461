"""Whether what stands in the fields of a part of a game has the types that are needed there."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from cardlang import game as g

MOST_PLAYERS = 10
WANTED: dict[type, dict[str, str]] = {
    g.Move: {"what": "cards"},
    g.Reveal: {"cards": "cards", "to": "player"},
    g.Each: {"list": "list", "condition": "flag"},
    g.Repeat: {"until": "flag"},
    g.If: {"condition": "flag"},
    g.DoBorne: {"card": "card", "of": "player"},
    g.Eliminate: {"player": "player"},
    g.Domain: {"list": "list", "low": "number", "high": "number"},
    g.Pick: {"who": "player", "low": "number", "high": "number", "source": "cards"},
    g.Choose: {"who": "player", "low": "number", "high": "number", "provided": "flag"},
    g.Menu: {"who": "player"},
    g.Offer: {"list": "list", "condition": "flag"},
    g.Announce: {"actor": "player"},
    g.Property: {"condition": "flag"},
    g.Attribute: {"card": "card"},
    g.BorneCall: {"card": "card"},
    g.Worth: {"value": "member"},
    g.Filter: {"list": "list", "condition": "flag"},
    g.MapEach: {"list": "list"},
    g.Sorted: {"list": "list"},
    g.Agg: {"number": "number", "list": "list"},
    g.AggBy: {"list": "list"},
    g.Whole: {"value": "number"},
    g.ReadRanking: {"cards": "cards", "beside": "reading"},
    g.IsSet: {"card": "card"},
    g.IsReading: {"cards": "cards"},
    g.Quantified: {"list": "list", "condition": "flag"},
    g.IsIn: {"list": "list"},
    g.And: {"left": "flag", "right": "flag"},
    g.Or: {"left": "flag", "right": "flag"},
    g.Not: {"value": "flag"},
    g.Arith: {"left": "number", "right": "number"},
    g.Group: {"condition": "flag"},
    g.Wild: {"condition": "flag"},
    g.Whenever: {"condition": "flag"},
    g.Expecting: {"condition": "flag"},
}
"""What the expressions in the fields of a part are, where they are anything."""
FLAGS = (g.IsSet, g.IsReading, g.IsEmpty, g.IsAbsent, g.IsIn, g.Quantified, g.Compare, g.And, g.Or, g.Not)
OF = {
    "left": "player", "right": "player", "others": "player", "seat": "player", "owner": "", "title": "", "size": "",
    "used": "reading", "rest": "reading", "wilds": "reading",
}  # fmt: skip
"""What the language itself knows of something, and of what; empty: of several things."""


class Unsound(ValueError):
    """Something in a game does not fit what else is there."""


def need(fits: bool, otherwise: str) -> None:
    if not fits:
        raise Unsound(otherwise)


def is_a(type_: g.Type, wanted: str) -> bool:
    if wanted == "cards":
        return type_.tag == "card" or (type_.tag == "list" and type_.item is not None and type_.item.tag == "card")
    return type_.tag in (wanted, "nothing")


def check_value(game: g.Game, type_: g.Type, value: g.Value, what: str) -> None:
    """Of a constant, or in a column."""
    if value is None:
        need(type_.maybe, f"{what} cannot be nothing")
        return
    match type_.tag:
        case "member":
            fits = type(value) is int and 0 <= value < len(game.kinds[str(type_.of)].members)
        case "number":
            fits = isinstance(value, int | Fraction) or value == g.UNLIMITED
        case "text":
            fits = isinstance(value, str)
        case "flag":
            fits = value in (0, 1)
        case "player":
            fits = type(value) is int and 0 <= value < MOST_PLAYERS
        case _:
            fits = False
    need(fits, f"{what} is {value!r}, which is not a {type_.tag}")


def check_types(game: g.Game, part: object) -> None:
    """Raises Unsound."""
    for name, wanted in WANTED.get(type(part), {}).items():
        found = getattr(part, name)
        if found is not None:
            fits(found, wanted)
    if isinstance(part, g.Expr):
        tag = tag_of(game, part)
        need(tag in (None, part.type.tag), f"{part.span}: this is a {tag}, not a {part.type.tag}")
    if isinstance(part, g.Const):
        check_value(game, part.type, part.value, f"{part.span}: this")
    check_owner(game, part)
    check_pairs(game, part)


def fits(found: g.Expr, wanted: str) -> None:
    need(is_a(found.type, wanted), f"{found.span}: expected a {wanted}, not a {found.type.tag}")


def alike(one: g.Type | None, other: g.Type | None) -> bool:
    """Whether a value of one type can stand where one of the other does."""
    if one is None or other is None or "nothing" in (one.tag, other.tag):
        return True
    if one.tag == "list" == other.tag:
        return alike(one.item, other.item)
    return one.tag == other.tag


def check_pairs(game: g.Game, part: object) -> None:
    """Two things in a part that are of one type."""
    pairs: Iterable[tuple[g.Type | None, g.Type | None]]
    match part:
        case g.Filter() | g.Quantified() | g.MapEach() | g.Each() | g.Offer():
            pairs = [(part.var.type, part.list.type.item)]
        case g.Sorted() | g.AggBy() if part.var is not None:
            pairs = [(part.var.type, part.list.type.item)]
        case g.SetTrack():
            pairs = [(part.value.type, game.tracks[part.track].type)]
        case g.Remember():
            pairs = [(part.var.type, part.value.type)]
        case g.Track():
            pairs = [(part.start.type, part.type)]
        case g.Define():
            pairs = [(part.value.type, part.type)]
        case g.Choose() if part.domain.list is not None:
            pairs = [((part.var.type.item or part.var.type), part.domain.list.type.item)]
        case g.Compare():
            pairs = [(part.left.type, part.right.type)]
        case g.IsIn():
            pairs = [(part.value.type, part.list.type.item)]
        case g.Joined():
            pairs = [(each.type.item or each.type, part.type.item) for each in part.items]
        case g.Cases():
            pairs = [(value.type, part.type) for value, _ in part.cases]
        case g.FirstPossible():
            pairs = [(each.type, part.type) for each, _ in part.lists]
        case g.Do():
            step = game.steps[part.step]
            need(len(part.args) == len(step.params), f"{part.span}: `{part.step}` takes {len(step.params)} values")
            need((part.of is None) == (step.you is None), f"{part.span}: wrong player for `{part.step}`")
            pairs = [(arg.type, var.type) for arg, var in zip(part.args, step.params, strict=True)]
        case g.Agg(function="total"):
            pairs = [(part.list.type.item, g.NUMBER)]
        case _:
            return
    where = part.origin.name if isinstance(part, g.Track | g.Define) else part.span
    for one, other in pairs:
        need(alike(one, other), f"{where}: {one and one.tag} and {other and other.tag} do not go together")


def check_owner(game: g.Game, part: object) -> None:
    """Whose a zone, number or definition is, is said where it is somebody's."""
    match part:
        case g.ZoneCards() | g.Place():
            subject = game.zones[part.zone].subject
        case g.TrackValue() | g.SetTrack():
            subject = game.tracks[part.track].subject
        case g.Call():
            subject = game.defines[part.define].subject
        case g.Builtin():
            need((part.of is None) == (part.name not in OF), f"{part.span}: wrong owner")
            if part.of is not None and OF[part.name]:
                fits(part.of, OF[part.name])
            return
        case _:
            return
    need((part.of is None) == (subject is None), "wrong owner")
    if isinstance(part, g.Place) and part.each:
        need(part.of is not None and part.of.type.tag == "list", "expected a list of players")
    elif part.of is not None and subject is not None:
        wanted = {"player": "player", "card": "card", "cards": "cards"}.get(subject)
        fits(part.of, wanted or ("member" if subject in game.kinds else "reading"))


def tag_of(game: g.Game, part: g.Expr) -> str | None:
    """The sort of type that an expression has by what is declared; None if any will do."""
    match part:
        case g.TrackValue():
            return game.tracks[part.track].type.tag
        case g.Call():
            return game.defines[part.define].type.tag
        case g.BorneCall():
            return game.borne_defines[part.define].type.tag
        case g.Attribute():
            return game.columns[part.attribute].type.tag
        case g.ZoneCards():
            return "card" if game.zones[part.zone].single else "list"
        case g.SetCards() | g.Members() | g.Filter() | g.MapEach() | g.Joined() | g.Sorted():
            return "list"
        case g.ReadRanking():
            return "reading"
        case g.Arith() | g.Whole() | g.Worth():
            return "number"
    return "flag" if isinstance(part, FLAGS) else None
