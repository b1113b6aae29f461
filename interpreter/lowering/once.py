"""Whether a list of cards names one card several times: what is moved is moved once."""

from __future__ import annotations

from cardlang import game as g

SELECTING = ("first", "last", "top", "bottom", "random", "reverse", "distinct")


def each_once(game: g.Game, expr: g.Expr) -> bool:
    """Whether no card can stand in a list twice, as far as its form tells; nor in what is no list of cards."""
    if isinstance(expr, g.Joined) and len(expr.items) == 1:
        expr = expr.items[0]
    return expr.type != g.list_of(g.CARD) or zones_of(game, expr) is not None


def zones_of(game: g.Game, expr: g.Expr) -> frozenset[str] | None:
    """The zones in which the cards of a list lie that names each once; None if it may be another list."""
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
    """All zones of lists that have none in common."""
    found: frozenset[str] = frozenset()
    for zones in parts:
        if zones is None or zones & found:
            return None
        found |= zones
    return found
