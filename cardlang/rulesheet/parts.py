"""Helpers for expressions: unwrap conversions, find nested parts and names in source order."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardlang import game as g
from cardlang.game.walking import Part, children, parts_of


def bare(expr: g.Expr) -> g.Expr:
    """Unwrap an expression from type conversions: a list of one, the worth of a member."""
    match expr:
        case g.Worth(value=value) | g.Joined(items=(value,)):
            return bare(value)
        case g.MapEach(list=items, var=var, value=value) if is_var(value, var):
            return bare(items)
    return expr


def is_var(expr: g.Expr, var: g.Var) -> bool:
    expr = bare(expr)
    return isinstance(expr, g.Var) and expr.id == var.id


def is_number(expr: g.Expr | None) -> bool:
    """Return whether an expression is a literal number that is not negative."""
    known = None if expr is None else figure(expr)
    return known is not None and known >= 0


def figure(expr: g.Expr) -> int | Fraction | None:
    """Return the value of a literal number; None for other expressions."""
    match bare(expr):
        case g.Const(type=g.Type(tag="number"), value=int() | Fraction() as value):
            return value
    return None


def is_absent(expr: g.Expr) -> bool:
    return isinstance(expr, g.Const) and expr.value is None


def truth(expr: g.Expr | None) -> bool | None:
    """Return the value of `yes` and `no`; None for other expressions."""
    return bool(expr.value) if isinstance(expr, g.Const) and expr.type.tag == "flag" else None


def is_that(expr: g.Expr) -> bool:
    """Return whether an expression is `that card`, `that Suit`."""
    return isinstance(expr, g.Var) and expr.name.startswith("that ")


def is_you(expr: g.Expr | None) -> bool:
    """Return whether an expression is `you`, as in `your …`."""
    return isinstance(expr, g.Var) and expr.name == "you"


def owner_of(expr: g.Expr) -> g.Expr | None:
    """Return the owner in an expression, if any."""
    match expr:
        case g.TrackValue(of=of) | g.ZoneCards(of=of) | g.Call(of=of) | g.Builtin(of=of):
            return of
        case g.Attribute(card=card) | g.BorneCall(card=card):
            return card
    return None


def name_of(expr: g.Expr) -> str:
    """Return the name of the track, zone, definition or column that an expression reads; empty if there is none.

    For an attribute of several objects, return its name.
    """
    match expr:
        case g.TrackValue(track=name) | g.ZoneCards(zone=name) | g.Call(define=name) | g.BorneCall(define=name):
            return name
        case g.Attribute(attribute=name) | g.Builtin(name=name):
            return name
        case g.MapEach(value=value):
            return name_of(bare(value))
    return ""


# ---------------------------------------------------------------- traversal
def parts_in(value: object) -> Iterator[Part]:
    """Yield a part or a tuple of parts and all their descendants, in preorder and source order."""
    for part in parts_of(value):
        yield part
        yield from parts_in(tuple(in_order(part)))


def in_order(part: Part) -> list[Part]:
    """Return the children of a part in source order: in `add`, the amount comes before the target."""
    found = children(part)
    return found[::-1] if isinstance(part, g.SetTrack) and part.operator != "=" else found


def names_in(value: object) -> Iterator[str]:
    """Yield the names of nouns, orders and rankings in some parts, in source order, owners before properties."""
    for part in parts_of(value):
        before, after = names_of(part)
        yield from before
        yield from names_in(tuple(in_order(part)))
        yield from after


def names_of(part: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that a part itself mentions: those before its children, and those after."""
    match part:
        case g.ReadRanking(ranking=name) | g.SetCards(set=name) | g.Members(kind=name):
            return (name,), ()
        case g.Call(define=name, of=g.Expr(type=g.Type(tag="list"))):
            return (name,), ()
        case g.IsReading(ranking=name) | g.IsSet(set=name) | g.Place(zone=name) | g.SetTrack(track=name):
            return (), (name,)
        case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
            return (), (name,)
        case g.Option(costs=costs):
            return tuple(track for _, track, _ in costs), ()
        case g.Expr() if name_of(part) and not isinstance(part, g.MapEach):
            return (), (name_of(part),)
    return (), ()
