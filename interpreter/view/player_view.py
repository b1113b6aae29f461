"""View of a match: everything that one player can see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

from attrs import field, frozen

from cardlang import model as g
from cardlang.english.morphology import replace_hyphens
from interpreter.narration.display_names import MatchNames, to_exact_number, to_exact_value
from interpreter.narration.events import EventView, LogLine, write_log
from interpreter.runtime.state import ABSENT, State
from interpreter.view.decision_view import DecisionView
from interpreter.view.shown_values_and_hand_notes import DisplayValues, HandValueView, ShownValueView


def get_card_marks(names: MatchNames, state: State, card: int) -> tuple[tuple[str, str], ...]:
    """Return the public counters of a card that have a value."""
    marks = []
    for track in names.mark_tracks:
        for base in names.program.layout.get_track_bases(track.name):
            slot = names.program.tracks[base + card]
            value = to_exact_number(state.t[base + card], slot.scale, track.type)
            if value is not None and (value or track.type.tag not in ("number", "flag")):
                marks.append((names.get_slot_noun(slot), names.format_value(track.type, value)))
    return tuple(marks)


def find_grid_tracks(game: g.Game) -> dict[str, tuple[str, ...]]:
    """Return the tracks for row and column, by zone that is shown as a grid."""
    return {show.zone: show.cells for show in game.shows if show.zone is not None and show.cells}


def format_cell(game: g.Game, cells: Sequence[str], marks: Mapping[str, str]) -> str:
    """Return the name of a cell: `Top Left`, `row 2, column 1`. `marks`: the card's counters, by noun."""
    nouns = [(game.tracks[name], replace_hyphens(game.tracks[name].noun.singular)) for name in cells]
    named = all(track.type.tag == "member" for track, _ in nouns)
    coordinates = [marks.get(noun, "0") if named else f"{noun} {marks.get(noun, '0')}" for _, noun in nouns]
    return (" " if named else ", ").join(coordinates)


def find_known_grid_cell(names: MatchNames, state: State, card: int) -> str:
    """Return the cell of a card in a grid, if all players know it; else empty."""
    pile = state.loc[card]
    cells = find_grid_tracks(names.game).get(names.program.zones[pile].zone.name, ()) if pile >= 0 else ()
    marks = dict(get_card_marks(names, state, card)) if cells else {}
    is_known = bool(cells) and all(replace_hyphens(names.game.tracks[name].noun.singular) in marks for name in cells)
    return format_cell(names.game, cells, marks) if is_known else ""


@frozen(cache_hash=True)
class CardView:
    """Card as a player sees it. `str(card)` is its code in brackets, `[?]` for a face-down card."""

    code: str | None
    """Code; None for a face-down card."""
    title: str | None
    """Title; None for a face-down card."""
    face: int | None
    """Index in the faces of the game; None for a face-down card."""
    back: str
    """Zone where its set starts. Cards of one such zone have the same back."""
    marks: tuple[tuple[str, str], ...] = ()
    """Counters on the card that are not zero, with their values."""
    up: bool = False
    """True if all players see it."""
    by: str | None = None
    """Player who last had a card that all players see."""

    def __str__(self) -> str:
        return f"[{self.code}]" if self.code else "[?]"


@frozen(cache_hash=True)
class ZoneView:
    """Pile as a player sees it."""

    name: str
    """Name of the zone."""
    noun: str
    """Its name in sentences."""
    owner: str | None
    """Player or value of a kind that owns it, or None."""
    subject: str | None
    """`player`, a kind, or None."""
    private: bool
    """True if only its owner sees it."""
    cards: tuple[CardView, ...]
    """Cards from the bottom up."""
    second: str | None = None
    """Value after `for`, as in `line for 3`, or None."""

    @property
    def count(self) -> int:
        return len(self.cards)


@frozen
class TrackView:
    """Number, flag, player or value that a player can know."""

    name: str
    """Name in the game file."""
    noun: str
    """Its name in sentences."""
    owner: str | None
    """Player or value of a kind that owns it, or None."""
    subject: str | None
    """`player`, a kind, or None."""
    value: int | Fraction | bool | str | None
    """An exact number, a bool or a name; None if absent."""
    text: str
    """The value as people write it."""
    passing: bool
    """True if it resets itself."""
    second: str | None = None
    """Value after `for`, as in `stock for Wood`, or None."""


@frozen
class View:
    """Everything that one player or a spectator knows.

    Two views are equal if the player cannot tell the two matches apart.
    """

    game: str
    """Title of the game."""
    player: str | None
    """The player; None for a spectator."""
    players: tuple[str, ...]
    """All players in seat order."""
    order: tuple[str, ...]
    """Players in order of play."""
    out: tuple[str, ...]
    """Players who are out of the match."""
    asked: str | None
    """The current player; None when the match is over."""
    table: tuple[ZoneView, ...]
    """All piles."""
    tracks: tuple[TrackView, ...]
    """Numbers, flags, players and values."""
    shown: tuple[ShownValueView, ...]
    """Values that the game shows to players."""
    held: tuple[HandValueView, ...]
    """Values of the player's own cards."""
    of_cards: tuple[tuple[str, ShownValueView], ...]
    """Values shown for single cards, by ref."""
    best: str
    """Ref of the winning card of a trick."""
    sides: tuple[str | None, ...]
    """Teams in seat order."""
    chosen: bool
    """True if the game itself says what to show."""
    events: tuple[EventView, ...] = field(repr=False)
    """What the player saw happen, including events without a line."""
    since: int
    """Number of the player's last action, as in `EventView.at`."""
    steps: tuple[str, ...]
    """Steps that are running, the outermost first."""
    prompt: str
    """Question to the current player; empty for others."""
    moves: tuple[str, ...]
    """Texts of the legal moves, for the current player."""
    asking: DecisionView | None
    """Details of the decision, for the current player."""
    scores: tuple[int | Fraction | None, ...] | None
    """Scores in seat order, if the player may know them."""
    places: tuple[int, ...] | None
    """Places in seat order, when the match is over."""
    over: bool
    """True if the match is over."""
    winners: tuple[str, ...]
    """Names of the winners."""

    @property
    def log(self) -> tuple[LogLine, ...]:
        """Lines about what the player saw happen."""
        return write_log(self.events)

    def zone(self, name: str, owner: str | None = None, second: str | None = None) -> ZoneView:
        """Return a pile.

        Args:
            name: Name of the zone.
            owner: Player or value of a kind that owns the pile; None for the table.
            second: Value after `for`, if the zone is declared `for each` value of a kind.

        Raises:
            KeyError: There is no such pile.
        """
        for zone in self.table:
            if (zone.name, zone.owner, zone.second) == (name, owner, second):
                return zone
        raise KeyError(name)

    def track(self, name: str, owner: str | None = None, second: str | None = None) -> TrackView:
        """Return a number, flag, player or value.

        Args:
            name: Name in the game file.
            owner: Player or value of a kind that owns it; None for the table.
            second: Value after `for`, if it is declared `for each` value of a kind.

        Raises:
            KeyError: It does not exist, or is secret.
        """
        for track in self.tracks:
            if (track.name, track.owner, track.second) == (name, owner, second):
                return track
        raise KeyError(name)


def collect_visible_fields(names: MatchNames, state: State, display_values: DisplayValues, seat: int) -> dict[str, Any]:
    """Return the visible parts of a state, by the fields of `View`.

    `display_values`: shown values of the same state.
    """
    return {
        "order": tuple(names.players[each] for each in state.order),
        "out": tuple(name for each, name in enumerate(names.players) if state.out >> each & 1),
        "table": build_zone_views(names, state, seat),
        "tracks": tuple(build_track_views(names, state, seat)),
        "shown": display_values.get_shown_values(seat),
        "held": display_values.get_hand_values(seat),
        "of_cards": display_values.list_values_by_card_ref(seat) if seat < len(names.players) else (),
        "best": display_values.best_trick_card,
        "sides": display_values.teams,
    }


class ViewCache:
    """Cached views of one match and its copies.

    `cards`: by card and what the player sees; `zones`: by pile, with its cards and who knows them, then by seat;
    `tracks`: by slot, with its value.
    """

    def __init__(self) -> None:
        self.zones: dict[int, tuple[list[object], dict[int, ZoneView]]] = {}
        self.cards: dict[tuple[int, bool, bool, int], CardView] = {}
        self.tracks: dict[int, tuple[int, TrackView]] = {}


VIEW_CACHES: WeakKeyDictionary[MatchNames, ViewCache] = WeakKeyDictionary()


def get_view_cache(names: MatchNames) -> ViewCache:
    cache = VIEW_CACHES.get(names)
    return VIEW_CACHES.setdefault(names, ViewCache()) if cache is None else cache


def build_zone_views(names: MatchNames, state: State, seat: int) -> tuple[ZoneView, ...]:
    """Return the piles as a seat sees them. Each is cached until its cards or their knowers, owners or marks change."""
    cache, known, owner, zones = get_view_cache(names), state.known, state.owner, []
    for pile, numbers in enumerate(state.z):
        content: list[object] = [numbers[:], [known[card] for card in numbers], [owner[card] for card in numbers]]
        if names.mark_tracks:
            content.append([get_card_marks(names, state, card) for card in numbers])
        cached = cache.zones.get(pile)
        if cached is None or cached[0] != content:
            cached = cache.zones[pile] = content, dict[int, ZoneView]()
        views = cached[1]
        if seat not in views:
            cards = tuple(build_card_view(names, state, card, pile, seat, cache) for card in numbers)
            alike = (other for other in [*views.values()] if other.cards == cards)  # threads may add to it
            views[seat] = next(alike, None) or create_zone_view(names, pile, cards)
        zones.append(views[seat])
    return tuple(zones)


def create_zone_view(names: MatchNames, pile: int, cards: tuple[CardView, ...]) -> ZoneView:
    slot = names.program.zones[pile]
    zone = slot.zone
    return ZoneView(
        name=zone.name,
        noun=names.get_slot_noun(slot),
        owner=names.get_owner_name(zone.subject, slot.of),
        subject=zone.subject,
        private=zone.viewer == "owner",
        cards=cards,
        second=names.get_owner_name(zone.second, slot.second),
    )


def build_card_view(names: MatchNames, state: State, card: int, pile: int, seat: int, cache: ViewCache) -> CardView:
    """Return a card in a pile as a seat sees it. Cards without marks are cached."""
    seen = state.known[card] | names.program.layout.sees[pile]
    visible, is_face_up = bool(seen >> seat & 1), bool(seen >> names.program.players & 1)
    marks = get_card_marks(names, state, card) if names.mark_tracks else ()
    owner = state.owner[card] if visible and is_face_up else ABSENT
    key = (card, visible, is_face_up, owner)
    view = cache.cards.get(key) if not marks else None
    if view is None:
        face = names.game.faces[names.program.face[card]]
        back = names.game.sets[face.set].home
        by = names.players[owner] if owner >= 0 else None
        if visible:
            view = CardView(face.code, face.title, face.number, back, marks, is_face_up, by)
        else:
            view = CardView(None, None, None, back, marks)
        if not marks:
            cache.cards[key] = view
    return view


def build_track_views(names: MatchNames, state: State, seat: int) -> list[TrackView]:
    """Return the tracks that a seat may know, except marks of cards."""
    cache, views = get_view_cache(names), []
    for number, slot in enumerate(names.program.tracks):
        track = slot.track
        if track.subject == "card" or (track.secret and not (track.subject == "player" and slot.of == seat)):
            continue
        views.append(build_track_view(names, number, state.t[number], cache))
    return views


def build_track_view(names: MatchNames, number: int, raw: int, cache: ViewCache) -> TrackView:
    """Return the view of a track slot with this raw value. It is cached until the value changes."""
    cached = cache.tracks.get(number)
    if cached is not None and cached[0] == raw:
        return cached[1]
    slot = names.program.tracks[number]
    track = slot.track
    value = to_exact_number(raw, slot.scale, track.type)
    view = TrackView(
        name=track.name,
        noun=names.get_slot_noun(slot),
        owner=names.get_owner_name(track.subject, slot.of),
        subject=track.subject,
        value=to_exact_value(names, track.type, value),
        text=names.format_value(track.type, value),
        passing=bool(track.restarts),
        second=names.get_owner_name(track.second, slot.second),
    )
    cache.tracks[number] = (raw, view)
    return view


@frozen
class SelectionView:
    """A selection in progress.

    - `low`, `high`: size of the set.
    - `refs`: everything that can be in it.
    - `chosen`: selected refs, in the order of selection.
    - `addable`: refs that can be added.
    - `is_complete`: it can be confirmed.
    - `total`: current total and its limit, if the rule compares a total (`7` and `10`).
    - `completion`: refs that complete it, if there is only one way.
    - `complete_singles`: while it is empty, refs that are complete sets by themselves, to which nothing can be added.
    """

    low: int
    high: int
    refs: tuple[str, ...]
    labels: tuple[str, ...]
    chosen: tuple[str, ...]
    addable: frozenset[str]
    is_complete: bool
    total: tuple[str, str] | None = None
    completion: tuple[str, ...] = ()
    complete_singles: tuple[str, ...] = ()

    @property
    def running_total(self) -> str:
        """The total with its limit: `7 of 10`."""
        return " of ".join(self.total or ())
