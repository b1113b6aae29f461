"""Event log of a match by replay, its origin, and reveals of hidden cards.

A match stores only its choices. The log replays new choices once in a program that records events. Then it words the
events separately for each observer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

from attrs import evolve, frozen

from cardlang.diagnostics import Span
from cardlang.model.types import is_card_type
from interpreter.match.state_edits import ChoiceOrEdit, StateEdit
from interpreter.narration.decision_text import ObserverMovePrinter, write_choice_line
from interpreter.narration.display_names import MatchNames
from interpreter.narration.event_phrases import Line, join_lines
from interpreter.narration.events import EventView, RecordedEvent
from interpreter.narration.observer_events import build_observer_events, is_public_event
from interpreter.program.program import Program, compile_game
from interpreter.runtime.state import ABSENT, DONE, State, get_choice_type

CHANCE_VERBS = ("turn", "deal")
"""Verbs of moves without an acting player."""
LEARNT_EVENT = "learnt"
"""Kind of event that is not a happening: a player learns something."""


@frozen
class CardReveal:
    """Reveal of cards.

    - `is_random`: some of them were dealt or turned up and had been unknown to all players.
    - `state`: the state just after it.
    - `event_count`: number of happenings of the same choice until then.
    """

    event_count: int
    event: tuple[Any, ...]
    is_random: bool
    state: State


class RevealRecorder(list[tuple[Any, ...]]):
    """Events of one choice, with a copy of the state at each public reveal of cards."""

    def __init__(self, program: Program, state: State) -> None:
        super().__init__()
        self.program, self.state = program, state
        sees, loc = program.layout.sees, state.loc
        self.unseen_cards = {
            card for card, known in enumerate(state.known) if not (known | (sees[loc[card]] if loc[card] >= 0 else 0))
        }
        self.reveals: list[CardReveal] = []

    def append(self, event: tuple[Any, ...]) -> None:
        super().append(event)
        if self.is_public_reveal(event):
            happened = sum(each[0] != LEARNT_EVENT for each in self)
            last = self.reveals[-1] if self.reveals else None
            by_chance = event[0] == "moved" and event[2] in CHANCE_VERBS and not self.unseen_cards.isdisjoint(event[3])
            if last is not None and self.is_same_reveal(last.event):
                by_chance = by_chance or last.is_random
                self.reveals.pop()
            self.reveals.append(CardReveal(happened, event, by_chance, self.program.clone(self.state)))

    def is_public_reveal(self, event: tuple[Any, ...]) -> bool:
        """Return whether an event makes cards public that were not."""
        layout = self.program.layout
        if event[0] == "revealed":
            return bool(event[5] == layout.everyone)
        if event[0] != "moved":
            return False
        onlooker = 1 << self.program.players
        closed = any(source < 0 or not layout.sees[source] & onlooker for source in event[4])
        return closed and all(seen & onlooker for seen in event[6])

    def is_same_reveal(self, previous: tuple[Any, ...]) -> bool:
        """Return whether a rule reveals cards for one player after another: the newest and those in `previous`."""
        kind, span = self[-1][:2]
        return bool(kind == previous[0] and (kind == "revealed" or (span == previous[1] and self[-2:-1] == [previous])))


class ObserverLog:
    """Events already worded for one observer, from the first `event_count` happenings."""

    def __init__(self, event_count: int = 0, events: Sequence[EventView] = ()) -> None:
        self.event_count = event_count
        self.events = list(events)


class EventLog:
    """Events of a match so far, and their lines for each observer."""

    def __init__(self, names: MatchNames, origin: MatchOrigin) -> None:
        self.names = names
        self.program: Program = compile_game(names.game, names.program.players, listen=True)
        self.loc = list(origin.build_state_before_events().loc)
        self.recorded_events: list[RecordedEvent] = []
        self.picked_events: list[RecordedEvent] = []
        """Events of an unfinished choice of several cards, hidden until it is complete."""
        self.replay_state = origin.start_with_events(self.program)
        self.replayed_count = 0
        self.action_numbers = [origin.count_actions_before_origin()]
        """Number of actions before the first choice and after each choice, including those before this starting point.

        A choice of several cards is one action, however many picks it takes.
        """
        self.last: dict[int, int] = {}
        """Number of each seat's last action with more than one legal move, from 1."""
        self.observer_logs: dict[int, ObserverLog] = {}
        self.public_events: tuple[tuple[int, int], list[EventView]] = ((0, 0), [])
        """Newest public events and the numbers of happenings before and after them."""
        self.pending_wordings: dict[int, tuple[Line, ...]] = {}
        """Wording of choices not reported yet, by seat. Simultaneous choices are reported after the last of them."""
        self.before = 0
        """Number of happenings before the last action."""
        self.earlier = 0
        """Number of happenings in the last action before its last choice."""
        self.turns: list[CardReveal] = []
        """Cards revealed during that choice."""
        self.learnt: dict[int, int] = {}
        """Seats that may know a variable's value, if not all may."""
        self.record_new_events()

    def get_observer_log(self, choices: Sequence[ChoiceOrEdit], seat: int | None) -> ObserverLog:
        """Return all events for a seat.

        The seat `players` of the program is a spectator; None is the referee, who sees everything. The seat `players` +
        2 is the referee with a trace, which includes events without their own line.
        """
        self.replay_new_choices(choices)
        onlooker = self.program.players + 1 if seat is None else seat
        log = self.observer_logs.setdefault(onlooker, ObserverLog())
        if log.event_count < len(self.recorded_events):
            log.events += self.build_events_after(log.event_count, onlooker)
            log.event_count = len(self.recorded_events)
        return log

    def build_events_after(self, event_count: int, observer: int) -> list[EventView]:
        """Return the events for an observer after some happenings. If all are public, players share the result."""
        span, happened = (event_count, len(self.recorded_events)), self.recorded_events[event_count:]
        if observer <= self.program.players and self.public_events[0] == span:
            return self.public_events[1]
        events = list(self.number_by_action(build_observer_events(self.names, happened, observer)))
        if observer <= self.program.players and all(is_public_event(self.names, event) for event in happened):
            self.public_events = span, events
        return events

    def number_by_action(self, events: Iterable[EventView]) -> Iterator[EventView]:
        """Number events by actions. Of the picks of one action without a line, keep only the first."""
        reported: set[tuple[int, str | None]] = set()
        for event in events:
            action = self.action_numbers[event.at]
            if event.kind == "chose":
                if not event.line and (action, event.who) in reported:
                    continue
                reported.add((action, event.who))
            yield event if event.at == action else evolve(event, at=action)

    def get_events_at_reveal(self, reveal: CardReveal, seat: int) -> tuple[EventView, ...]:
        """Return the events of the last action until cards were revealed, as a seat saw them.

        Sentences about those cards are included.
        """
        happened = self.recorded_events[self.before :]
        end = self.earlier + reveal.event_count
        while end < len(happened) and happened[end].kind == "told":
            end += 1
        return tuple(self.number_by_action(build_observer_events(self.names, happened[:end], seat)))

    def replay_new_choices(self, choices: Sequence[ChoiceOrEdit]) -> None:
        """Replay the new choices."""
        while self.replayed_count < len(choices):
            code = choices[self.replayed_count]
            if not isinstance(code, int):
                self.take_edit(code)
                continue
            who, wordings, goes_on = self.replay_state.who, self.word_choice(code), bool(self.replay_state.picks)
            before = self.pending_wordings.get(who, ()) if goes_on else ()
            self.pending_wordings[who] = (
                tuple(map(join_lines, zip(before, wordings, strict=True))) if before else wordings
            )
            self.action_numbers.append(self.action_numbers[-1] + (not goes_on))
            if len(self.replay_state.legal) > 1:
                self.last[who] = self.action_numbers[-1]
            self.before, self.earlier = len(self.recorded_events), len(self.picked_events)
            self.replay_state.events = watched = RevealRecorder(self.program, self.replay_state)
            self.program.apply(self.replay_state, code)
            self.turns = watched.reveals
            self.record_new_events()
            self.replayed_count += 1

    def take_edit(self, edit: StateEdit) -> None:
        """Take in a change outside the rules, which has its own wording."""
        wording = edit.describe_edit(self.names, self.replay_state)
        events, self.replay_state.events = self.replay_state.events, None
        edit.apply(self.names, self.replay_state)
        self.replay_state.events = events
        if self.replay_state.who == ABSENT and events is not None:
            events.append(("ended", None))
        self.loc, self.turns = list(self.replay_state.loc), []
        self.action_numbers.append(self.action_numbers[-1] + 1)
        self.recorded_events.append(
            RecordedEvent("allowed", self.names.game.sources[0].full_span, (wording,), at=self.replayed_count + 1)
        )
        self.record_new_events()
        self.replayed_count += 1

    def copy(self) -> EventLog:
        """Return an independent copy."""
        other = copy(self)
        vars(other).update((name, copy(value)) for name, value in vars(self).items() if isinstance(value, list | dict))
        logs = self.observer_logs.items()
        other.observer_logs = {seat: ObserverLog(log.event_count, log.events) for seat, log in logs}
        other.replay_state = self.program.clone(self.replay_state)
        return other

    def record_new_events(self) -> None:
        """Convert the new events to happenings."""
        events = self.replay_state.events or []
        if any(event[0] == "step" for event in events):
            events = list(self.mark_empty_steps(events))
        movers: dict[Span, int] = {}
        for index, (kind, span, *fields) in enumerate(events):
            if kind == "chose":
                movers[span] = fields[0]
                if moved := self.find_move_of_choice(fields, events[index + 1 : index + 2]):
                    movers[moved[1]] = fields[0]
                    self.pending_wordings.pop(fields[0], None)
            if kind in ("told", "learnt"):
                fields = self.find_sentence_values(fields[0])
            if kind != "learnt":
                happening = self.build_event(kind, span, tuple(fields))
                by = movers.get(span) if kind == "moved" else None
                self.picked_events.append(happening._replace(at=len(self.action_numbers) - 1, choosing_seat=by))
        self.replay_state.events = []
        if not self.replay_state.picks:
            self.recorded_events += self.picked_events
            self.picked_events = []

    def find_sentence_values(self, sentence: tuple[int, tuple[object, ...], int] | None) -> list[Any]:
        """Return the entry, the values and the seats that may know them, for a reported sentence.

        If a variable receives a value, store the seats that may know it.
        """
        if sentence is None:
            return [None, (), 0]
        number, values, knowing = sentence
        entry = self.program.lowering.logged_values[number]
        for var in entry.secret_variables:
            knowing &= self.learnt.get(var, 0)
        self.learnt[entry.var] = knowing
        return [entry, values, knowing]

    def mark_empty_steps(self, events: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Yield the events. Mark steps that began without leading to a decision, because they need no heading."""
        going = {name for frame in self.replay_state.frames for name in self.program.enclosing[frame[0]]}
        last = {event[2]: event for event in events if event[0] == "step"}
        for event in events:
            empty = event[0] == "step" and not (event[2] in going and last[event[2]] is event)
            yield ("began", *event[1:]) if empty else event

    def find_move_of_choice(self, chose: list[Any], following: list[tuple[Any, ...]]) -> tuple[Any, ...] | None:
        """Return the next event if it moves the chosen card. Then the move reports the choice."""
        site, code = self.program.sites[chose[1]], chose[2]
        if site.kind != "choose" or not is_card_type(get_choice_type(site)) or code == DONE:
            return None
        return next((event for event in following if event[0] == "moved" and code - 1 in event[3]), None)

    def build_event(self, kind: str, span: Span, data: tuple[Any, ...]) -> RecordedEvent:
        match kind:
            case "moved":
                for card in data[1]:
                    self.loc[card] = data[3]
                return RecordedEvent(kind, span, data, tuple(data[2]))
            case "revealed":
                return RecordedEvent(kind, span, data, tuple(self.loc[card] for card in data[0]))
            case "chose":
                return RecordedEvent(kind, span, data, (), self.pending_wordings.pop(data[0], ()))
            case "ended":
                return RecordedEvent(kind, span, tuple(self.program.find_winners(self.replay_state)))
        return RecordedEvent(kind, span, data)

    def word_choice(self, code: int) -> tuple[Line, ...]:
        """Return the wording of a choice for each observer. Cards are named only to players who can identify them."""
        site = self.program.get_site(self.replay_state)
        referee = ObserverMovePrinter(self.names, self.replay_state, site, None)
        line, onlookers = write_choice_line(referee, code), range(self.program.players + 1)
        if not referee.has_named_card and not self.names.facts.common_knowledge.secrecy.has_secrets:
            return (line,) * (len(onlookers) + 1)  # nothing in it is hidden from any player
        printers = (ObserverMovePrinter(self.names, self.replay_state, site, seat, referee) for seat in onlookers)
        return (*(write_choice_line(printer, code) for printer in printers), line)


EMPTY_LOG = ObserverLog()


class MatchOrigin:
    """Set-up from a seed. `checking`: check the expectations in steps, even when replaying."""

    def __init__(self, names: MatchNames, seed: int, checking: bool = False) -> None:
        self.names = names
        self.program: Program = names.program
        self.seed = seed
        self.checking = checking

    def build_first_state(self) -> State:
        """Return the state at the first decision."""
        return self.program.start(self.seed, checking=self.checking)

    def start_with_events(self, program: Program) -> State:
        """Return the state at the first decision with its events. `program`: one that records events."""
        return program.start(self.seed, listen=True)

    def build_state_before_events(self) -> State:
        """Return the state before anything happened."""
        return self.program.create_blank_state(self.seed)

    def build_event_log(self) -> EventLog:
        """Return a new event log for a match that begins here."""
        return EventLog(self.names, self)

    def get_earlier_log(self) -> ObserverLog:
        """Return the events reported before this starting point."""
        return EMPTY_LOG

    def count_actions_before_origin(self) -> int:
        """Return the number of actions before. A choice of several cards is one action."""
        return 0

    def get_last_actions(self) -> Mapping[int, int]:
        """Return the number of each seat's last action before, by seat."""
        return {}

    def get_decision_path(self, choices: Sequence[ChoiceOrEdit]) -> tuple[object, Sequence[ChoiceOrEdit]]:
        """Return the beginning of the match and all choices since, which identify a decision.

        For a sample, they include the choices of the match it was taken from.
        """
        return self.seed, choices


@frozen
class SampleHistory:
    """History of a sampled match as `seat` saw it: the choices made since `origin`."""

    origin: MatchOrigin
    choices: list[ChoiceOrEdit]
    seat: int


class SampledOrigin(MatchOrigin):
    """Sampled state, with the history that its player saw."""

    def __init__(self, names: MatchNames, snapshot: State, seed: int, history: SampleHistory) -> None:
        super().__init__(names, seed)
        self.snapshot = snapshot
        self.history = history
        self.earlier_event_log: EventLog | None = None

    def build_first_state(self) -> State:
        return self.program.clone(self.snapshot)

    def start_with_events(self, program: Program) -> State:
        state = program.clone(self.snapshot)
        state.events = []
        return state

    def build_state_before_events(self) -> State:
        return self.snapshot

    def get_decision_path(self, choices: Sequence[ChoiceOrEdit]) -> tuple[object, Sequence[ChoiceOrEdit]]:
        return self.history.origin.get_decision_path([*self.history.choices, *choices])

    def get_earlier_log(self) -> ObserverLog:
        past = self.history
        earlier = past.origin.get_earlier_log()
        then = self.build_earlier_event_log().get_observer_log(past.choices, past.seat)
        return ObserverLog(0, earlier.events + then.events) if earlier.events else then

    def count_actions_before_origin(self) -> int:
        return self.build_earlier_event_log().action_numbers[-1]

    def get_last_actions(self) -> Mapping[int, int]:
        return {**self.history.origin.get_last_actions(), **self.build_earlier_event_log().last}

    def build_earlier_event_log(self) -> EventLog:
        """Return the event log before the sample was taken."""
        if self.earlier_event_log is None:
            self.earlier_event_log = EventLog(self.names, self.history.origin)
        self.earlier_event_log.replay_new_choices(self.history.choices)
        return self.earlier_event_log
