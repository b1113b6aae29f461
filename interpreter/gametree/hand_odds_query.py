"""Odds query: the value to count, the zones that its cards are dealt to, and where they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.english.control_characters import normalize_user_input
from cardlang.english.morphology import join_phrases
from cardlang.model.statement_effects import iter_transfers
from cardlang.model.traversal import collect_all_nodes, walk
from interpreter.gametree.card_attribute_dependence import UNKNOWN_ZONE, CardDependence, find_dependence

DEALT_ZONE = "the cards dealt"
"""Zone for the cards of a ranking or a definition of cards. No zone of a game can have this name."""
CARD_COUNT_PATTERN = "[0-9]{1,6}"
"""Pattern of a number of cards in the user's input."""


class OddsError(ValueError):
    """Error for a value that cannot be counted. The message gives the reason."""


@frozen
class OddsQuery:
    """Count to make.

    game: the game, with the zone `DEALT_ZONE` if needed.
    zones: by zone of the table or of the first player, the number of cards to deal.
    source: the zone that they come from.
    dependence: the reads of `expr`.
    """

    game: g.Game
    expr: g.Expr
    zones: Mapping[str, int]
    source: str
    dependence: CardDependence


def build_odds_query(
    game: g.Game, name: str, cards: str = "", source: str | None = None, cards_present: Mapping[str, int] | None = None
) -> OddsQuery:
    """Build the query for a definition of a player or of cards, or about a ranking.

    cards: the number of cards, as `5` or `hand 4, starter 1`; empty: the number that the rankings require.
    source: the zone that they come from.
    cards_present: by zone, the number of cards already there.
    Raise `OddsError` if the value cannot be counted.
    """
    game, expr = find_query_expression(game, name)
    dependence = find_dependence(game, expr)
    check_countable_type(game, name, expr)
    zones = find_dealt_zones(game, name, expr, dependence, cards, cards_present or {})
    source = source or find_source_zone(game, zones, dependence)
    if source not in find_home_zones(game):
        raise OddsError(f"{source} holds no cards at the start. They are in {join_phrases(find_home_zones(game))}.")
    check_countable_reads(name, dependence, set(zones), source)
    return OddsQuery(game, expr, zones, source, dependence)


# ---------------------------------------------------------------- value to count
def find_query_expression(game: g.Game, name: str) -> tuple[g.Game, g.Expr]:
    """Return the game and the expression for a name. The game gets the zone `DEALT_ZONE` if needed."""
    if name in game.rankings:
        ranking = game.rankings[name]
        game = add_dealt_zone(game)
        span = ranking.origin.span
        type_ = g.Type("reading", of=name, maybe=True)
        return game, g.ReadRanking(
            type_, span, name, g.ZoneCards(g.build_list_type(g.CARD), span, DEALT_ZONE, None), None
        )
    if name not in game.defines:
        raise OddsError(f"{game.title} has no definition {name}.{suggest_name(name, list_countable_names(game))}")
    define = game.defines[name]
    span = define.value.span
    if define.second is not None:
        raise OddsError(f"{name} is for each {define.second}. `odds` counts definitions of a player alone.")
    if define.subject == "cards":
        game = add_dealt_zone(game)
        return game, g.Call(define.type, span, name, g.ZoneCards(g.build_list_type(g.CARD), span, DEALT_ZONE, None))
    if define.subject != "player":
        of = "the table" if define.subject is None else f"a {define.subject}"
        raise OddsError(
            f"{name} is a definition of {of}, not of a player.{suggest_name(name, list_countable_names(game))}"
        )
    return game, g.Call(define.type, span, name, g.Const(g.PLAYER, span, 0))


def add_dealt_zone(game: g.Game) -> g.Game:
    zone = g.Zone(DEALT_ZONE, None, False, "everyone", g.Noun(DEALT_ZONE, DEALT_ZONE), "", g.NO_ORIGIN)
    return game.replace(zones={**game.zones, DEALT_ZONE: zone})


def list_countable_names(game: g.Game) -> list[str]:
    """Return the names that can be counted."""
    defines = [each.name for each in game.defines.values() if each.subject in ("player", "cards") and not each.second]
    return [*defines, *game.rankings]


def suggest_name(name: str, names: list[str]) -> str:
    close = [match for match in get_close_matches(name, names, 1, 0.6) if match != name]
    if close:
        return f" Did you mean {close[0]}?"
    return f" Available: {join_phrases(names)}." if names else ""


def check_countable_type(game: g.Game, name: str, expr: g.Expr) -> None:
    type_ = expr.type
    if type_.tag not in ("reading", "number", "flag", "member", "player", "text"):
        what = "a list" if type_.tag == "list" else "a card"
        raise OddsError(f"{name} is {what}. `odds` counts only numbers, flags, names and hand ranks.")
    if type_.tag == "reading" and game.rankings[str(type_.of)].size == "groups":
        raise OddsError(f"{type_.of} splits cards into groups and gives no rank. Name a number read from it.")


# ---------------------------------------------------------------- zones of the deal
def find_dealt_zones(
    game: g.Game, name: str, expr: g.Expr, dependence: CardDependence, cards: str, cards_present: Mapping[str, int]
) -> dict[str, int]:
    read_zones = [zone for zone in game.zones if zone in dependence.zones and is_player_zone(game, zone)]
    cards = normalize_user_input(cards)
    if "," in cards or " " in cards.strip():
        zones = dict(parse_zone_count(game, row) for row in cards.split(","))
        if unread := [zone for zone in zones if zone not in dependence.zones]:
            raise OddsError(f"{name} does not use {join_phrases(unread)}.")
    elif len(read_zones) == 1:
        if cards and re.fullmatch(CARD_COUNT_PATTERN, cards.strip()) is None:
            raise OddsError(f"Write a number of cards, or zones such as `hand 4, starter 1`, not `{cards}`.")
        zones = {
            read_zones[0]: int(cards or get_hand_size(game, name, dependence, cards_present.get(read_zones[0], 0)))
        }
    else:
        read = [zone for zone in game.zones if zone in dependence.zones]
        reads = f"{name} uses {join_phrases(read)}" if read else f"{name} uses no cards"
        raise OddsError(f"{reads}. Say how many cards each zone gets, such as `--cards 'hand 4, starter 1'`.")
    for zone, number in zones.items():
        if game.zones[zone].single and number + cards_present.get(zone, 0) > 1:
            raise OddsError(f"{zone} holds one card, not {number}.")
    return zones


def is_player_zone(game: g.Game, zone: str) -> bool:
    return zone == DEALT_ZONE or (game.zones[zone].subject == "player" and game.zones[zone].second is None)


def parse_zone_count(game: g.Game, row: str) -> tuple[str, int]:
    """Parse a row such as `hand 4` into a zone and a number."""
    match = re.fullmatch(rf"\s*(\S+)\s+({CARD_COUNT_PATTERN})\s*", row)
    if match is None:
        raise OddsError(f"Write a zone and a number of cards, such as `hand 4`, not `{row.strip()}`.")
    zones = [zone.name for zone in game.zones.values() if zone.subject in (None, "player") and zone.second is None]
    if match[1] not in zones:
        raise OddsError(f"Unknown zone {match[1]}.{suggest_name(match[1], zones)}")
    return match[1], int(match[2])


def get_hand_size(game: g.Game, name: str, dependence: CardDependence, cards_present: int) -> int:
    """Return the number of cards that complete a hand.

    Raise `OddsError` if the rankings disagree, or if cards of another place belong to the hand.
    """
    sizes = {game.rankings[ranking].size for ranking in dependence.rankings}
    (size,) = sizes if len(sizes) == 1 else (None,)
    if not isinstance(size, int) or dependence.combines_places:
        raise OddsError(f"How many cards does {name} need? Add a number, such as --cards 3.")
    return max(0, size - cards_present)


def find_home_zones(game: g.Game) -> list[str]:
    """Return the zones that contain cards at the start."""
    return list(dict.fromkeys(game.sets[face.set].home for face in game.faces if face.copies))


def find_source_zone(game: g.Game, zones: Mapping[str, int], dependence: CardDependence) -> str:
    """Return the zone that cards are dealt from.

    If there are several, follow the moves of the game back from the dealt zones, or take the cards that the ranking is
    about.
    """
    known = find_home_zones(game)
    if len(known) > 1:
        known = (
            list(find_set_homes(game, dependence)) if DEALT_ZONE in zones else find_reachable_homes(game, set(zones))
        )
    if len(known) != 1:
        raise OddsError(
            f"Which zone are the cards dealt from? Add --from with one of {join_phrases(find_home_zones(game))}."
        )
    return known[0]


def find_set_homes(game: g.Game, dependence: CardDependence) -> dict[str, None]:
    groups = [part for name in sorted(dependence.rankings) for part in walk(game.rankings[name].ranks)]
    return dict.fromkeys(game.sets[group.set].home for group in groups if isinstance(group, g.Group))


def find_reachable_homes(game: g.Game, zones: set[str]) -> list[str]:
    """Return the home zones from which moves bring cards to `zones`, directly or through other zones."""
    moves = list(iter_zone_moves(game))
    reached, waiting, homes = set(zones), list(zones), set[str]()
    while waiting:
        zone = waiting.pop()
        for origin in {origin for origin, to in moves if to == zone} - reached:
            reached.add(origin)
            if origin in find_home_zones(game):
                homes.add(origin)
            else:
                waiting.append(origin)
    return sorted(homes)


def iter_zone_moves(game: g.Game) -> Iterator[tuple[str, str]]:
    """Yield the source and target zones of all moves in the game."""
    for transfer in iter_transfers(collect_all_nodes(game)):
        for inner in walk((transfer.cards,)):
            if isinstance(inner, g.ZoneCards):
                yield inner.zone, transfer.to.zone


# ---------------------------------------------------------------- limits
def check_countable_reads(name: str, dependence: CardDependence, zones: set[str], source: str) -> None:
    if dependence.winners_read is not None:
        raise OddsError(
            f"{name} depends on who wins: {format_place(dependence.winners_read)}. "
            "`odds` counts only the hands themselves."
        )
    if source in dependence.zones:
        raise OddsError(f"{name} uses {source}, which the cards are dealt from.")
    for span, behind in dependence.position_reads:
        if behind & (zones | {UNKNOWN_ZONE}):
            raise OddsError(f"{name} depends on the order of the cards: {format_place(span)}. `odds` ignores order.")


def format_place(span: Span) -> str:
    return f"`{span.text}` ({span.source.name}, line {span.line})"
