"""Lint rules for card flow: no-op moves, empty sources, and zones that cards never leave."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.shared_game_facts import GameFacts, rule
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import split_conjunction, walk

CardLocation = tuple[str, g.Expr | None, g.Expr | None]
"""Zone of some cards, its owner and its second owner."""


# ---------------------------------------------------------------- moves without effect
@rule("W423", "Cards moved to the same zone")
def find_no_op_moves(facts: GameFacts) -> Iterator[Finding]:
    """The cards are already in the zone that they move to, or a player may take cards
    from themselves. Name another zone, or allow only other players:
    `from your others`.

    Wrong:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
          each player
            you choose victim from players
            take random of victim's hand to your hand
            add total of your hand's value to your score

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
          each player
            you choose victim from your others
            take random of victim's hand to your hand
            add total of your hand's value to your score
    """
    locations = {each.var.id: find_card_location(each.source) for each in facts.bindings if each.kind == "choice"}
    free_choices = {
        part.var.id: part
        for part in facts.find_nodes(g.Choose)
        if part.provided is None and can_include_chooser(part.domain.list)
    }
    moves = [
        (part.span, each, unwrap_cards(each.cards)) for part, effects in facts.effects for each in effects.transfers
    ]
    moved_variables = [cards.id for _, _, cards in moves if isinstance(cards, g.Var)]
    for span, transfer, cards in moves:
        is_sorting = transfer.end != "top" and isinstance(cards, g.ZoneCards)
        if not facts.is_own(span) or transfer.to.each or transfer.end in ("under", "between") or is_sorting:
            continue
        location = find_card_location(cards)
        if isinstance(cards, g.Var):
            location = locations.get(cards.id) if moved_variables.count(cards.id) == 1 else None
        if location is None or (location[0], location[2]) != (transfer.to.zone, transfer.to.second):
            continue
        owner = location[1]
        choice = free_choices.get(owner.id) if isinstance(owner, g.Var) else None
        if owner == transfer.to.of:
            hint = "write another destination, or another source"
            yield Finding(span, "this moves cards to the zone they are already in", hint)
        elif choice is not None and choice.who == transfer.to.of:
            yield Finding(
                choice.span,
                f"`{choice.var.name}` can be the player who chooses, and then no cards move",
                "allow only other players: `from your others`",
                ((span, "the cards go here"),),
            )


def unwrap_cards(cards: g.Expr) -> g.Expr:
    """Return the only list in a list of lists, or else the list itself."""
    while isinstance(cards, g.Joined) and len(cards.items) == 1:
        cards = cards.items[0]
    return cards


def find_card_location(cards: g.Expr | None) -> CardLocation | None:
    """Return the zone that all of these cards are in, or None."""
    match cards:
        case g.ZoneCards(zone=zone, of=of, second=second):
            return zone, of, second
        case g.Filter(list=inner) | g.Agg(function="distinct" | "top" | "random", list=inner):
            return find_card_location(inner)
    return None


def can_include_chooser(players: g.Expr | None) -> bool:
    """Return whether a list of players may include the player who chooses."""
    if isinstance(players, g.Filter):
        asks = [part for part in walk((players.condition,)) if isinstance(part, g.Expr) and part.type.tag == "player"]
        return all(part == players.var for part in asks) and can_include_chooser(players.list)
    return isinstance(players, g.Builtin) and players.name == "players"


# ---------------------------------------------------------------- empty piles
@rule("W428", "Pile is empty here")
def find_empty_sources(facts: GameFacts) -> Iterator[Finding]:
    """The condition says that the pile is empty, and the line below it takes or shows
    cards of that pile. Nothing happens. Write `is not empty`, or take the cards
    from another pile.

    Wrong:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            add total of your hand's value to your score
            you may choose one
              option peek when deck is empty
                reveal top of deck to you

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            add total of your hand's value to your score
            you may choose one
              option peek when deck is not empty
                reveal top of deck to you
    """
    for part in facts.find_nodes(g.If, g.Option):
        conditions = [part.condition] if isinstance(part, g.If) else [when for when, _ in part.when]
        empty = {
            (each.value.zone, each.value.of, each.value.second): each
            for condition in conditions
            for each in split_conjunction(condition)
            if isinstance(each, g.IsEmpty) and isinstance(each.value, g.ZoneCards)
        }
        for statement in (part.then if isinstance(part, g.If) else part.body) if empty else ():
            source = find_used_zone(statement)
            if source is not None and (condition := empty.get((source.zone, source.of, source.second))) is not None:
                yield Finding(
                    statement.span,
                    f"the condition makes sure that `{source.zone}` is empty, so nothing happens here",
                    "write `… is not empty`, or take the cards from another zone",
                    ((condition.span, "the condition"),),
                )
            if not isinstance(statement, g.AtOnce):
                break  # it may move cards


def find_used_zone(statement: g.Stmt) -> g.ZoneCards | None:
    """Return the zone whose cards a statement takes or shows, if it uses only that one."""
    effects = find_effects(statement)
    lists = [*(transfer.cards for transfer in effects.transfers), *effects.revealed]
    cards = unwrap_cards(lists[0]) if len(lists) == 1 else None
    while isinstance(cards, g.Agg | g.Filter):
        cards = unwrap_cards(cards.list)
    return cards if isinstance(cards, g.ZoneCards) else None


# ---------------------------------------------------------------- dead-end zones
OUT_OF_PLAY = {"remove", "discard"}
"""Verbs for cards that no rule needs to use again."""


@rule("W402", "Cards never leave a zone")
def find_dead_end_zones(facts: GameFacts) -> Iterator[Finding]:
    """Cards go to this zone, but no rule takes them from there, counts them or looks
    at them. Bring them back before you shuffle again. If they are out of the game,
    say so with `remove` or `discard`.

    Wrong:

        zone limbo
        step setup
          shuffle deck
          move top of deck to limbo

    Right:

        zone limbo
        step setup
          shuffle deck
          remove top of deck to limbo
    """
    counted = {id(part.list) for part in facts.find_nodes(g.Agg) if part.function == "count"}
    if any(id(part) not in counted for part in facts.find_nodes(g.SetCards)):
        return  # sets of cards are gathered from all zones
    used = {part.zone for part in facts.find_nodes(g.ZoneCards)} | {trigger.zone for trigger in facts.game.enters}
    used |= {transfer.to.zone for transfer in facts.transfers if transfer.verb in OUT_OF_PLAY}
    # If a loop shuffles a pile again, the cards were probably forgotten when gathering it.
    parts = [part for loop in facts.find_nodes(g.Repeat) for part in facts.walk_reachable(loop.body)]
    shuffled = (place for part in parts for place in find_effects(part).shuffled)
    pile = next((place.zone for place in shuffled if place.of is None), None)
    back = "" if pile is None else "return them before the shuffle: `move {} to " + pile + "`. "
    for name in dict.fromkeys(transfer.to.zone for transfer in facts.transfers):
        if name not in used:
            yield Finding(
                facts.game.zones[name].origin.name,
                f"cards never leave `{name}`, and no rule uses them there",
                f"{back.format(name)}If they are out of the game, write `remove … to {name}`",
            )
