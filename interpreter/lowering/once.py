"""Find lists that may contain a card twice. A move moves each card once."""

from __future__ import annotations

from cardlang import game as g

SELECTING = ("first", "last", "top", "bottom", "random", "reverse", "distinct")


def each_once(game: g.Game, expr: g.Expr) -> bool:
    """Check whether a list, judging by its form, contains no card twice. True for other lists."""
    if isinstance(expr, g.Joined) and len(expr.items) == 1:
        expr = expr.items[0]
    return expr.type != g.list_of(g.CARD) or zones_of(game, expr) is not None


def zones_of(game: g.Game, expr: g.Expr) -> frozenset[str] | None:
    """Return the zones of the cards of a list without duplicates; None for any other list."""
    match expr:
        case g.ZoneCards(zone=zone):
            return frozenset((zone,))
        case g.Filter(list=items) | g.Sorted(list=items):
            return zones_of(game, items)
        case g.Agg(function=function, list=items) if function in SELECTING:
            return zones_of(game, items)
        case g.MapEach(list=g.Builtin(), value=g.ZoneCards(zone=zone, of=g.Var() as of), var=var) if of.id == var.id:
            return frozenset((zone,))
        case g.Call(define=name) if game.defines[name].subject != "cards":
            return zones_of(game, game.defines[name].value)
        case g.FirstPossible(lists=lists):
            each = [zones_of(game, one) for one, _ in lists]
            return None if None in each else frozenset(zone for zones in each for zone in zones or ())
        case g.Joined(items=items):
            return joined([zones_of(game, item) for item in items])
    return None


def joined(parts: list[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the union of disjoint sets of zones; None if they overlap or one is unknown."""
    found: frozenset[str] = frozenset()
    for zones in parts:
        if zones is None or zones & found:
            return None
        found |= zones
    return found
