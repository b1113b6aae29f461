"""What came of it: the last trick, showdown, scores of a deal and result, made of the events that the viewer saw. They
are taken in as they come and told when a table is made."""

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
"""Of a game's cards, one in so many are gathered before a new deal."""


@frozen
class Laws:
    """What a game says about how it lies and how it goes, worked out once."""

    game: Game
    piles: Piles
    course: Course
    read: tuple[str, ...]
    """The zones of nobody's that rankings look at."""
    settled: Mapping[str, frozenset[str]]
    """The numbers that are only ever set to something, with the steps at which they start again."""


@frozen
class Deal:
    """The scores of a deal that is over, or of several who scored at once: by owner before and after it, of those that
    changed. `when`: how its heading goes on."""

    changes: dict[str | None, tuple[Value, Value]]
    known: dict[str | None, Value]
    """What the others had."""
    when: str


class Story:
    """Of one match as one viewer saw it. `counts`: by step, how often it was done within the one around it; `whose`:
    who did it last."""

    def __init__(self, laws: Laws, viewer: str | None) -> None:
        self.laws = laws
        self.you = to(viewer)
        self.count = 0
        self.earlier: tuple[int, tuple[Told, ...]] | None = None
        """The number of events before the first new one, and the lines about them."""
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
        """All that was told of scores, the oldest first."""
        self.open_hands: dict[str | None, EventView] = {}
        """By player, what was last laid open of a hand in this deal."""
        self.settled: set[tuple[str, str | None]] = set()
        self.showdown: Moment | None = None
        """How the last hand of this deal was won, if it was by cards that were laid open."""
        self.last_result: Moment | None = None
        """What was told as the match ended, with the hands that were laid open for it, if nobody won by these."""

    def copy(self) -> Story:
        """An independent copy."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set):
                setattr(other, name, value.copy())
        other.tricks = {pile: cards.copy() for pile, cards in self.tricks.items()}
        other.shared = self.shared.copy()
        return other

    def take(self, events: Sequence[EventView]) -> None:
        """Takes in the events that it has not seen yet, choice by choice."""
        for _, happened in groupby(events[self.count :], lambda event: event.at):
            self.choice(list(happened))
        self.count = len(events)

    def choice(self, happened: list[EventView]) -> None:
        """What is told of a new deal is no part of what came of the one before; but hands that are laid open in it at
        once are the newest result. What is told while a deal goes on, and brings nobody anything, is none."""
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
        """Takes in events up to where all cards come together again, and says how many. `laid`: cards of nobody's as
        they lay when a hand's worth was told."""
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
        """The newest of its kind takes the place of the one before; it comes last. A showdown is a result."""
        for kind in RESULTS if moment.kind in RESULTS else (moment.kind,):
            self.moments.pop(kind, None)
        self.moments[moment.kind] = self.you.moment(moment)

    def is_open(self, name: str, owner: str | None) -> bool:
        """Whether a number that is only ever set to something has not been set yet."""
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
        """All cards come together for another deal: the scores of the one before are told."""
        self.gathered = ""
        self.open_hands.clear()
        self.count_up("of the last deal")

    def count_up(self, when: str) -> None:
        """Tells what everybody has scored since this was told last."""
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
        """A trick is over as soon as cards of it are moved on."""
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
    """Whether a deal, or somebody's part in the match, is over with these events."""
    return happened[-1].kind == "shuffled" or any(event.kind in ("eliminated", "ended") for event in happened)


def is_more(value: Value, before: Value) -> bool:
    """Whether a number has grown; one that was not known yet has."""
    if isinstance(value, str | None):
        return False
    return True if isinstance(before, str | None) else value > before
