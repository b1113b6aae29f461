"""Type-check the fields of a game that was decoded from data."""

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
"""Required types of expressions in fields, by class. A field may be None."""
FLAGS = (g.IsSet, g.IsReading, g.IsEmpty, g.IsAbsent, g.IsIn, g.Quantified, g.Compare, g.And, g.Or, g.Not)
OF = {
    "left": "player", "right": "player", "others": "player", "seat": "player", "owner": "", "title": "", "size": "",
    "used": "reading", "rest": "reading", "wilds": "reading",
}  # fmt: skip
"""Builtins that take an argument, and its type; empty if several types are possible."""


class Unsound(ValueError):
    """Error: a part of a game contradicts the rest of it."""


def need(fits: bool, otherwise: str) -> None:
    if not fits:
        raise Unsound(otherwise)


def is_a(type_: g.Type, wanted: str) -> bool:
    if wanted == "cards":
        return type_.tag == "card" or (type_.tag == "list" and type_.item is not None and type_.item.tag == "card")
    return type_.tag in (wanted, "nothing")


def check_value(game: g.Game, type_: g.Type, value: g.Value, what: str) -> None:
    """Check a constant, or a value of a column, against its type."""
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
    """Check the types of the expressions in a part. Raise `Unsound` if a type does not fit."""
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
    """Return whether two types are compatible, so that their values are interchangeable."""
    if one is None or other is None or "nothing" in (one.tag, other.tag):
        return True
    if one.tag == "list" == other.tag:
        return alike(one.item, other.item)
    return one.tag == other.tag


def check_pairs(game: g.Game, part: object) -> None:
    """Check pairs of types in a part that have to be compatible."""
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
    """Check that a zone, track or definition has an owner exactly if it is declared with one."""
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
    """Return the type tag that the declarations give an expression; None if any tag is allowed."""
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
