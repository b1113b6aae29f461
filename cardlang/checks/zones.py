"""Check of zones that cards never leave."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies_done, everything, walk
from cardlang.source import Diagnostic

OUT_OF_PLAY = {"remove", "discard"}


def check_zones(game: g.Game) -> Iterator[Diagnostic]:
    """Report zones that receive cards which no rule uses again.

    Zones are left out if cards are gathered by set from all zones, or if cards are out of play there (`remove`,
    `discard`)."""
    parts = list(everything(game))
    read = {part.zone for part in parts if isinstance(part, g.ZoneCards)}
    counted = {id(part.list) for part in parts if isinstance(part, g.Agg) and part.function == "count"}
    if any(isinstance(part, g.SetCards) and id(part) not in counted for part in parts):
        return
    verbs: dict[str, set[str]] = {}
    for part in parts:
        if isinstance(part, g.Move | g.Pick):
            verbs.setdefault(part.to.zone, set()).add(part.verb)
    entered = {trigger.zone for trigger in game.enters}
    for name, found in verbs.items():
        origin = game.zones[name].origin
        if name not in read | entered and not OUT_OF_PLAY & found and origin.span.source is own_source(game):
            yield Diagnostic(
                "W402",
                f"cards never leave `{name}`, and no rule uses them there",
                origin.name,
                way_out(game, name),
                warning=True,
            )


def way_out(game: g.Game, name: str) -> str:
    """Return a hint. If a loop shuffles a pile again, the cards were probably forgotten when gathering it."""
    gone = f"If they are out of the game, write `remove … to {name}`"
    loops = [part for part in everything(game) if isinstance(part, g.Repeat)]
    done = (part for loop in loops for body in bodies_done(game, loop.body) for part in walk(body))
    pile = next((part.zone.zone for part in done if isinstance(part, g.Shuffle) and part.zone.of is None), None)
    return gone if pile is None else f"return them before the shuffle: `move {name} to {pile}`. {gone}"
