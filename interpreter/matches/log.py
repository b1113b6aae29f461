"""Event log of a match, in plain English, for each observer.

A match stores only its choices. The log replays new choices once in a program that records events. Then it words the
events separately for each observer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import evolve

from cardlang.source import Span
from interpreter.compiler import compile_game
from interpreter.layout import about_cards
from interpreter.matches.allowing import Change, Deed
from interpreter.matches.chosen import Hearing, sentence
from interpreter.matches.events import EventView, Line
from interpreter.matches.hearing import hear
from interpreter.matches.moves import asked_type
from interpreter.matches.names import Names
from interpreter.matches.turning import Turn, Watched
from interpreter.state import DONE

if TYPE_CHECKING:
    from interpreter.matches.origin import Origin
    from interpreter.program import Program


class Happening(NamedTuple):
    """A recorded event, before it is worded.

    - `data`: fields of the event after its span.
    - `piles`: previous piles of its cards.
    - `said`: for a choice, its wording for each seat, the spectator and the referee.
    - `at`: number of choices since the match or sample began.
    - `by`: for a move of cards, the seat whose choice of cards it carries out.
    """

    kind: str
    span: Span
    data: tuple[Any, ...]
    piles: tuple[int, ...] = ()
    said: tuple[str, ...] = ()
    at: int = 0
    by: int | None = None


class Told:
    """Events and `lines` already worded for one observer, from the first `upto` happenings."""

    def __init__(self, upto: int = 0, events: Sequence[EventView] = (), lines: Sequence[Line] = ()) -> None:
        self.upto = upto
        self.events = list(events)
        self.lines = list(lines)

    def copy(self) -> Told:
        return Told(self.upto, self.events, self.lines)


class Chronicle:
    """Events of a match so far, and their lines for each observer."""

    def __init__(self, names: Names, origin: Origin) -> None:
        self.names = names
        self.program: Program = compile_game(names.game, names.program.players, listen=True)
        self.loc = list(origin.before().loc)
        self.happened: list[Happening] = []
        self.picked: list[Happening] = []
        """Events of an unfinished choice of several cards, hidden until it is complete."""
        self.shadow = origin.told(self.program)
        self.done = 0
        self.deeds = [origin.deeds()]
        """Number of actions before the first choice and after each choice, including those before this starting point.

        A choice of several cards is one action, however many picks it takes.
        """
        self.last: dict[int, int] = {}
        """Number of each seat's last action with more than one legal move, from 1."""
        self.told: dict[int, Told] = {}
        self.said: dict[int, tuple[str, ...]] = {}
        """Wording of choices not reported yet, by seat. Simultaneous choices are reported after the last of them."""
        self.before = 0
        """Number of happenings before the last action."""
        self.earlier = 0
        """Number of happenings in the last action before its last choice."""
        self.turns: list[Turn] = []
        """Cards revealed during that choice."""
        self.learnt: dict[int, int] = {}
        """Seats that may know a variable's value, if not all may."""
        self.take_events()

    def lines(self, choices: Sequence[Deed], seat: int | None) -> tuple[Line, ...]:
        """Return all lines for a seat.

        The seat `players` of the program is a spectator; None is the referee, who sees everything. The seat `players` +
        2 is the referee with a trace, which includes events without their own line.
        """
        return tuple(self.told_to(choices, seat).lines)

    def events(self, choices: Sequence[Deed], seat: int | None) -> tuple[EventView, ...]:
        """Return all events as a seat saw them. `seat`: see `lines`."""
        return tuple(self.told_to(choices, seat).events)

    def told_to(self, choices: Sequence[Deed], seat: int | None) -> Told:
        self.catch_up(choices)
        onlooker = self.program.players + 1 if seat is None else seat
        told = self.told.setdefault(onlooker, Told())
        if told.upto < len(self.happened):
            fresh = list(self.by_deeds(hear(self.names, self.happened[told.upto :], onlooker)))
            told.upto = len(self.happened)
            told.events += fresh
            told.lines += [Line.of(event.text, event.span) for event in fresh if event.text]
        return told

    def by_deeds(self, events: Iterable[EventView]) -> Iterator[EventView]:
        """Number events by actions. Of the picks of one action without a line, keep only the first."""
        told: set[tuple[int, str | None]] = set()
        for event in events:
            deed = self.deeds[event.at]
            if event.kind == "chose":
                if not event.text and (deed, event.who) in told:
                    continue
                told.add((deed, event.who))
            yield event if event.at == deed else evolve(event, at=deed)

    def heard_with(self, turn: Turn, seat: int) -> tuple[EventView, ...]:
        """Return the events of the last action until cards were revealed, as a seat saw them.

        Sentences about those cards are included.
        """
        happened = self.happened[self.before :]
        end = self.earlier + turn.happened
        while end < len(happened) and happened[end].kind == "told":
            end += 1
        return tuple(self.by_deeds(hear(self.names, happened[:end], seat)))

    def catch_up(self, choices: Sequence[Deed]) -> None:
        """Replay the new choices."""
        while self.done < len(choices):
            code = choices[self.done]
            if not isinstance(code, int):
                self.allow(code)
                continue
            who, said, goes_on = self.shadow.who, self.words_of_choice(code), bool(self.shadow.picks)
            before = self.said.get(who, ()) if goes_on else ()
            self.said[who] = tuple(map(joined, before, said)) if before else said
            self.deeds.append(self.deeds[-1] + (not goes_on))
            if len(self.shadow.legal) > 1:
                self.last[who] = self.deeds[-1]
            self.before, self.earlier = len(self.happened), len(self.picked)
            self.shadow.events = watched = Watched(self.program, self.shadow)
            self.program.apply(self.shadow, code)
            self.turns = watched.turns
            self.take_events()
            self.done += 1

    def allow(self, change: Change) -> None:
        """Take in a change outside the rules, which has its own wording."""
        told = change.told(self.names, self.shadow)
        events, self.shadow.events = self.shadow.events, None
        change.apply(self.names, self.shadow)
        self.shadow.events = events
        self.loc, self.turns = list(self.shadow.loc), []
        self.deeds.append(self.deeds[-1] + 1)
        self.happened.append(Happening("allowed", self.names.game.sources[0].whole, (told,), at=self.done + 1))
        self.done += 1

    def copy(self) -> Chronicle:
        """Return an independent copy."""
        other = copy(self)
        other.loc, other.happened, other.said = self.loc.copy(), self.happened.copy(), self.said.copy()
        other.picked, other.deeds, other.learnt = self.picked.copy(), self.deeds.copy(), self.learnt.copy()
        other.told = {onlooker: told.copy() for onlooker, told in self.told.items()}
        other.last = self.last.copy()
        other.shadow = self.program.clone(self.shadow)
        return other

    def take_events(self) -> None:
        """Convert the new events to happenings."""
        events = self.shadow.events or []
        if any(event[0] == "step" for event in events):
            events = list(self.with_empty_steps_apart(events))
        movers: dict[Span, int] = {}
        for index, (kind, span, *fields) in enumerate(events):
            if kind == "chose":
                movers[span] = fields[0]
                if moved := self.moved_at_once(fields, events[index + 1 : index + 2]):
                    movers[moved[1]] = fields[0]
                    self.said.pop(fields[0], None)
            if kind in ("told", "learnt"):
                fields = self.heard(fields[0])
            if kind != "learnt":
                happening, by = self.happening(kind, span, tuple(fields)), movers.get(span) if kind == "moved" else None
                self.picked.append(happening._replace(at=len(self.deeds) - 1, by=by))
        self.shadow.events = []
        if not self.shadow.picks:
            self.happened += self.picked
            self.picked = []

    def heard(self, told: tuple[int, tuple[object, ...], int] | None) -> list[Any]:
        """Return the entry, the values and the seats that may know them, for a reported sentence.

        If a variable receives a value, store the seats that may know it.
        """
        if told is None:
            return [None, (), 0]
        number, values, knowing = told
        entry = self.program.lowering.heard[number]
        for var in entry.hidden:
            knowing &= self.learnt.get(var, 0)
        self.learnt[entry.var] = knowing
        return [entry, values, knowing]

    def with_empty_steps_apart(self, events: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Yield the events. Mark steps that began without leading to a decision, because they need no heading."""
        going = {name for frame in self.shadow.frames for name in self.program.enclosing[frame[0]]}
        last = {event[2]: event for event in events if event[0] == "step"}
        for event in events:
            empty = event[0] == "step" and not (event[2] in going and last[event[2]] is event)
            yield ("began", *event[1:]) if empty else event

    def moved_at_once(self, chose: list[Any], following: list[tuple[Any, ...]]) -> tuple[Any, ...] | None:
        """Return the next event if it moves the chosen card. Then the move reports the choice."""
        site, code = self.program.sites[chose[1]], chose[2]
        if site.kind != "choose" or not about_cards(asked_type(site)) or code == DONE:
            return None
        return next((event for event in following if event[0] == "moved" and code - 1 in event[3]), None)

    def happening(self, kind: str, span: Span, data: tuple[Any, ...]) -> Happening:
        match kind:
            case "moved":
                for card in data[1]:
                    self.loc[card] = data[3]
                return Happening(kind, span, data, tuple(data[2]))
            case "revealed":
                return Happening(kind, span, data, tuple(self.loc[card] for card in data[0]))
            case "chose":
                return Happening(kind, span, data, (), self.said.pop(data[0], ()))
            case "ended":
                return Happening(kind, span, tuple(self.program.winners(self.shadow)))
        return Happening(kind, span, data)

    def words_of_choice(self, code: int) -> tuple[str, ...]:
        """Return the wording of a choice for each observer. Cards are named only to players who can identify them."""
        site = self.program.site(self.shadow)
        who = self.names.players[self.shadow.who]
        referee = Hearing(self.names, self.shadow, site, None)
        whole, onlookers = sentence(referee, who, code), range(self.program.players + 1)
        if not referee.told_card and not self.names.facts.common.secrecy.has_secrets:
            return (whole,) * (len(onlookers) + 1)  # nothing in it is hidden from any player
        return (*(sentence(Hearing(self.names, self.shadow, site, seat), who, code) for seat in onlookers), whole)


def joined(before: str, then: str) -> str:
    """Join the wording of the picks of a choice."""
    return f"{before} {then}".strip()
