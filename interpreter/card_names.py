"""Find variables for hidden cards: data-flow analysis of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import everything, walk
from interpreter.layout import about_cards
from interpreter.public_knowledge import Common


class CardNames:
    """Variables for cards and lists of cards in one game.

    hidden: those whose cards some players could not see when they were named.
    carried: those of them whose cards may move to a hidden zone, directly or under another name."""

    def __init__(self, common: Common) -> None:
        self.common = common
        self.game = common.game
        parts = everything(self.game)
        flows = list(self.flows())
        self.hidden = set(common.hidden_vars()) | self.borne_and_entering()
        self.spread(self.hidden, [(var, value) for var, value in flows if self.is_obscure(value)])
        carried = [part.what for part in parts if isinstance(part, g.Move) and not self.is_open_zone(part.to)]
        carried += [part.source for part in parts if isinstance(part, g.Pick) and not self.is_open_zone(part.to)]
        moved = {var for value in carried for var in names_in(value)}
        while fresh := {each for var, value in flows if var in moved for each in names_in(value)} - moved:
            moved |= fresh
        self.carried = frozenset(moved & self.hidden)

    def spread(self, found: set[int], first: list[tuple[int, g.Expr]]) -> None:
        """Add the variables whose values come from those found: transitive closure."""
        found.update(var for var, _ in first)
        flows = list(self.flows())
        while fresh := {var for var, value in flows if var not in found and names_in(value) & found}:
            found |= fresh

    def flows(self) -> Iterator[tuple[int, g.Expr]]:
        """Yield the variables for cards, with the source of their values."""
        for part in everything(self.game):
            match part:
                case g.Remember() if about_cards(part.var.type):
                    yield part.var.id, part.value
                case g.Each() if about_cards(part.var.type):
                    yield part.var.id, part.list
                case g.Do():
                    yield from zip((param.id for param in self.game.steps[part.step].params), part.args, strict=True)
                case g.DoBorne():
                    bodies = self.game.borne_steps[part.step].bodies
                    yield from ((body.card.id, part.card) for body in bodies if body)
                case g.Choose(domain=g.Domain(list=items)) if items is not None and about_cards(part.var.type):
                    yield part.var.id, items
                case g.Option():
                    for var, domain in part.binders:
                        if domain.list is not None and about_cards(var.type):
                            yield var.id, domain.list

    def borne_and_entering(self) -> set[int]:
        """Return the variables for the card of a card step, and for a card that enters a zone."""
        borne = {body.card.id for step in self.game.borne_steps.values() for body in step.bodies if body}
        return borne | {trigger.card.id for trigger in self.game.enters}

    def is_obscure(self, value: g.Expr) -> bool:
        """Check whether a value comes from the cards of an announcement, which may be anywhere."""
        return any(isinstance(part, g.Target) and about_cards(part.type) for part in walk((value,)))

    def is_public(self, value: g.Expr) -> bool:
        """Check whether all players know a value."""
        return self.common.is_public(value) and not self.is_obscure(value) and not names_in(value) & self.hidden

    def is_open_zone(self, place: g.Place) -> bool:
        return self.game.zones[place.zone].viewer == "everyone"


def names_in(value: g.Expr) -> set[int]:
    """Return the variables in an expression."""
    return {part.id for part in walk((value,)) if isinstance(part, g.Var)}
