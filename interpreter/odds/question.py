"""Parse a question about odds: from names to the expression to count and the zones to deal to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from attrs import evolve, frozen

from cardlang import game as g
from cardlang.game.walking import everything, walk
from cardlang.plain_text import simplified
from cardlang.source import Span
from cardlang.words import join
from interpreter.odds.sight import UNKNOWN, Sight, sight_of

DEALT = "the cards dealt"
"""Zone for the cards of a ranking or a definition of cards. No zone of a game can have this name."""

NUMBER = "[0-9]{1,6}"
"""Pattern of a number of cards in the user's input."""


class OddsError(ValueError):
    """Error for a value that cannot be counted. The message gives the reason."""


@frozen
class Question:
    """Count to make.

    game: the game, with the zone `DEALT` if needed.
    zones: by zone of the table or of the first player, the number of cards to deal.
    source: the zone that they come from.
    sight: the reads of `expr`.
    """

    game: g.Game
    expr: g.Expr
    zones: Mapping[str, int]
    source: str
    sight: Sight


def question(
    game: g.Game, name: str, cards: str = "", source: str | None = None, there: Mapping[str, int] | None = None
) -> Question:
    """Build the question about a definition of a player or of cards, or about a ranking.

    cards: the number of cards, as `5` or `hand 4, starter 1`; empty: the number that the rankings ask for.
    source: the zone that they come from.
    there: by zone, the number of cards already there.
    Raise `OddsError` if the value cannot be counted.
    """
    game, expr = asked(game, name)
    sight = sight_of(game, expr)
    refuse_values(game, name, expr)
    zones = dealt_zones(game, name, expr, sight, cards, there or {})
    source = source or the_source(game, zones, sight)
    if source not in homes(game):
        raise OddsError(f"{source} holds no cards at the start. They are in {join(homes(game))}.")
    refuse_sight(name, sight, set(zones), source)
    return Question(game, expr, zones, source, sight)


# ---------------------------------------------------------------- value to count
def asked(game: g.Game, name: str) -> tuple[g.Game, g.Expr]:
    """Return the game and the expression for a name. The game gets the zone `DEALT` if needed."""
    if name in game.rankings:
        ranking = game.rankings[name]
        game = with_zone(game)
        span = ranking.origin.span
        type_ = g.Type("reading", of=name, maybe=True)
        return game, g.ReadRanking(type_, span, name, g.ZoneCards(g.list_of(g.CARD), span, DEALT, None), None)
    if name not in game.defines:
        raise OddsError(f"{game.title} has no definition {name}.{near(name, countable(game))}")
    define = game.defines[name]
    span = define.value.span
    if define.subject == "cards":
        game = with_zone(game)
        return game, g.Call(define.type, span, name, g.ZoneCards(g.list_of(g.CARD), span, DEALT, None))
    if define.subject != "player":
        of = "the table" if define.subject is None else f"a {define.subject}"
        raise OddsError(f"{name} is a definition of {of}, not of a player.{near(name, countable(game))}")
    return game, g.Call(define.type, span, name, g.Const(g.PLAYER, span, 0))


def with_zone(game: g.Game) -> g.Game:
    zone = g.Zone(DEALT, None, False, "everyone", g.Noun(DEALT, DEALT), "", g.NOWHERE)
    return evolve(game, zones={**game.zones, DEALT: zone})


def countable(game: g.Game) -> list[str]:
    """Return the names that can be counted."""
    defines = [each.name for each in game.defines.values() if each.subject in ("player", "cards")]
    return [*defines, *game.rankings]


def near(name: str, known: list[str]) -> str:
    close = [each for each in get_close_matches(name, known, 1, 0.6) if each != name]
    if close:
        return f" Did you mean {close[0]}?"
    return f" Available: {join(known)}." if known else ""


def refuse_values(game: g.Game, name: str, expr: g.Expr) -> None:
    type_ = expr.type
    if type_.tag not in ("reading", "number", "flag", "member", "player", "text"):
        what = "a list" if type_.tag == "list" else "a card"
        raise OddsError(f"{name} is {what}. `odds` counts only numbers, flags, names and hand ranks.")
    if type_.tag == "reading" and game.rankings[str(type_.of)].size == "groups":
        raise OddsError(f"{type_.of} splits cards into groups and gives no rank. Name a number read from it.")


# ---------------------------------------------------------------- zones of the deal
def dealt_zones(
    game: g.Game, name: str, expr: g.Expr, sight: Sight, cards: str, there: Mapping[str, int]
) -> dict[str, int]:
    wanted = [zone for zone in game.zones if zone in sight.zones and is_players(game, zone)]
    cards = simplified(cards)
    if "," in cards or " " in cards.strip():
        zones = dict(amount(game, row) for row in cards.split(","))
        if unread := [zone for zone in zones if zone not in sight.zones]:
            raise OddsError(f"{name} does not use {join(unread)}.")
    elif len(wanted) == 1:
        if cards and re.fullmatch(NUMBER, cards.strip()) is None:
            raise OddsError(f"Write a number of cards, or zones such as `hand 4, starter 1`, not `{cards}`.")
        zones = {wanted[0]: int(cards or whole_hand(game, name, sight, there.get(wanted[0], 0)))}
    else:
        read = [zone for zone in game.zones if zone in sight.zones]
        reads = f"{name} uses {join(read)}" if read else f"{name} uses no cards"
        raise OddsError(f"{reads}. Say how many cards each zone gets, such as `--cards 'hand 4, starter 1'`.")
    for zone, number in zones.items():
        if game.zones[zone].single and number + there.get(zone, 0) > 1:
            raise OddsError(f"{zone} holds one card, not {number}.")
    return zones


def is_players(game: g.Game, zone: str) -> bool:
    return zone == DEALT or game.zones[zone].subject == "player"


def amount(game: g.Game, row: str) -> tuple[str, int]:
    """Parse a row such as `hand 4` into a zone and a number."""
    match = re.fullmatch(rf"\s*(\S+)\s+({NUMBER})\s*", row)
    if match is None:
        raise OddsError(f"Write a zone and a number of cards, such as `hand 4`, not `{row.strip()}`.")
    if match[1] not in game.zones or game.zones[match[1]].subject not in (None, "player"):
        zones = [zone.name for zone in game.zones.values() if zone.subject in (None, "player")]
        raise OddsError(f"Unknown zone {match[1]}.{near(match[1], zones)}")
    return match[1], int(match[2])


def whole_hand(game: g.Game, name: str, sight: Sight, there: int) -> int:
    """Return the number of cards that complete a hand.

    Raise `OddsError` if the rankings disagree, or if cards of another place belong to the hand.
    """
    sizes = {game.rankings[ranking].size for ranking in sight.rankings}
    (size,) = sizes if len(sizes) == 1 else (None,)
    if not isinstance(size, int) or sight.joined:
        raise OddsError(f"How many cards does {name} need? Add a number, such as --cards 3.")
    return max(0, size - there)


def homes(game: g.Game) -> list[str]:
    """Return the zones that contain cards at the start."""
    return list(dict.fromkeys(game.sets[face.set].home for face in game.faces if face.copies))


def the_source(game: g.Game, zones: Mapping[str, int], sight: Sight) -> str:
    """Return the zone that cards are dealt from.

    If there are several, follow the moves of the game back from the dealt zones, or take the cards that the ranking is
    about.
    """
    known = homes(game)
    if len(known) > 1:
        known = list(homes_of_sets(game, sight)) if DEALT in zones else homes_behind(game, set(zones))
    if len(known) != 1:
        raise OddsError(f"Which zone are the cards dealt from? Add --from with one of {join(homes(game))}.")
    return known[0]


def homes_of_sets(game: g.Game, sight: Sight) -> dict[str, None]:
    groups = [part for name in sorted(sight.rankings) for part in walk(game.rankings[name].ranks)]
    return dict.fromkeys(game.sets[group.set].home for group in groups if isinstance(group, g.Group))


def homes_behind(game: g.Game, zones: set[str]) -> list[str]:
    """Return the home zones from which moves bring cards to `zones`, directly or through other zones."""
    moves = list(moves_of(game))
    reached, waiting, found = set(zones), list(zones), set[str]()
    while waiting:
        zone = waiting.pop()
        for origin in {origin for origin, to in moves if to == zone} - reached:
            reached.add(origin)
            if origin in homes(game):
                found.add(origin)
            else:
                waiting.append(origin)
    return sorted(found)


def moves_of(game: g.Game) -> Iterator[tuple[str, str]]:
    """Yield the source and target zones of all moves in the game."""
    for part in everything(game):
        if isinstance(part, g.Move | g.Pick):
            source = part.what if isinstance(part, g.Move) else part.source
            for inner in walk((source,)):
                if isinstance(inner, g.ZoneCards):
                    yield inner.zone, part.to.zone


# ---------------------------------------------------------------- limits
def refuse_sight(name: str, sight: Sight, zones: set[str], source: str) -> None:
    if sight.results is not None:
        raise OddsError(f"{name} depends on who wins: {place(sight.results)}. `odds` counts only the hands themselves.")
    if source in sight.zones:
        raise OddsError(f"{name} uses {source}, which the cards are dealt from.")
    for span, behind in sight.by_place:
        if behind & (zones | {UNKNOWN}):
            raise OddsError(f"{name} depends on the order of the cards: {place(span)}. `odds` ignores order.")


def place(span: Span) -> str:
    return f"`{span.text}` ({span.source.name}, line {span.line})"
