"""Check of loops whose condition cannot change within them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from cardlang import game as g
from cardlang.checks.endings import ends
from cardlang.checks.standing import unset
from cardlang.checks.steps import triggered
from cardlang.game.walking import bodies, bodies_done, is_random, steps_done, walk
from cardlang.source import Diagnostic

TURNING = ("left", "right", "others", "players", "seat")
"""Built-ins that change if a player is eliminated or seats are shuffled."""


@frozen
class Looked:
    """Dependencies of a condition: names of tracks and zones, and the players in the game. `more` means any others."""

    tracks: frozenset[str]
    zones: frozenset[str]
    seats: bool
    more: bool


def check_waiting(game: g.Game) -> Iterator[Diagnostic]:
    """Report each `repeat until …` that neither changes its condition nor ends early.

    Conditions on tracks that never change are left to another check."""
    told = {track.name for track in unset(game)}
    for part in (part for body in bodies(game) for part in walk(body)):
        if isinstance(part, g.Repeat) and part.until is not None and not part.until_pass:
            looked = looked_at(game, part.until)
            if not (looked.more or looked.tracks & told) and not changes(game, part, looked) and not ends(game, part):
                yield Diagnostic(
                    "W404",
                    "nothing in this `repeat` changes its condition, so it never starts or never ends",
                    part.until.span,
                    "change a value of the condition inside the loop, or use another condition",
                    ((part.span, "the loop"),),
                    warning=True,
                )


def looked_at(game: g.Game, condition: g.Expr) -> Looked:
    parts = list(through(game, condition))
    builtins = {part.name for part in parts if isinstance(part, g.Builtin)}
    unsure = any(isinstance(part, g.Target | g.Actor | g.BorneCall) or is_random(part) for part in parts)
    return Looked(
        frozenset(part.track for part in parts if isinstance(part, g.TrackValue)),
        frozenset(part.zone for part in parts if isinstance(part, g.ZoneCards)),
        bool(builtins & set(TURNING)),
        unsure or bool(builtins & {"winners", "owner"}),
    )


def through(game: g.Game, value: object) -> Iterator[object]:
    """Yield all parts of a value, including the definitions, orders and rankings that it uses."""
    known: set[object] = set()
    waiting = [value]
    while waiting:
        for part in walk((waiting.pop(),)):
            yield part
            for key, other in needed(game, part):
                if key not in known:
                    known.add(key)
                    waiting.append(other)


def needed(game: g.Game, part: object) -> Iterator[tuple[object, object]]:
    match part:
        case g.Call(define=name):
            yield name, game.defines[name].value
        case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
            yield name, game.orders[name].lines
        case g.ReadRanking(ranking=name) | g.IsReading(ranking=name):
            ranking = game.rankings[name]
            yield name, (ranking.ranks, ranking.ties, tuple(wild.condition for wild in ranking.wilds))


def changes(game: g.Game, repeat: g.Repeat, looked: Looked) -> bool:
    """Return whether a loop, or a trigger in it, may change the dependencies of a condition."""
    restarted = steps_done(game, repeat.body)
    if any(again.step in restarted for name in looked.tracks for again in game.tracks[name].restarts):
        return True
    done = [*bodies_done(game, repeat.body), *triggered(game)]
    return any(alters(game, part, looked) for body in done for part in walk(body))


def alters(game: g.Game, part: object, looked: Looked) -> bool:
    match part:
        case g.SetTrack(track=name):
            return name in looked.tracks
        case g.Option(costs=costs):
            return any(track in looked.tracks for _, track, _ in costs)
        case g.Eliminate() | g.ShufflePlayers():
            return looked.seats
        case g.Move(what=source, to=to) | g.Pick(source=source, to=to):
            marks = any(again.step == "move" for name in looked.tracks for again in game.tracks[name].restarts)
            return (
                marks
                or bool(looked.zones & (zones_of(game, source) | {to.zone}))
                or bool(unknown(source) and looked.zones)
            )
    return False


def zones_of(game: g.Game, cards: g.Expr) -> set[str]:
    return {part.zone for part in through(game, cards) if isinstance(part, g.ZoneCards)}


def unknown(cards: g.Expr) -> bool:
    """Return whether cards may come from any zone: those of a set, or of a variable."""
    parts: Iterable[object] = walk((cards,))
    return any(
        isinstance(part, g.SetCards | g.NamedCards) or (isinstance(part, g.Var) and cards_in(part.type))
        for part in parts
    )


def cards_in(type_: g.Type) -> bool:
    return (type_.item or type_).tag == "card"
