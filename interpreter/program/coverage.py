"""Program that measures coverage: counts of reached rules, reads and moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from attrs import define, field

from cardlang import model as g
from cardlang.diagnostics import Span
from interpreter.hands.hand_evaluator import HandReading
from interpreter.program.program import Program
from interpreter.runtime.state import State

Value = TypeVar("Value")


@define
class TakeStatistics:
    """Statistics of a statement that takes cards, over all matches.

    executions: the number of executions.
    max_available: the maximum number of cards available.
    shortages: for each match, the first shortage: the numbers wanted and available.
    negative_requests: the number of times that a negative number was wanted."""

    executions: int = 0
    max_available: int = 0
    negative_requests: int = 0
    shortages: dict[int, tuple[int, int]] = field(factory=dict)

    def record_take(self, match: int, requested: int, available: int) -> None:
        self.executions += 1
        self.max_available = max(self.max_available, available)
        if requested < 0:
            self.negative_requests += 1
        elif available < requested:
            self.shortages.setdefault(match, (requested, available))


class CoverageProgram(Program):
    """Program that records coverage.

    reached: by rule number, how often it was reached: bodies (the number of their first statement), options, cases and
        ranks.
    take_statistics: by rule number, for statements that take cards.
    move_availability: by rule number, how often the current player could move, or not.
    match: the number of the current match, set by the caller.
    watched: the tracks whose reads and writes call hooks."""

    covering = True

    def __init__(self, game: g.Game, players: int, watched: frozenset[str] = frozenset()) -> None:
        self.watched = watched
        self.reached: Counter[int] = Counter()
        self.take_statistics: dict[int, TakeStatistics] = {}
        self.move_availability: dict[int, Counter[bool]] = {}
        self.match = 0
        super().__init__(game, players, listen=False)

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return type(self), (self.game, self.players, self.watched)

    def bind_runtime_names(self) -> None:
        super().bind_runtime_names()
        self.namespace |= {
            "reached": self.record_reached, "read": self.read_and_record, "cards_there": self.record_available_cards,
            "moves_open": self.record_move_availability, "looked_at": self.on_track_read,
            "to_be_set": self.before_track_set,
        }  # fmt: skip

    def record_reached(self, s: State, number: int, value: Value | None = None) -> Value | None:
        """Record that a rule number was reached, and return the value evaluated there."""
        self.reached[number] += 1
        return value

    def record_available_cards(self, s: State, number: int, requested: int, available: int) -> None:
        """Record the number of cards that a statement wants and finds."""
        self.take_statistics.setdefault(number, TakeStatistics()).record_take(self.match, requested, available)

    def record_move_availability(self, s: State, number: int, moves: int) -> None:
        self.move_availability.setdefault(number, Counter())[moves > 0] += 1

    def before_track_set(self, s: State, base: int, offset: int) -> None:
        """Hook before a watched track is set: the slot `offset` of those that begin at `base`."""

    def on_track_read(self, s: State, number: int, base: int, offset: int, value: int) -> int:
        """Hook for a read of a watched track at a place. Return its value."""
        return value

    def read_and_record(self, name: str, s: State, cards: Sequence[int]) -> HandReading | None:
        """Return a reading, and record that its rank was reached."""
        reading = self.readings.read_hand(name, s, cards)
        ranks = self.game.rankings[name].ranks
        if reading is not None and ranks:
            self.record_reached(s, self.lowering.number_rule_span(ranks[reading.rank].span))
        return reading

    def find_spans(self, numbers: Iterable[int]) -> frozenset[Span]:
        """Return the places with these numbers."""
        return frozenset(self.group_by_span(dict.fromkeys(numbers)))

    def group_by_span(self, records: dict[int, Value]) -> dict[Span, Value]:
        """Convert records by number to records by place."""
        known = self.lowering.rule_spans
        return {known[number]: value for number, value in records.items()}
