"""Check of a starting player who never changes: often unintended, but not always."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cardlang import game as g
from cardlang.checks.loops import through
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies_done, walk
from cardlang.source import Diagnostic


def check_lasting(game: g.Game, rounds: tuple[g.Repeat, ...], same: Collection[str]) -> Iterator[Diagnostic]:
    """Report each global player variable that turns start from in every round, and that was constant in all rounds.

    `rounds` are the loops of rounds. `same` has the names of variables that stayed constant in a match."""
    for name, track in game.tracks.items():
        if name in same and track.origin.name.source is own_source(game):
            begun = next((part for loop in rounds for part in begun_from(game, loop, name)), None)
            if begun is not None:
                yield Diagnostic(
                    "N515",
                    f"`{name}` is the same player in every round, and turns start there",
                    track.origin.name,
                    f"to change the player, write `set {name} to {name}'s left` at the end of a round",
                    ((begun.span, "here"),),
                    warning=True,
                )


def begun_from(game: g.Game, loop: g.Repeat, name: str) -> Iterator[g.Stmt]:
    """Yield the statements of a loop in which turns start from a player, or from a player derived from them."""
    for part in (part for body in bodies_done(game, loop.body) for part in walk(body)):
        start = None
        if isinstance(part, g.Each | g.Offer):
            start = part.start
        elif isinstance(part, g.SetTrack) and part.value.type.tag == "player":
            start = part.value
        parts = through(game, start) if start is not None else ()
        if isinstance(part, g.Stmt) and any(isinstance(each, g.TrackValue) and each.track == name for each in parts):
            yield part
