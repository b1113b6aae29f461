"""Index of piles that triggers may refill during a draw, with bounds of the draw's size."""

from __future__ import annotations

from attrs import frozen

from cardlang import model as g
from cardlang.model.statement_effects import iter_transfers
from cardlang.model.traversal import find_free_variables, iter_reachable_bodies, walk

DRAW_POSITIONS = ("top", "bottom", "first", "last", "random")


@frozen
class PileDraw:
    """Draw of a number of cards from an end of a list, or at random."""

    position: str
    source: g.Expr


class RefillIndex:
    """Index of the zones of one game that triggers refill.

    A draw from one of them continues after the triggers. In old record formats it did not.

    trigger_moves: the transfers of cards by triggers."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        bodies = [*(each.body for each in game.whenevers), *(each.body for each in game.enters)]
        triggers = bodies if game.whenevers and not game.legacy else []
        parts = [part for trigger in triggers for body in iter_reachable_bodies(game, trigger) for part in walk(body)]
        self.trigger_moves = list(iter_transfers(parts))
        self.refilled_zones = {move.to.zone for move in self.trigger_moves}

    def find_refillable_draws(self, cards: g.Expr, target_zone: str) -> list[tuple[PileDraw, g.Expr]]:
        """Return the draws that a list consists of, with their numbers. Empty unless triggers may refill every pile."""
        found = []
        for item in cards.items if isinstance(cards, g.Joined) else (cards,):
            if not isinstance(item, g.Agg) or item.function not in DRAW_POSITIONS or item.number is None:
                return []
            if not self.can_refill(item.list, target_zone):
                return []
            found.append((PileDraw(item.function, item.list), item.number))
        return found

    def can_refill(self, source: g.Expr, target_zone: str) -> bool:
        """Check whether triggers may add cards to a list, none of which has been drawn to the zone `target_zone`."""
        zones = self.find_draw_zones(source) or set()
        return bool(zones & self.refilled_zones) and target_zone not in zones

    def find_draw_zones(self, cards: g.Expr) -> set[str] | None:
        """Return the zones that these cards come from; None if unknown."""
        match cards:
            case g.ZoneCards(zone=zone):
                return {zone}
            case g.Filter(list=inner) | g.Sorted(list=inner) | g.Agg(function="reverse" | "distinct", list=inner):
                return self.find_draw_zones(inner)
            case g.MapEach(value=inner):
                return self.find_draw_zones(inner)
            case g.Call(define=name):
                return self.find_draw_zones(self.game.defines[name].value)
            case g.Joined(items=items):
                found = [self.find_draw_zones(item) for item in items]
                return {zone for zones in found for zone in zones or ()} if None not in found else None
        return None

    def find_refill_sources(self, source: g.Expr, target_zone: str) -> list[g.Expr] | None:
        """Return the lists from which triggers refill a pile while cards are drawn from it to the zone `target_zone`.

        None if other cards may come."""
        zones = self.find_draw_zones(source) or set()
        lists = [move.cards for move in self.trigger_moves if move.is_whole]
        if len(lists) < len(self.trigger_moves) or self.refilled_zones - zones:
            return None
        found = [self.find_draw_zones(each) for each in lists]
        if any(each is None or each & (zones | {target_zone}) for each in found) or any(
            map(find_free_variables, lists)
        ):
            return None
        return lists
