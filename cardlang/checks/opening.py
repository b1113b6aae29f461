"""Checks of the start of a game: decks that are not shuffled, and players that are not set."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.course import course
from cardlang.checks.steps import triggered
from cardlang.game.walking import bodies, walk
from cardlang.source import Diagnostic

ENDS = ("top", "bottom", "first", "last")


# ---------------------------------------------------------------- unshuffled cards
def check_shuffles(game: g.Game) -> Iterator[Diagnostic]:
    """Report cards taken in order from a pile that is never shuffled, or only later. All players can know its order."""
    untouched = {card_set.home for card_set in game.sets.values() if several(game, card_set.home)}
    for statement in course(game):
        if isinstance(statement, g.Shuffle):
            untouched.discard(statement.zone.zone)
        elif isinstance(statement, g.Move | g.Pick):
            zone = taken_in_order(statement)
            if zone in untouched:
                yield unshuffled(game, statement, zone or "")
            untouched -= {statement.to.zone, zone or ""}
            if isinstance(statement, g.Move) and in_order_of_the_box(statement):
                untouched.add(statement.to.zone)


def in_order_of_the_box(move: g.Move) -> bool:
    """Return whether a move gathers whole sets of cards, which arrive in the order of their declaration."""
    items = move.what.items if isinstance(move.what, g.Joined) else (move.what,)
    return move.end in ("top", "under") and all(isinstance(item, g.SetCards) for item in items)


def several(game: g.Game, zone: str) -> bool:
    """Return whether different cards start in a zone."""
    return sum(game.sets[face.set].home == zone for face in game.faces) > 1


def taken_in_order(statement: g.Move | g.Pick) -> str | None:
    """Return the global zone from which a statement takes cards in their order, or None."""
    if isinstance(statement, g.Pick):
        end, source = statement.position, statement.source
    else:
        end, source = parted(statement)
    return source.zone if end in ENDS and isinstance(source, g.ZoneCards) and source.of is None else None


def parted(move: g.Move) -> tuple[str | None, g.Expr]:
    """Return the end from which a move takes its cards, and the list of cards. A deal to all players takes from the
    top."""
    what = move.what
    if isinstance(what, g.Joined) and len(what.items) == 1:
        what = what.items[0]
    if isinstance(what, g.Agg):
        return what.function, what.list
    return ("top" if move.to.each else None), what


def unshuffled(game: g.Game, statement: g.Move | g.Pick, zone: str) -> Diagnostic:
    later = [
        part.span
        for body in bodies(game)
        for part in walk(body)
        if isinstance(part, g.Shuffle) and part.zone.zone == zone
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
def check_nobody(game: g.Game) -> Iterator[Diagnostic]:
    """Report loops whose condition uses an unset player, so that they end immediately or never start."""
    unset = {
        name
        for name, track in game.tracks.items()
        if track.subject is None and track.type.tag == "player" and isinstance(track.start, g.Const)
    }
    for body in triggered(game):
        unset -= {part.track for part in walk(body) if isinstance(part, g.SetTrack)}
    for statement in course(game):
        if isinstance(statement, g.SetTrack):
            unset.discard(statement.track)
        elif isinstance(statement, g.Repeat) and statement.until is not None:
            found = next((part for part in walk(statement.until) if asked_of(part) in unset), None)
            name = asked_of(found)
            if found is not None and name is not None:
                unset.discard(name)
                yield of_nobody(game, statement, found, name)


def asked_of(part: object) -> str | None:
    """Return the player track that a value belongs to, such as `leader` in `leader's hand`."""
    match part:
        case g.ZoneCards(of=g.TrackValue(track=name)) | g.TrackValue(of=g.TrackValue(track=name)):
            return name
        case g.Call(of=g.TrackValue(track=name)):
            return name
    return None


def of_nobody(game: g.Game, repeat: g.Repeat, part: object, name: str) -> Diagnostic:
    span = part.span if isinstance(part, g.Expr) else repeat.span
    return Diagnostic(
        "W410",
        f"`{name}` is still `nobody` when this loop starts",
        span,
        f"write `player {name} starts at random of players`, or `set {name} to …` before the loop",
        ((game.tracks[name].origin.name, "it starts as `nobody`"), (repeat.span, "this loop")),
        warning=True,
    )
