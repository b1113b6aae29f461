"""A player's information state: the only source from which people, bots, pages and files learn about a match."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from cardlang.words import plain
from interpreter.matches.asked import AskedView, asked_view
from interpreter.matches.cells import marks_of
from interpreter.matches.coming import running
from interpreter.matches.events import EventView, Line
from interpreter.matches.names import Names, unscaled
from interpreter.matches.shown import HeldView, Look, ShownView, exactly
from interpreter.state import ABSENT, State

if TYPE_CHECKING:
    from interpreter.matches.match import Match


@frozen
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


@frozen
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
    shown: tuple[ShownView, ...]
    """Values that the game shows to players."""
    held: tuple[HeldView, ...]
    """Values of the player's own cards."""
    of_cards: tuple[tuple[str, ShownView], ...]
    """Values shown for single cards, by ref."""
    best: str
    """Ref of the winning card of a trick."""
    sides: tuple[str | None, ...]
    """Teams in seat order."""
    chosen: bool
    """True if the game itself says what to show."""
    log: tuple[Line, ...] = field(repr=False)
    """Lines about what the player saw happen."""
    events: tuple[EventView, ...] = field(repr=False)
    """The same events as data, including those without a line."""
    since: int
    """Number of the player's last deed, as in `EventView.at`."""
    steps: tuple[str, ...]
    """Steps that are running, the outermost first."""
    prompt: str
    """Question to the current player; empty for others."""
    moves: tuple[str, ...]
    """Texts of the legal moves, for the current player."""
    asking: AskedView | None
    """Details of the decision, for the current player."""
    scores: tuple[int | Fraction | None, ...] | None
    """Scores in seat order, if the player may know them."""
    places: tuple[int, ...] | None
    """Places in seat order, when the match is over."""
    over: bool
    """True if the match is over."""
    winners: tuple[str, ...]
    """Names of the winners."""

    def zone(self, name: str, owner: str | None = None) -> ZoneView:
        """Return a pile.

        Args:
            name: Name of the zone.
            owner: Player or value of a kind that owns the pile; None for the table.

        Raises:
            KeyError: There is no such pile.
        """
        for zone in self.table:
            if zone.name == name and zone.owner == owner:
                return zone
        raise KeyError(name)

    def track(self, name: str, owner: str | None = None) -> TrackView:
        """Return a number, flag, player or value.

        Args:
            name: Name in the game file.
            owner: Player or value of a kind that owns it; None for the table.

        Raises:
            KeyError: It does not exist, or is secret.
        """
        for track in self.tracks:
            if track.name == name and track.owner == owner:
                return track
        raise KeyError(name)


def make_view(match: Match, seat: int) -> View:
    """Return the view of a seat. The seat `players` of the program is a spectator."""
    names, state = match.names, match.state
    decision = match.decision
    asked = decision is not None and decision.seat == seat
    look = Look(names, state) if decision is None else decision.look
    return View(
        game=names.game.title,
        player=names.players[seat] if seat < len(names.players) else None,
        players=names.players,
        asked=decision.player if decision else None,
        **seen(names, state, look, seat),
        chosen=bool(names.facts.shown),
        log=match.log_of(seat),
        events=match.events_of(seat),
        since=match.since(seat),
        steps=running(names, state),
        prompt=decision.prompt if decision and asked else "",
        moves=decision.moves.texts if decision and asked else (),
        asking=asked_view(names, names.refs, decision) if decision and asked else None,
        scores=tuple(match.scores) if match.over or names.facts.scores_are_open else None,
        places=tuple(match.places) if match.over else None,
        over=match.over,
        winners=tuple(match.winners),
    )


def seen(names: Names, state: State, look: Look, seat: int) -> dict[str, Any]:
    """Return the visible parts of a state, by the fields of `View`. `look`: shown values of the same state."""
    return {
        "order": tuple(names.players[each] for each in state.order),
        "out": tuple(name for each, name in enumerate(names.players) if state.out >> each & 1),
        "table": tuple(zone_view(names, state, pile, seat) for pile in range(len(state.z))),
        "tracks": tuple(track_views(names, state, seat)),
        "shown": look.shown_to(seat),
        "held": look.held_by(seat),
        "of_cards": look.of_cards(seat) if seat < len(names.players) else (),
        "best": look.best,
        "sides": look.sides,
    }


def zone_view(names: Names, state: State, pile: int, seat: int) -> ZoneView:
    slot = names.program.zones[pile]
    zone = slot.zone
    sees, known, everybody = names.program.layout.sees[pile], state.known, names.program.players
    cards = []
    for card in state.z[pile]:
        seen = known[card] | sees
        up = bool(seen >> everybody & 1)
        cards.append(card_view(names, state, card, bool(seen >> seat & 1), up))
    return ZoneView(
        name=zone.name,
        noun=plain(zone.noun.singular),
        owner=names.owner(zone.subject, slot.of),
        subject=zone.subject,
        private=zone.viewer == "owner",
        cards=tuple(cards),
    )


def card_view(names: Names, state: State, card: int, visible: bool, up: bool) -> CardView:
    """Return a card as a player sees it.

    `visible`: this player can identify it. `up`: all players can. Cards without marks are cached.
    """
    marks = marks_of(names, state, card) if names.marking else ()
    owner = state.owner[card] if visible and up else ABSENT
    key = (card, visible, up, owner)
    found = names.card_views.get(key) if not marks else None
    if found is None:
        face = names.game.faces[names.program.face[card]]
        back = names.game.sets[face.set].home
        by = names.players[owner] if owner >= 0 else None
        if visible:
            found = CardView(face.code, face.title, face.number, back, marks, up, by)
        else:
            found = CardView(None, None, None, back, marks)
        if not marks:
            names.card_views[key] = found
    return found


def track_views(names: Names, state: State, seat: int) -> list[TrackView]:
    """Return the tracks that a seat may know, except marks of cards."""
    found = []
    for number, slot in enumerate(names.program.tracks):
        track = slot.track
        if track.subject == "card" or (track.secret and not (track.subject == "player" and slot.of == seat)):
            continue
        found.append(track_view(names, number, state.t[number]))
    return found


def track_view(names: Names, number: int, raw: int) -> TrackView:
    """Return the view of a track slot with this raw value. It is cached until the value changes."""
    kept = names.track_views.get(number)
    if kept is not None and kept[0] == raw:
        return kept[1]
    slot = names.program.tracks[number]
    track = slot.track
    value = unscaled(raw, slot.scale, track.type)
    made = TrackView(
        name=track.name,
        noun=plain(track.noun.singular),
        owner=names.owner(track.subject, slot.of),
        subject=track.subject,
        value=exactly(names, track.type, value),
        text=names.value(track.type, value),
        passing=bool(track.restarts),
    )
    names.track_views[number] = (raw, made)
    return made
