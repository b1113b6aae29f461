"""What is worth showing of a view, by place: the drawing and the spoken lines are made from the same
scene."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from cardlang.game import Game
from cardlang.suits import Suits
from interpreter.matches.names import exact
from interpreter.matches.shown import ShownView
from interpreter.matches.view import CardView, TrackView, View, ZoneView

Seen = TrackView | ShownView


@frozen
class Heap:
    """A pile of cards, from the bottom up. `private`: only its owner sees it."""

    label: str
    cards: tuple[CardView, ...]
    private: bool = False


@frozen
class Place:
    """The table, a player or a member of a kind, with what lies there. `marks`: what is said about it in a
    word (`dealer`, `folded`, `out`); `facts`: names and values."""

    name: str
    marks: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    heaps: tuple[Heap, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.marks or self.facts or self.heaps)


@frozen
class Scene:
    """A moment of a match as one player sees it; `you` is None for a spectator."""

    title: str
    table: Place
    kinds: tuple[Place, ...]
    players: tuple[Place, ...]
    you: str | None

    @property
    def hand(self) -> tuple[Heap, ...]:
        """What only you see."""
        return tuple(heap for place in self.players if place.name == self.you for heap in place.heaps if heap.private)


def scene_of(view: View, game: Game) -> Scene:
    """What a player should see on the table: piles that are empty and tracks that say nothing are left out, and
    what only one player sees is sorted."""
    suits = Suits(game)
    table = tuple(sorted_hand(zone, suits) if zone.private else zone for zone in view.table)
    view = evolve(view, table=table, tracks=tuple(in_plural(track, game) for track in view.tracks))
    things: tuple[ZoneView | TrackView, ...] = (*view.table, *view.tracks)
    members = dict.fromkeys(thing.owner for thing in things if thing.subject not in (None, "player"))
    kinds = (place(view, name) for name in members if name is not None)
    return Scene(
        title=view.game,
        table=place(view, None),
        kinds=tuple(each for each in kinds if not each.empty),
        players=tuple(player_place(view, name) for name in view.order),
        you=view.player,
    )


def sorted_hand(zone: ZoneView, suits: Suits) -> ZoneView:
    return evolve(zone, cards=tuple(sorted(zone.cards, key=lambda card: suits.place_in_hand(card.face))))


def in_plural(track: TrackView, game: Game) -> TrackView:
    """A number of things is named by the plural that the author gives: `credits 73`."""
    noun = game.tracks[track.name].noun
    return evolve(track, noun=noun.plural) if noun.counted and track.value != 1 else track


def place(view: View, owner: str | None) -> Place:
    """The table or a member of a kind."""
    tracks = [track for track in seen(view) if track.owner == owner and says_something(track)]
    tracks = [track for track in tracks if track.value not in view.players]
    zones = [zone for zone in view.table if zone.owner == owner and zone.cards]
    return Place(owner or "Table", flags(tracks), facts(tracks), tuple(map(heap, zones)))


def player_place(view: View, name: str) -> Place:
    """A player, with what is kept for some player and the piles that some player has."""
    all_tracks = [track for track in seen(view) if track.subject == "player"]
    shown = {track.name for track in all_tracks if says_something(track)}
    tracks = [track for track in all_tracks if track.owner == name and track.name in shown]
    filled = {zone.name for zone in view.table if zone.subject == "player" and zone.cards}
    zones = [zone for zone in view.table if zone.owner == name and zone.subject == "player" and zone.name in filled]
    roles = [track.noun for track in seen(view) if track.subject is None and track.value == name]
    marks = (*(["out"] if name in view.out else []), *roles, *flags(tracks))
    return Place(name, marks, (*score(view, name), *facts(tracks)), tuple(map(heap, zones)))


def seen(view: View) -> tuple[Seen, ...]:
    """What is told of the table: what the game says that players want to see, else all that is kept."""
    return view.shown if view.chosen else view.tracks


def says_something(track: Seen) -> bool:
    if isinstance(track, ShownView):
        return track.value is not None and track.value is not False
    return track.value is not None and track.value is not False and track.value != 0


def flags(tracks: Sequence[Seen]) -> tuple[str, ...]:
    return tuple(track.noun for track in tracks if track.value is True)


def facts(tracks: Sequence[Seen]) -> tuple[tuple[str, str], ...]:
    return tuple((track.noun, track.text) for track in tracks if not isinstance(track.value, bool))


def score(view: View, name: str) -> tuple[tuple[str, str], ...]:
    """The player's score, unless a track shows it already."""
    if view.scores is None or all(value is None for value in view.scores):
        return ()
    scores = dict(zip(view.players, view.scores, strict=True))
    values: dict[str, dict[str | None, object]] = {}
    for track in seen(view):
        values.setdefault(track.name, {})[track.owner] = track.value
    if any(each == scores for each in values.values()):
        return ()
    return (("score", exact(scores[name])),)


def heap(zone: ZoneView) -> Heap:
    return Heap(zone.noun, zone.cards, zone.private)
