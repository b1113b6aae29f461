"""Find the common knowledge of a game: values, zones and variables that depend on nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import children, everything
from interpreter.layout import about_cards
from interpreter.secrecy import Secrecy


class Common:
    """Common knowledge in one game, without its cards and players."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.secrecy = Secrecy(game)
        self.hidden: frozenset[int] | None = None
        """Variables whose values some players do not know, once computed."""

    def is_public(self, expr: object) -> bool:
        """Check whether all players know the value of an expression. No player knows a fresh random value."""
        if isinstance(expr, g.IsEmpty) and self.has_public_size(expr.value):
            return True
        if isinstance(expr, g.Agg) and expr.function == "count" and self.has_public_size(expr.list):
            return True
        return self.part_is_public(expr) and all(self.is_public(part) for part in children(expr))

    def has_public_size(self, items: g.Expr) -> bool:
        """Check whether these are whole zones, whose sizes are public."""
        match items:
            case g.ZoneCards():
                return items.of is None or self.is_public(items.of)
            case g.Joined():
                return all(self.has_public_size(item) for item in items.items)
            case g.MapEach(value=g.ZoneCards()):
                return self.is_public(items.list) and self.has_public_size(items.value)
        return False

    def part_is_public(self, part: object) -> bool:
        match part:
            case g.ZoneCards():
                return self.game.zones[part.zone].viewer == "everyone"
            case g.TrackValue():
                return not self.game.tracks[part.track].secret
            case g.Var():
                return part.id not in self.hidden_vars()
            case g.Call():
                return self.is_public(self.game.defines[part.define].value)
            case g.BorneCall():
                bodies = self.game.borne_defines[part.define].bodies
                return all(self.is_public(body.value) for body in bodies if body)
            case g.Agg():
                return part.function != "random"
            case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
                return all(map(self.is_public, self.game.orders[name].lines))
            case g.SetCards() | g.ReadRanking():
                return False
        return True

    def hidden_vars(self) -> frozenset[int]:
        """Return the variables with hidden values: stored, chosen or passed on from hidden sources, or chosen in
        secret."""
        if self.hidden is None:
            self.hidden, sources = self.secrecy.kept, list(self.sources())
            while fresh := {var for var, value in sources if var not in self.hidden and not self.is_public(value)}:
                self.hidden |= fresh
        return self.hidden

    def sources(self) -> Iterator[tuple[int, g.Expr]]:
        """Yield variables with the sources of their values.

        Chosen numbers and players are public unless they are secret."""
        for part in everything(self.game):
            match part:
                case g.Remember():
                    yield part.var.id, part.value
                case g.Each():
                    yield part.var.id, part.list
                case g.Do():
                    for var, value in zip(self.game.steps[part.step].params, part.args, strict=True):
                        yield var.id, value
                case g.Choose(domain=g.Domain(list=items)) if items is not None and about_cards(part.var.type):
                    yield part.var.id, items
                case g.Option():
                    for var, domain in part.binders:
                        if domain.list is not None and about_cards(var.type):
                            yield var.id, domain.list
