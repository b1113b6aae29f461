"""What lies in the parts of a game: values as their authors wrote them, parts and names in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardlang import game as g
from cardlang.game.walking import Part, children, parts_of


def bare(expr: g.Expr) -> g.Expr:
    """A value without what only turns it into another type: a list of one, what a member is worth."""
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
    """Whether a number is written out."""
    known = None if expr is None else figure(expr)
    return known is not None and known >= 0


def figure(expr: g.Expr) -> int | Fraction | None:
    """A number that is known; None for anything else."""
    match bare(expr):
        case g.Const(type=g.Type(tag="number"), value=int() | Fraction() as value):
            return value
    return None


def is_absent(expr: g.Expr) -> bool:
    return isinstance(expr, g.Const) and expr.value is None


def truth(expr: g.Expr | None) -> bool | None:
    """What `yes` and `no` mean; None for anything else."""
    return bool(expr.value) if isinstance(expr, g.Const) and expr.type.tag == "flag" else None


def is_that(expr: g.Expr) -> bool:
    """`that card`, `that Suit`."""
    return isinstance(expr, g.Var) and expr.name.startswith("that ")


def is_you(expr: g.Expr | None) -> bool:
    """`you` and `your …`."""
    return isinstance(expr, g.Var) and expr.name == "you"


def owner_of(expr: g.Expr) -> g.Expr | None:
    """Whose something is."""
    match expr:
        case g.TrackValue(of=of) | g.ZoneCards(of=of) | g.Call(of=of) | g.Builtin(of=of):
            return of
        case g.Attribute(card=card) | g.BorneCall(card=card):
            return card
    return None


def name_of(expr: g.Expr) -> str:
    """What a value is called: the name of a track, a zone, a definition, a column; empty if it has none. Of each of
    several: what that of one is called."""
    match expr:
        case g.TrackValue(track=name) | g.ZoneCards(zone=name) | g.Call(define=name) | g.BorneCall(define=name):
            return name
        case g.Attribute(attribute=name) | g.Builtin(name=name):
            return name
        case g.MapEach(value=value):
            return name_of(bare(value))
    return ""


# ---------------------------------------------------------------- everything within
def parts_in(value: object) -> Iterator[Part]:
    """A part or a tuple of parts and all within them, each before those within it, in the order of the text."""
    for part in parts_of(value):
        yield part
        yield from parts_in(tuple(in_order(part)))


def in_order(part: Part) -> list[Part]:
    """What lies directly in a part: an amount is written before that to which it is added."""
    found = children(part)
    return found[::-1] if isinstance(part, g.SetTrack) and part.operator != "=" else found


def names_in(value: object) -> Iterator[str]:
    """The names of nouns, orders and rankings in a part or a tuple of parts, in the order of the text: that of an owner
    before that of what it owns."""
    for part in parts_of(value):
        before, after = names_of(part)
        yield from before
        yield from names_in(tuple(in_order(part)))
        yield from after


def names_of(part: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that a part itself mentions: before those within it, and after."""
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
