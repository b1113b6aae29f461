"""Variables that can hold hidden cards: data-flow analysis of the rules."""

from __future__ import annotations

from cardlang import model as g
from cardlang.model.statement_effects import iter_transfers
from cardlang.model.traversal import collect_all_nodes
from cardlang.model.types import is_card_type
from interpreter.knowledge.hidden_information_analysis import CommonKnowledge


class HiddenCardVariables:
    """Variables for cards and lists of cards in one game.

    hidden: those whose cards some players could not see when they were named.
    carried: those of them whose cards may move to a hidden zone or get others on or under them, directly or under
        another name.
    flows: variables for cards, with the sources of their values."""

    def __init__(self, common: CommonKnowledge) -> None:
        self.common = common
        self.game = common.game
        parts = collect_all_nodes(self.game)
        self.flows = flows = [
            (each.var.id, source)
            for each, source in common.bindings_with_sources
            if each.kind in ("argument", "bearer") or is_card_type(each.var.type)
        ]
        self.hidden = set(common.find_hidden_variables()) | self.find_step_card_variables()
        self.add_dependents(self.hidden)
        carried = [transfer.cards for transfer in iter_transfers(parts) if not self.is_public_zone(transfer.to)]
        carried += [part.card for part in parts if isinstance(part, g.Insert)]
        moved = {var for value in carried for var in common.find_variables(value)}
        while fresh := {each for var, value in flows if var in moved for each in common.find_variables(value)} - moved:
            moved |= fresh
        self.carried = frozenset(moved & self.hidden)

    def add_dependents(self, found: set[int]) -> None:
        """Add the variables whose values come from those found: transitive closure."""
        find = self.common.find_variables
        while fresh := {var for var, value in self.flows if var not in found and find(value) & found}:
            found |= fresh

    def find_step_card_variables(self) -> set[int]:
        """Return the variables for the card of a card step, and for a card that enters a zone."""
        borne = {body.card.id for step in self.game.borne_steps.values() for body in step.bodies if body}
        return borne | {trigger.card.id for trigger in self.game.enters}

    def is_public(self, value: g.Expr) -> bool:
        """Check whether all players know a value."""
        return self.common.is_public(value) and not self.common.find_variables(value) & self.hidden

    def is_public_zone(self, place: g.Place) -> bool:
        return self.game.zones[place.zone].viewer == "everyone"
