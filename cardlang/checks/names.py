"""Check of unused names."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything, walk
from cardlang.source import Diagnostic

Declared = g.Define | g.Track | g.Zone | g.Kind | g.Order | g.Ranking
KNOWN_TO_THE_LANGUAGE = ("score", "standing", "winners")


def check_names(game: g.Game) -> Iterator[Diagnostic]:
    used = names_used(game) | set(KNOWN_TO_THE_LANGUAGE)
    tested = {name for example in game.examples for part in walk(example_parts(example)) for name in names_in(part)}
    homes = {card_set.home for card_set in game.sets.values()}
    declared: list[tuple[str, Declared]] = [
        *(("definition", define) for define in game.defines.values()),
        *((track.type.of or track.type.tag, track) for track in game.tracks.values()),
        *(("zone", zone) for zone in game.zones.values() if zone.name not in homes),
        *(("kind", kind) for kind in game.kinds.values()),
        *(("order", order) for order in game.orders.values()),
        *(("ranking", ranking) for ranking in game.rankings.values()),
    ]
    for sort, each in declared:
        if each.name not in used and each.origin.name.source is own_source(game):
            message = f"the {sort} `{each.name}` is never used"
            if each.name in tested:
                message = f"only examples use the {sort} `{each.name}`, not the rules"
            yield Diagnostic("W403", message, each.origin.name, "use it, or delete it", warning=True)


def names_used(game: g.Game) -> set[str]:
    used = {name for part in (*everything(game), *walk(game.spoken)) for name in names_in(part)}
    used |= {column.type.of for column in game.columns.values() if column.type.of}
    used |= {track.type.of for track in game.tracks.values() if track.type.of}
    used |= {kind.includes for kind in game.kinds.values() if kind.includes}
    used |= {track.subject for track in game.tracks.values() if track.subject}
    used |= {zone.subject for zone in game.zones.values() if zone.subject}
    used |= {define.subject for define in game.defines.values() if define.subject}
    used |= {show.name for show in game.shows}
    used |= {trigger.zone for trigger in game.enters}
    return used


def example_parts(example: g.Example) -> tuple[object, ...]:
    found: list[object] = []
    for line in example.lines:
        if isinstance(line, g.Expecting):
            found.append(line.condition)
        elif isinstance(line, g.Doing):
            found.append(line.statement)
    return tuple(found)


def names_in(part: object) -> Iterator[str]:
    """Yield the names of declarations that an expression or statement refers to directly."""
    match part:
        case g.Call(define=name) | g.BorneCall(define=name):
            yield name
        case g.TrackValue(track=name) | g.SetTrack(track=name):
            yield name
        case g.ZoneCards(zone=name) | g.Place(zone=name):
            yield name
        case g.Option(costs=costs):
            yield from (track for _, track, _ in costs)
        case g.ReadRanking(ranking=name) | g.IsReading(ranking=name) | g.Members(kind=name):
            yield name
        case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
            yield name
    if isinstance(part, g.Expr) and part.type.of:
        yield part.type.of
