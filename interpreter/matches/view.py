"""What a player knows: the one door through which people, bots, pages and files learn about a match."""

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
    """A card. `face`: its number in the game's faces, None for a back; `back`: the zone that its set comes
    from (cards of one home look alike from behind); `marks`: its tracks that are not at nothing, with their
    values; `up`: everybody can see it; `by`: of one that everybody can see, whose zone it was last in."""

    code: str | None
    title: str | None
    face: int | None
    back: str
    marks: tuple[tuple[str, str], ...] = ()
    up: bool = False
    by: str | None = None

    def __str__(self) -> str:
        return f"[{self.code}]" if self.code else "[?]"


@frozen
class ZoneView:
    """A pile. `owner`: the player or the member of a kind whose it is, else None; `subject`: `player`, a
    kind or None. `cards`: from the bottom up. `private`: only its owner sees it."""

    name: str
    noun: str
    owner: str | None
    subject: str | None
    private: bool
    cards: tuple[CardView, ...]

    @property
    def count(self) -> int:
        return len(self.cards)


@frozen
class TrackView:
    """A number, flag, player or member that is kept. `value`: a number exactly, a flag as a bool, else a
    name, None if absent; `text`: how people write it. `passing`: it starts again by itself, so it matters
    for a while only."""

    name: str
    noun: str
    owner: str | None
    subject: str | None
    value: int | Fraction | bool | str | None
    text: str
    passing: bool


@frozen
class View:
    """What one player (`player` None: a spectator) knows now. Two views are equal if this player cannot tell the two
    matches apart. `shown`: what the game says that players want to see; `held`: what the player's own cards are worth;
    `of_cards`: what is shown of each of them, by ref; `best`: the ref of the best card of a trick; `sides`: by seat,
    the team. `chosen`: it says so of something that is kept or worked out. `log`: what happened in lines; `events`:
    with what each is about, and what has no line; `steps`: those that are going on, the outermost first; `since`: the
    number of the last deed of the player, as in `EventView.at`. `moves`, `prompt`, `asking`: only for the
    player who is asked; `asked`: who that is."""

    game: str
    player: str | None
    players: tuple[str, ...]
    order: tuple[str, ...]
    out: tuple[str, ...]
    asked: str | None
    table: tuple[ZoneView, ...]
    tracks: tuple[TrackView, ...]
    shown: tuple[ShownView, ...]
    held: tuple[HeldView, ...]
    of_cards: tuple[tuple[str, ShownView], ...]
    best: str
    sides: tuple[str | None, ...]
    chosen: bool
    log: tuple[Line, ...] = field(repr=False)
    events: tuple[EventView, ...] = field(repr=False)
    since: int
    steps: tuple[str, ...]
    prompt: str
    moves: tuple[str, ...]
    asking: AskedView | None
    scores: tuple[int | Fraction | None, ...] | None
    places: tuple[int, ...] | None
    over: bool
    winners: tuple[str, ...]

    def zone(self, name: str, owner: str | None = None) -> ZoneView:
        """A pile by its name and owner. Raises KeyError if there is none."""
        for zone in self.table:
            if zone.name == name and zone.owner == owner:
                return zone
        raise KeyError(name)

    def track(self, name: str, owner: str | None = None) -> TrackView:
        """A track by its name and owner. Raises KeyError if there is none, or it is secret."""
        for track in self.tracks:
            if track.name == name and track.owner == owner:
                return track
        raise KeyError(name)


def make_view(match: Match, seat: int) -> View:
    """The view of a seat; `players` of the program: a spectator."""
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
    """What a seat sees of how everything lies, by the fields of `View`. `look`: at this state."""
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
    """`visible`: to the one who looks; `up`: to everybody. What bears no marks is made once."""
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
    """The tracks that a seat may know, marks of cards apart."""
    found = []
    for number, slot in enumerate(names.program.tracks):
        track = slot.track
        if track.subject == "card" or (track.secret and not (track.subject == "player" and slot.of == seat)):
            continue
        found.append(track_view(names, number, state.t[number]))
    return found


def track_view(names: Names, number: int, raw: int) -> TrackView:
    """Of a slot that holds this; made once while it does."""
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
