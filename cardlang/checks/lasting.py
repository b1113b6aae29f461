"""Who is the same player to the end of the game: seldom meant, and sometimes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cardlang import game as g
from cardlang.checks.loops import through
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies_done, walk
from cardlang.source import Diagnostic


def check_lasting(game: g.Game, rounds: tuple[g.Repeat, ...], same: Collection[str]) -> Iterator[Diagnostic]:
    """A note for each player of the table from whom every round begins, and who was the `same` in all rounds of a
    match. `rounds`: their loops."""
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
    """The statements of a loop that go round beginning with a player, or with who sits beside."""
    for part in (part for body in bodies_done(game, loop.body) for part in walk(body)):
        start = None
        if isinstance(part, g.Each | g.Offer):
            start = part.start
        elif isinstance(part, g.SetTrack) and part.value.type.tag == "player":
            start = part.value
        parts = through(game, start) if start is not None else ()
        if isinstance(part, g.Stmt) and any(isinstance(each, g.TrackValue) and each.track == name for each in parts):
            yield part
