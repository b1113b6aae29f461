"""Observation tensors: a player's view as a vector of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardlang import game as g
from interpreter.matches.names import Names
from interpreter.matches.view import TrackView, View, ZoneView, track_views, zone_view
from interpreter.state import State

UNLIMITED = -1.0
"""Code of a number without limit."""


class Features:
    """Encoder of views as vectors of a fixed size.

    A vector starts with the observing player and the current player, as one-hot codes by seat. Each pile has its
    height, the face on top (from 1, or 0 for a card back) and the number of visible cards by face. Each track has its
    value: a number, 0 or 1, or the place of a player or member from 1. Unknown values are 0, and a number without limit
    is -1."""

    def __init__(self, names: Names) -> None:
        game, program = names.game, names.program
        self.names, self.players = names, names.players
        self.faces = len(game.faces)
        self.places = {name: place + 1 for place, name in enumerate(names.players)}
        self.members = {
            kind.name: {member.name: place + 1 for place, member in enumerate(kind.members)}
            for kind in game.kinds.values()
        }
        self.types = {name: track.type for name, track in game.tracks.items()}
        kept = [slot for slot in program.tracks if slot.track.subject != "card"]
        owners = [(slot.track.name, names.owner(slot.track.subject, slot.of)) for slot in kept]
        self.slots = {owner: place for place, owner in enumerate(owners)}
        self.size = 2 * len(self.players) + len(program.zones) * (self.faces + 2) + len(kept)

    def of(self, view: View) -> list[float]:
        """Return the vector of a view."""
        return self.row(view.player, view.asked, view.table, view.tracks)

    def at(self, state: State) -> list[float]:
        """Return the vector of the current player's view of a state.

        Only piles and tracks are computed, to save time."""
        names, seat = self.names, state.who
        zones = [zone_view(names, state, pile, seat) for pile in range(len(state.z))]
        return self.row(self.players[seat], self.players[seat], zones, track_views(names, state, seat))

    def row(
        self, player: str | None, asked: str | None, zones: Iterable[ZoneView], tracks: Iterable[TrackView]
    ) -> list[float]:
        row = [float(each == player) for each in self.players]
        row += [float(each == asked) for each in self.players]
        for zone in zones:
            row += self.of_zone(zone)
        values = [0.0] * len(self.slots)
        for track in tracks:
            values[self.slots[track.name, track.owner]] = self.of_track(track)
        return row + values

    def of_zone(self, zone: ZoneView) -> list[float]:
        seen = [0.0] * self.faces
        for card in zone.cards:
            if card.face is not None:
                seen[card.face] += 1
        top = zone.cards[-1].face if zone.cards else None
        return [float(zone.count), 0.0 if top is None else top + 1.0, *seen]

    def of_track(self, track: TrackView) -> float:
        value: Any = track.value
        type = self.types[track.name]
        if value is None:
            return 0.0
        if value == g.UNLIMITED:
            return UNLIMITED
        if type.tag == "player":
            return float(self.places[value])
        if type.tag == "member":
            return float(self.members[type.of or ""][value])
        return float(value)
