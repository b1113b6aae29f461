"""Collect results from the events a viewer saw: the last trick, showdown, scores of a deal and end of the match.

The history takes in events incrementally; a table is made from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import groupby

from attrs import evolve, frozen

from cardlang.game import Game
from interpreter.matches.events import Change, EventView, Value
from interpreter.table.addressing import to
from interpreter.table.model import Card, Moment, Pile, Told
from interpreter.table.piles import Piles
from interpreter.table.scoring import Course
from interpreter.table.shared import Shared
from interpreter.table.showdown import showdown

RESULTS = ("showdown", "result")
HALF = 2
"""A new deal gathers at least 1 / `HALF` of the cards of the game."""


@frozen
class Laws:
    """Static facts about a game: its layout and its progress. They are computed once."""

    game: Game
    piles: Piles
    course: Course
    read: tuple[str, ...]
    """Zones without an owner that rankings read."""
    settled: Mapping[str, frozenset[str]]
    """Numbers that are only ever assigned, with the steps at which they restart."""


@frozen
class Deal:
    """Scores of a finished deal, or scores that several players got together.

    - `changes`: values before and after, by owner, if they changed.
    - `when`: rest of the heading.
    """

    changes: dict[str | None, tuple[Value, Value]]
    known: dict[str | None, Value]
    """Values of all owners known at that time."""
    when: str


class Story:
    """History of a match as one viewer saw it.

    - `counts`: number of times each step ran within the step around it.
    - `whose`: player of the last run of each step.
    """

    def __init__(self, laws: Laws, viewer: str | None) -> None:
        self.laws = laws
        self.you = to(viewer)
        self.count = 0
        self.earlier: tuple[int, tuple[Told, ...]] | None = None
        """Number of events before the first new one, and the lines about them."""
        self.counts: dict[str, int] = {}
        self.whose: dict[str, str | None] = {}
        self.moments: dict[str, Moment] = {}
        self.tricks: dict[str, list[Card]] = {}
        self.shared = Shared(laws.read)
        self.laid: dict[str, tuple[str, ...]] = {}
        self.gathered = ""
        self.changes: dict[str | None, tuple[Value, Value]] = {}
        self.known: dict[str | None, Value] = {}
        self.deals: list[Deal] = []
        """All reported scores, the oldest first."""
        self.open_hands: dict[str | None, EventView] = {}
        """Last revealed cards of each player's hand in this deal."""
        self.settled: set[tuple[str, str | None]] = set()
        self.showdown: Moment | None = None
        """Showdown that decided the last hand of this deal, if revealed cards decided it."""
        self.last_result: Moment | None = None
        """Result reported at the end of the match, with the hands revealed for it, if these did not win."""

    def copy(self) -> Story:
        """Return an independent copy."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set):
                setattr(other, name, value.copy())
        other.tricks = {pile: cards.copy() for pile, cards in self.tricks.items()}
        other.shared = self.shared.copy()
        return other

    def take(self, events: Sequence[EventView]) -> None:
        """Take in the new events, choice by choice."""
        for _, happened in groupby(events[self.count :], lambda event: event.at):
            self.choice(list(happened))
        self.count = len(events)

    def choice(self, happened: list[EventView]) -> None:
        """Take in the events of one choice and store its result.

        The events are split at each new deal, so sentences about a new deal do not belong to the result before it.
        Hands revealed immediately in the new deal are the newest result. A sentence in the middle of a deal is a result
        only if hands are revealed for it or a player gains.
        """
        result: Moment | None = None
        rest = happened
        while rest:
            earlier, before = [*self.open_hands.values()], dict(self.known)
            ends = self.one_deal(rest)
            gained = {owner for owner, value in self.known.items() if is_more(value, before.get(owner))}
            if len(gained) > 1 and gained == self.changes.keys() and not self.laws.course.is_money:
                self.count_up("now")
            moment = showdown(self.laws.piles, rest[:ends], gained, self.laid, earlier)
            won = moment is not None and moment.kind == "showdown"
            if moment is not None and (result is None or won) and (moment.hands or gained or is_end(rest[:ends])):
                result = moment
            self.showdown = None if rest[ends - 1].kind == "shuffled" else moment if won else self.showdown
            rest = rest[ends:]
        if result is not None:
            self.tell(result)
        if result is not None and result.kind == "result" and happened[-1].kind == "ended":
            self.last_result = self.moments["result"]
            if self.showdown is not None:
                self.tell(self.showdown)

    def one_deal(self, happened: list[EventView]) -> int:
        """Take in events until the cards are gathered again, and return their number.

        `laid`: the shared cards at the time when a hand's value was reported.
        """
        self.laid = {}
        for number, event in enumerate(happened):
            if event.kind == "set":
                self.settled.add((event.change.name, event.change.owner) if event.change else (event.name, event.who))
            match event.kind:
                case "revealed" if event.who is not None and len(event.cards) > 1:
                    self.open_hands[event.who] = event
                case "moved":
                    self.shared.moved(event)
                    self.moved(event)
                case "told" if event.readings:
                    self.laid = self.shared.now()
                case "shuffled" if event.source == self.gathered:
                    self.dealt_anew()
                    return number + 1
                case "step":
                    self.step(event.name)
                    self.whose[event.name] = event.who
                case "set" if event.change is not None and event.change.name == self.laws.course.score:
                    self.scored(event.change)
                case "ended":
                    self.dealt_anew()
        return len(happened)

    def tell(self, moment: Moment) -> None:
        """Store a result as the newest, replacing the last one of its kind.

        A showdown and a result replace each other.
        """
        for kind in RESULTS if moment.kind in RESULTS else (moment.kind,):
            self.moments.pop(kind, None)
        self.moments[moment.kind] = self.you.moment(moment)

    def is_open(self, name: str, owner: str | None) -> bool:
        """Return whether a number that is only ever assigned has no value yet."""
        return name in self.laws.settled and (name, owner) not in self.settled

    # ------------------------------------------------------------ steps and deals
    def step(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1
        again = {track for track, steps in self.laws.settled.items() if name in steps}
        self.settled = {each for each in self.settled if each[0] not in again}
        for below in self.laws.course.within[name]:
            self.counts.pop(below, None)

    def scored(self, change: Change) -> None:
        before = self.changes.get(change.owner, (change.before, None))[0]
        self.changes[change.owner] = (before, change.after)
        self.known[change.owner] = change.after

    def dealt_anew(self) -> None:
        """Close the scores of the finished deal when cards are gathered for another."""
        self.gathered = ""
        self.open_hands.clear()
        self.count_up("of the last deal")

    def count_up(self, when: str) -> None:
        """Store the score changes since the last time as a result."""
        if self.changes:
            self.deals.append(Deal(self.changes, dict(self.known), when))
            self.changes = {}
            self.tell(Moment("scores", ""))

    # ------------------------------------------------------------ tricks
    def moved(self, event: EventView) -> None:
        cards = len(event.cards) + event.hidden
        if not event.source and cards * HALF >= self.laws.game.cards:
            self.gathered = event.to
        if event.source in self.tricks:
            self.taken(event)
        elif self.laws.piles.is_trick(event.to) and event.who is not None:
            played = self.tricks.setdefault(event.to, [])
            played += [evolve(self.laws.piles.face_up(code), by=event.who) for code in event.cards]

    def taken(self, event: EventView) -> None:
        """Store a trick as a result, when its cards are moved away."""
        cards = self.tricks.pop(event.source)
        whole = len(event.cards) + event.hidden == len(cards)
        owner = self.laws.piles.owner_of(event.to) if whole else None
        best = next((card for card in reversed(cards) if card.by == owner), None)
        told = [evolve(card, note=self.note(card, cards[0], best)) for card in cards]
        with_it = f" with [{best.code}]" if best is not None else ""
        line = ", ".join(f"{card.by} [{card.code}]" for card in cards)
        headline = f"{owner} takes the trick{with_it}." if owner else f"{line}."
        name = event.source.partition("/")[2]
        pile = Pile("", name, name.replace("-", " "), None, "trick", 0, False, tuple(told))
        self.tell(Moment("trick", headline, (line,) if owner else (), hands=(pile,)))

    def note(self, card: Card, led: Card, best: Card | None) -> str:
        return ", ".join(word for word, other in (("led", led), ("best", best)) if other is card)


def is_end(happened: Sequence[EventView]) -> bool:
    """Return whether a deal, a player's part in the match, or the match ends with these events."""
    return happened[-1].kind == "shuffled" or any(event.kind in ("eliminated", "ended") for event in happened)


def is_more(value: Value, before: Value) -> bool:
    """Return whether a number has grown. A number without a known earlier value has grown."""
    if isinstance(value, str | None):
        return False
    return True if isinstance(before, str | None) else value > before
