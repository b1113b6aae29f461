"""Lint rules for card visibility: unshuffled decks, open piles and choices among unseen cards."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.shared_game_facts import GameFacts, rule
from cardlang.model.statement_effects import CardTransfer, find_effects, find_shuffled_zones, iter_track_changes
from cardlang.model.traversal import walk

ORDERED_ENDS = ("top", "bottom", "first", "last")


# ---------------------------------------------------------------- unshuffled cards
@rule("W413", "Unshuffled deal", checks_libraries=True)
def find_unshuffled_deals(facts: GameFacts) -> Iterator[Finding]:
    """Cards are dealt from a pile that no rule has shuffled, so players can work out
    who gets which card. Write `shuffle` before the deal. If you want a fixed
    order, place the cards that way: `put box to deck, lowest on top`.

    Wrong:

        step play
          each player
            deal top 4 of deck to your hand
            add count of your hand to your score

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            add count of your hand to your score
    """
    game = facts.game
    homes = [game.sets[face.set].home for face in game.faces]
    untouched = {home for home in homes if homes.count(home) > 1}
    for statement in facts.execution_order:
        effects = find_effects(statement)
        untouched -= {place.zone for place in effects.shuffled}
        for transfer in effects.transfers:
            zone = find_zone_taken_in_order(transfer)
            if zone in untouched:
                later = [part.span for part, each in facts.effects if any(p.zone == zone for p in each.shuffled)]
                yield Finding(
                    statement.span,
                    f"`{zone}` is dealt before its first shuffle" if later else f"`{zone}` is never shuffled",
                    f"add `shuffle {zone}` before the deal, or put the cards in order: `…, lowest on top`",
                    tuple((span, "the first shuffle") for span in later[:1]),
                )
            untouched -= {transfer.to.zone, zone or ""}
            if transfer.end in ("top", "under") and transfer.gathers_sets:
                untouched.add(transfer.to.zone)


def find_zone_taken_in_order(transfer: CardTransfer) -> str | None:
    """Return the global zone from which cards are taken in their order, or None."""
    end, source = split_end_and_cards(transfer)
    return source.zone if end in ORDERED_ENDS and isinstance(source, g.ZoneCards) and source.of is None else None


def split_end_and_cards(transfer: CardTransfer) -> tuple[str | None, g.Expr]:
    """Return the end from which cards are taken, and the list of cards. A deal to all players takes from the top."""
    cards = transfer.cards
    if not transfer.is_whole:
        return transfer.position, cards
    if isinstance(cards, g.Joined) and len(cards.items) == 1:
        cards = cards.items[0]
    if isinstance(cards, g.Agg):
        return cards.function, cards.list
    return ("top" if transfer.to.each else None), cards


# ---------------------------------------------------------------- unset players
@rule("W410", "Player not set before the loop", checks_libraries=True)
def find_unset_loop_players(facts: GameFacts) -> Iterator[Finding]:
    """The condition of this loop asks about a player that no rule has set yet.
    Anything that belongs to an unset player is empty, so the loop ends immediately
    or never. Set the player before the loop, or give it `starts at` in its
    declaration.

    Wrong:

        player best
        step play
          repeat until best's score > 20
            each player
              add your seat to your score
            set best to highest of players by score

    Right:

        player best
        step play
          set best to leader
          repeat until best's score > 20
            each player
              add your seat to your score
            set best to highest of players by score
    """
    changed = {change.track for change in iter_track_changes(walk(facts.triggered_bodies))}
    unset = {
        name: track
        for name, track in facts.game.tracks.items()
        if track.subject is None and track.type.tag == "player" and isinstance(track.start, g.Const)
    }
    for statement in facts.execution_order:
        changed |= {change.track for change in find_effects(statement).track_changes}
        if isinstance(statement, g.Repeat) and statement.until is not None:
            for part in walk(statement.until):
                name = find_track_that_names_owner(part)
                if isinstance(part, g.Expr) and name in unset.keys() - changed:
                    yield Finding(
                        part.span,
                        f"`{name}` is still `nobody` when this loop starts",
                        f"write `player {name} starts at random of players`, or `set {name} to …` before the loop",
                        ((unset[name].origin.name, "it starts as `nobody`"), (statement.span, "this loop")),
                    )
                    changed.add(name)
                    break


def find_track_that_names_owner(part: object) -> str | None:
    """Return the player track that a value belongs to, such as `leader` in `leader's hand`."""
    match part:
        case g.ZoneCards(of=g.TrackValue(track=name)) | g.TrackValue(of=g.TrackValue(track=name)):
            return name
        case g.Call(of=g.TrackValue(track=name)):
            return name
    return None


# ---------------------------------------------------------------- visible piles and unseen choices
@rule("W429", "Shuffled pile is face up")
def find_visible_draw_piles(facts: GameFacts) -> Iterator[Finding]:
    """All players can see every card of this zone, but the rules shuffle it and treat
    its top card as unknown. If the pile is face down, add `seen by nobody` to its
    declaration.

    Wrong:

        zone stock
        step play
          move Pack to stock
          shuffle stock
          each player
            you may draw 1 from top of stock to your hand
            add total of your hand's value to your score

    Right:

        zone stock seen by nobody
        step play
          move Pack to stock
          shuffle stock
          each player
            you may draw 1 from top of stock to your hand
            add total of your hand's value to your score
    """
    shuffled = find_shuffled_zones(facts.nodes)
    for zone in facts.game.zones.values():
        if zone.name in shuffled and zone.viewer == "everyone" and zone.subject is None:
            drawn = next((part for part, _ in facts.effects if is_drawn_in_order(facts.game, part, zone.name)), None)
            if drawn is not None:
                effects = find_effects(drawn)
                use = "shown" if effects.revealed else "a choice" if effects.asks else "drawn to a hidden hand"
                yield Finding(
                    zone.origin.name,
                    f"all players see all cards of `{zone.name}`, but it is shuffled and its top is {use}",
                    f"if it is face down, write `zone {zone.name} seen by nobody`",
                    ((drawn.span, "here"),),
                )


def is_drawn_in_order(game: g.Game, statement: g.Stmt, zone: str) -> bool:
    """Return whether the cards of a zone are revealed or go to a hand in their order, or a player chooses the number
    of cards to draw unseen."""
    effects = find_effects(statement)
    if any(isinstance(each, g.ZoneCards) and each.zone == zone for each in walk(effects.revealed)):
        return True
    taken = [transfer.to for transfer in effects.transfers if find_zone_taken_in_order(transfer) == zone]
    if effects.asks:
        return effects.waits and bool(taken)
    return any(game.zones[place.zone].viewer == "owner" and not place.each for place in taken)


@rule("W430", "Choice of hidden cards")
def find_unseen_choices(facts: GameFacts) -> Iterator[Finding]:
    """The rule offers cards by their faces, and the player who chooses can't see
    them. The legal moves would reveal the cards. Let the player see them, show
    them first, or offer all of them. If you meant the top card of a draw pile,
    write `from top of`.

    Wrong:

        zone your cache seen by nobody
        step play
          shuffle deck
          each player
            deal top 4 of deck to your cache
            you play 1 from (your cache where suit = Hearts) to your hand
            add count of your hand to your score

    Right:

        zone your cache seen by owner
        step play
          shuffle deck
          each player
            deal top 4 of deck to your cache
            you play 1 from (your cache where suit = Hearts) to your hand
            add count of your hand to your score
    """
    zones = facts.game.zones
    shown = {zone for _, effects in facts.effects for cards in effects.revealed for zone in facts.find_zones(cards)}
    piles = set(map(find_zone_taken_in_order, facts.transfers))
    for part in facts.find_nodes(g.Stmt, g.Option):
        chosen = [each.cards for each in find_effects(part).transfers if each.is_chosen]
        for cards in (*chosen, *iter_choice_domains(part)):
            unseen = [
                zones[each.zone]
                for each in find_zones_filtered_by_face(facts, cards)
                if is_hidden_from_chooser(facts.game, each) and each.zone not in shown
            ]
            for zone in unseen[:1]:
                viewers = "no player sees" if zone.viewer == "nobody" else "their owners do not see"
                yield Finding(
                    cards.span,
                    f"this choice depends on the cards of `{zone.name}`, but {viewers} them",
                    f"make them visible (`zone your {zone.name} seen by owner`), reveal them first, or choose from all "
                    "of them",
                    ((zone.origin.name, "the zone"),),
                )
        for cards in chosen:
            if isinstance(cards, g.ZoneCards) and zones[cards.zone].viewer == "nobody" and cards.zone in piles:
                yield Finding(
                    cards.span,
                    f"this choice may take any hidden card of `{cards.zone}`, but other rules draw from its top",
                    f"write `from top of {cards.zone}`, or `random` for random cards",
                )


def iter_choice_domains(part: object) -> Iterator[g.Expr]:
    """Yield the lists of values that a choice offers."""
    match part:
        case g.Choose(domain=g.Domain(list=items)) if items is not None:
            yield items
        case g.Option(binders=binders):
            yield from (domain.list for _, domain in binders if domain.list is not None)


def find_zones_filtered_by_face(facts: GameFacts, cards: g.Expr) -> Iterator[g.ZoneCards]:
    """Yield the zones whose cards are filtered by their faces."""
    for part in facts.walk_with_definitions(cards):
        match part:
            case g.Filter(list=g.ZoneCards() as zone, var=var, condition=condition):
                if any(reads_card_face(each, var) for each in walk((condition,))):
                    yield zone


def reads_card_face(part: object, var: g.Var) -> bool:
    match part:
        case g.Attribute(card=card) | g.IsSet(card=card) | g.Builtin(name="title", of=card):
            return card == var
    return False


def is_hidden_from_chooser(game: g.Game, zone: g.ZoneCards) -> bool:
    """Return whether the player who chooses cannot see a zone."""
    viewer = game.zones[zone.zone].viewer
    return viewer == "nobody" or (viewer == "others" and isinstance(zone.of, g.Var) and zone.of.name == "you")
