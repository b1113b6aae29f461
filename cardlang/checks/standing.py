"""Checks of rules that depend on constants: numbers that are never set, zones that never receive cards."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.bindings import bound, meant, never_asked_for, whose
from cardlang.checks.names import names_used
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything
from cardlang.source import Diagnostic


def check_unset(game: g.Game) -> Iterator[Diagnostic]:
    """Report tracks without an explicit start that never change."""
    for track in unset(game):
        sort = track.type.of or track.type.tag
        start = {"number": "0", "flag": "no", "player": "no player"}.get(track.type.tag, "nothing")
        named = f"{whose(track)}{track.name}"
        change = f"`add … to {named}`" if sort == "number" else f"`set {named} to …`"
        yield Diagnostic(
            "W409",
            f"the {sort} `{track.name}` never changes: it is always {start}",
            track.origin.name,
            f"change it in a step ({change}), or set its value with `starts at`",
            warning=True,
        )


def unset(game: g.Game) -> list[g.Track]:
    """Return the game's own tracks that have no start, are used, and never change."""
    changed, used = set(changes(game)), names_used(game) | {"score"}
    changed |= {var.name for var, _ in bound(game)}  # shadowed names, which `check_hiding` reports
    changed |= {track.name for var, _ in never_asked_for(game) if (track := meant(game, var)) is not None}
    own = [track for track in game.tracks.values() if track.origin.name.source is own_source(game)]
    return [track for track in own if not track.starts and track.name in used and track.name not in changed]


def changes(game: g.Game) -> Iterator[str]:
    """Yield the tracks that are assigned. Costs don't count, since paying requires an earlier gain."""
    for part in everything(game):
        if isinstance(part, g.SetTrack):
            yield part.track


def check_unfilled(game: g.Game) -> Iterator[Diagnostic]:
    """Report zones that the rules use but that no card ever enters."""
    parts = list(everything(game))
    filled = {card_set.home for card_set in game.sets.values()}
    filled |= {part.to.zone for part in parts if isinstance(part, g.Move | g.Pick)}
    looked_at = {part.zone: part.span for part in reversed(parts) if isinstance(part, g.ZoneCards)}
    for zone in game.zones.values():
        if zone.name in looked_at and zone.name not in filled and zone.origin.name.source is own_source(game):
            yield Diagnostic(
                "W415",
                f"no card ever enters `{zone.name}`",
                zone.origin.name,
                f"move cards there (`deal … to {'your ' if zone.subject == 'player' else ''}{zone.name}`), "
                "start a set of cards there, or delete the zone",
                ((looked_at[zone.name], "the rules use its cards here"),),
                warning=True,
            )
