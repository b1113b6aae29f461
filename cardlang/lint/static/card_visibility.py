"""Lint rules for card visibility: unshuffled decks, open piles and choices among unseen cards."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.diagnostics import Diagnostic
from cardlang.lint.static.execution_order import get_own_source, iter_execution_order, iter_triggered_bodies
from cardlang.lint.static.infinite_loops import walk_with_definitions
from cardlang.model.effects import (
    CardTransfer,
    Effects,
    find_effects,
    find_shuffled_zones,
    iter_effects,
    iter_track_changes,
    iter_transfers,
)
from cardlang.model.traversal import collect_all_nodes, iter_bodies, walk

ORDERED_ENDS = ("top", "bottom", "first", "last")


# ---------------------------------------------------------------- unshuffled cards
def check_unshuffled_piles(game: g.Game) -> Iterator[Diagnostic]:
    """Report cards taken in order from a pile that is never shuffled, or only later. All players can know its order."""
    untouched = {card_set.home for card_set in game.sets.values() if has_different_cards(game, card_set.home)}
    for statement in iter_execution_order(game):
        untouched -= find_shuffled_zones([statement])
        for transfer in find_effects(statement).transfers:
            zone = find_zone_taken_in_order(transfer)
            if zone in untouched:
                yield build_unshuffled_diagnostic(game, statement, zone or "")
            untouched -= {transfer.to.zone, zone or ""}
            if transfer.end in ("top", "under") and transfer.gathers_sets:
                untouched.add(transfer.to.zone)


def has_different_cards(game: g.Game, zone: str) -> bool:
    """Return whether different cards start in a zone."""
    return sum(game.sets[face.set].home == zone for face in game.faces) > 1


def find_zone_taken_in_order(transfer: CardTransfer) -> str | None:
    """Return the global zone from which cards are taken in their order, or None."""
    end, source = split_end_and_cards(transfer)
    return source.zone if end in ORDERED_ENDS and isinstance(source, g.ZoneCards) and source.of is None else None


def split_end_and_cards(transfer: CardTransfer) -> tuple[str | None, g.Expr]:
    """Return the end from which cards are taken, and the list of cards. A deal to all players takes from the top."""
    what = transfer.cards
    if not transfer.is_whole:
        return transfer.position, what
    if isinstance(what, g.Joined) and len(what.items) == 1:
        what = what.items[0]
    if isinstance(what, g.Agg):
        return what.function, what.list
    return ("top" if transfer.to.each else None), what


def build_unshuffled_diagnostic(game: g.Game, statement: g.Stmt, zone: str) -> Diagnostic:
    later = [
        part.span
        for body in iter_bodies(game)
        for part, effects in iter_effects(walk(body))
        if any(place.zone == zone for place in effects.shuffled)
    ]
    message = f"`{zone}` is never shuffled"
    if later:
        message = f"`{zone}` is dealt before its first shuffle"
    return Diagnostic(
        "W413",
        message,
        statement.span,
        f"add `shuffle {zone}` before the deal, or put the cards in order: `…, lowest on top`",
        tuple((span, "the first shuffle") for span in later[:1]),
        warning=True,
    )


# ---------------------------------------------------------------- unset players
def check_unset_loop_players(game: g.Game) -> Iterator[Diagnostic]:
    """Report loops whose condition uses an unset player, so that they end immediately or never start."""
    unset = {
        name
        for name, track in game.tracks.items()
        if track.subject is None and track.type.tag == "player" and isinstance(track.start, g.Const)
    }
    for body in iter_triggered_bodies(game):
        unset -= {change.track for change in iter_track_changes(walk(body))}
    for statement in iter_execution_order(game):
        unset -= {change.track for change in iter_track_changes([statement])}
        if isinstance(statement, g.Repeat) and statement.until is not None:
            found = next((part for part in walk(statement.until) if get_owner_track(part) in unset), None)
            name = get_owner_track(found)
            if found is not None and name is not None:
                unset.discard(name)
                yield build_unset_player_diagnostic(game, statement, found, name)


def get_owner_track(part: object) -> str | None:
    """Return the player track that a value belongs to, such as `leader` in `leader's hand`."""
    match part:
        case g.ZoneCards(of=g.TrackValue(track=name)) | g.TrackValue(of=g.TrackValue(track=name)):
            return name
        case g.Call(of=g.TrackValue(track=name)):
            return name
    return None


def build_unset_player_diagnostic(game: g.Game, repeat: g.Repeat, part: object, name: str) -> Diagnostic:
    span = part.span if isinstance(part, g.Expr) else repeat.span
    return Diagnostic(
        "W410",
        f"`{name}` is still `nobody` when this loop starts",
        span,
        f"write `player {name} starts at random of players`, or `set {name} to …` before the loop",
        ((game.tracks[name].origin.name, "it starts as `nobody`"), (repeat.span, "this loop")),
        warning=True,
    )


# ---------------------------------------------------------------- visible piles and unseen choices
def check_visible_draw_piles(game: g.Game) -> Iterator[Diagnostic]:
    """Report public piles that are shuffled and drawn from, although all players see their cards."""
    parts = list(collect_all_nodes(game))
    shuffled = find_shuffled_zones(parts)
    for zone in game.zones.values():
        if zone.name in shuffled and zone.viewer == "everyone" and zone.subject is None:
            drawn = next((part for part in parts if is_drawn_in_order(game, part, zone.name)), None)
            if drawn is not None and isinstance(drawn, g.Stmt) and zone.origin.span.source is get_own_source(game):
                yield Diagnostic(
                    "W429",
                    f"all players see all cards of `{zone.name}`, but it is shuffled and its top is "
                    f"{describe_use(find_effects(drawn))}",
                    zone.origin.name,
                    f"if it is face down, write `zone {zone.name} seen by nobody`",
                    ((drawn.span, "here"),),
                    warning=True,
                )


def is_drawn_in_order(game: g.Game, part: object, zone: str) -> bool:
    """Return whether the cards of a zone are revealed or go to a hand in their order, or a player chooses the number
    of cards to draw unseen."""
    effects = find_effects(part)
    if any(isinstance(each, g.ZoneCards) and each.zone == zone for each in walk(effects.revealed)):
        return True
    taken = [transfer.to for transfer in effects.transfers if find_zone_taken_in_order(transfer) == zone]
    if effects.asks:
        return effects.waits and bool(taken)
    return any(game.zones[place.zone].viewer == "owner" and not place.each for place in taken)


def describe_use(effects: Effects) -> str:
    return "shown" if effects.revealed else "a choice" if effects.asks else "drawn to a hidden hand"


def check_unseen_choices(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices based on cards that the player cannot see.

    It also reports choices among all cards of a hidden pile, if other rules draw from its top."""
    parts = list(collect_all_nodes(game))
    shown = {each.zone for part in parts for cards in find_effects(part).revealed for each in iter_zones(game, cards)}
    piles = set(map(find_zone_taken_in_order, iter_transfers(parts)))
    for part in parts:
        if is_own_choice(game, part):
            for cards in iter_offered_lists(part):
                unseen = [
                    each
                    for each in find_zones_filtered_by_face(game, cards)
                    if is_hidden_from_chooser(game, each) and each.zone not in shown
                ]
                for zone in unseen[:1]:
                    yield build_hidden_choice_diagnostic(game, cards, game.zones[zone.zone])
        for transfer in find_effects(part).transfers if is_own_choice(game, part) else ():
            zone_ = game.zones[transfer.cards.zone] if isinstance(transfer.cards, g.ZoneCards) else None
            if transfer.is_chosen and zone_ is not None and zone_.viewer == "nobody" and zone_.name in piles:
                yield Diagnostic(
                    "W430",
                    f"this choice may take any hidden card of `{zone_.name}`, but other rules draw from its top",
                    transfer.cards.span,
                    f"write `from top of {zone_.name}`, or `random` for random cards",
                    warning=True,
                )


def is_own_choice(game: g.Game, part: object) -> bool:
    if not (isinstance(part, g.Option) or (isinstance(part, g.Stmt) and find_effects(part).asks)):
        return False
    return part.span.source is get_own_source(game)


def iter_offered_lists(part: object) -> Iterator[g.Expr]:
    """Yield the lists of cards that a choice offers."""
    yield from (transfer.cards for transfer in find_effects(part).transfers if transfer.is_chosen)
    match part:
        case g.Choose(domain=g.Domain(list=items)) if items is not None:
            yield items
        case g.Option(binders=binders):
            yield from (domain.list for _, domain in binders if domain.list is not None)


def find_zones_filtered_by_face(game: g.Game, cards: g.Expr) -> Iterator[g.ZoneCards]:
    """Yield the zones whose cards are filtered by their faces."""
    for part in walk_with_definitions(game, cards):
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


def iter_zones(game: g.Game, cards: g.Expr) -> Iterator[g.ZoneCards]:
    yield from (part for part in walk_with_definitions(game, cards) if isinstance(part, g.ZoneCards))


def build_hidden_choice_diagnostic(game: g.Game, cards: g.Expr, zone: g.Zone) -> Diagnostic:
    viewers = "no player sees" if zone.viewer == "nobody" else "their owners do not see"
    return Diagnostic(
        "W430",
        f"this choice depends on the cards of `{zone.name}`, but {viewers} them",
        cards.span,
        f"make them visible (`zone your {zone.name} seen by owner`), reveal them first, or choose from all of them",
        ((zone.origin.name, "the zone"),),
        warning=True,
    )
