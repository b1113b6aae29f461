"""Find draws from piles that a trigger may refill, and bound their size."""

from __future__ import annotations

from attrs import frozen

from cardlang import game as g
from cardlang.game.walking import bodies_done, free_vars, walk

ENDS = ("top", "bottom", "first", "last", "random")


@frozen
class Draw:
    """Draw of a number of cards from an end of a list, or at random."""

    position: str
    source: g.Expr


class Refills:
    """Index of the zones of one game that triggers refill.

    A draw from one of them continues after the triggers. In old record formats it did not.

    moves: the statements of triggers that move cards."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        bodies = [*(each.body for each in game.whenevers), *(each.body for each in game.enters)]
        triggers = bodies if game.whenevers and not game.legacy else []
        parts = [part for trigger in triggers for body in bodies_done(game, trigger) for part in walk(body)]
        self.moves = [part for part in parts if isinstance(part, g.Move | g.Pick)]
        self.zones = {move.to.zone for move in self.moves}

    def draws(self, cards: g.Expr, to: str) -> list[tuple[Draw, g.Expr]]:
        """Return the draws that a list consists of, with their numbers. Empty unless triggers may refill every pile."""
        found = []
        for item in cards.items if isinstance(cards, g.Joined) else (cards,):
            if not isinstance(item, g.Agg) or item.function not in ENDS or item.number is None:
                return []
            if not self.refill(item.list, to):
                return []
            found.append((Draw(item.function, item.list), item.number))
        return found

    def refill(self, source: g.Expr, to: str) -> bool:
        """Check whether triggers may bring more cards to a list, none of which has been drawn to the zone `to`."""
        zones = self.drawn_from(source) or set()
        return bool(zones & self.zones) and to not in zones

    def drawn_from(self, cards: g.Expr) -> set[str] | None:
        """Return the zones that these cards come from; None if unknown."""
        match cards:
            case g.ZoneCards(zone=zone):
                return {zone}
            case g.Filter(list=inner) | g.Sorted(list=inner) | g.Agg(function="reverse" | "distinct", list=inner):
                return self.drawn_from(inner)
            case g.MapEach(value=inner):
                return self.drawn_from(inner)
            case g.Call(define=name):
                return self.drawn_from(self.game.defines[name].value)
            case g.Joined(items=items):
                found = [self.drawn_from(item) for item in items]
                return {zone for zones in found for zone in zones or ()} if None not in found else None
        return None

    def brought(self, source: g.Expr, to: str) -> list[g.Expr] | None:
        """Return the lists from which triggers refill a pile while cards are drawn from it to the zone `to`. None if
        other cards may come."""
        zones = self.drawn_from(source) or set()
        lists = [move.what for move in self.moves if isinstance(move, g.Move)]
        if len(lists) < len(self.moves) or self.zones - zones:
            return None
        found = [self.drawn_from(each) for each in lists]
        if any(each is None or each & (zones | {to}) for each in found) or any(map(free_vars, lists)):
            return None
        return lists
