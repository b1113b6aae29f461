"""Analysis of the code that may hide cards: it makes them indistinguishable for some players."""

from __future__ import annotations

from cardlang import model as g
from cardlang.model.statement_effects import CardTransfer, find_effects
from cardlang.model.traversal import walk
from interpreter.knowledge.hidden_card_data_flow import HiddenCardVariables

POSITION_FUNCTIONS = ("top", "bottom", "first", "last")


def find_hiding_names(card_names: HiddenCardVariables) -> frozenset[str]:
    """Return the steps, reactions and triggers that may hide cards, by name: a fixed point over their calls.

    They shuffle, or move cards that some players cannot follow, directly or in the code they run."""
    game = card_names.game
    bodies: dict[str, object] = {step.name: step.body for step in game.steps.values()}
    for borne in game.borne_steps.values():
        bodies[f"card's {borne.name}"] = tuple(body.body for body in borne.bodies if body)
    for reaction in game.reactions:
        bodies[f"reaction {reaction.name}"] = (reaction.option,)
    for trigger in game.enters:
        bodies[f"enters {trigger.zone}"] = (*bodies.get(f"enters {trigger.zone}", ()), *trigger.body)  # type: ignore[misc]
    bodies["whenever"] = tuple(trigger.body for trigger in game.whenevers)
    found: frozenset[str] = frozenset()
    while True:
        more = {
            name for name, body in bodies.items() if any(can_hide_cards(card_names, part, found) for part in walk(body))
        }
        if more == found:
            return found
        found = frozenset(more)


def can_hide_cards(card_names: HiddenCardVariables, part: object, hiding_names: frozenset[str]) -> bool:
    """Check whether a statement may hide cards. `hiding_names`: the names already known to do so."""
    effects = find_effects(part)
    runs = [*effects.steps, *(f"card's {name}" for name in effects.card_steps)]
    if isinstance(part, g.Announce):
        runs = [f"reaction {each.name}" for each in card_names.game.reactions if part.name in each.to]
    if runs or isinstance(part, g.Announce):
        runs.append("whenever")
    runs += [f"enters {transfer.to.zone}" for transfer in effects.transfers]
    hidden = [each for each in effects.transfers if not card_names.is_public_zone(each.to)]
    return (
        bool(effects.shuffled or effects.hidden)
        or not all(map(can_follow, hidden))
        or (isinstance(part, g.Insert) and bool(hidden) and not is_followable_by_position(part.card))
        or not hiding_names.isdisjoint(runs)
    )


def can_follow(transfer: CardTransfer) -> bool:
    """Check whether all players can follow which cards move, because they know the order of the piles."""
    if transfer.is_whole:
        return is_followable_by_position(transfer.cards)
    return transfer.position in POSITION_FUNCTIONS


def is_followable_by_position(cards: g.Expr) -> bool:
    """Check whether all players can follow which cards these are: whole zones, or a number from an end."""
    if isinstance(cards, g.Joined):
        return all(is_followable_by_position(item) for item in cards.items)
    if isinstance(cards, g.Agg):
        return cards.function in POSITION_FUNCTIONS and is_followable_by_position(cards.list)
    if isinstance(cards, g.MapEach):
        return is_followable_by_position(cards.value)
    return isinstance(cards, g.ZoneCards | g.SetCards)
