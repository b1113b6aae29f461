"""Measure coverage: run a program that records which rules are reached. It plays like any other, a little slower."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from attrs import define, field

from cardlang import game as g
from cardlang.source import Span
from interpreter.program import Program
from interpreter.ranking.reader import Reading
from interpreter.state import State

Value = TypeVar("Value")


@define
class Taking:
    """Statistics of a statement that takes cards, over all matches.

    times: the number of executions.
    most: the maximum number of cards available.
    short: for each match, the first shortage as the numbers wanted and available.
    below: the number of times that a negative number was wanted."""

    times: int = 0
    most: int = 0
    below: int = 0
    short: dict[int, tuple[int, int]] = field(factory=dict)

    def note(self, match: int, wanted: int, there: int) -> None:
        self.times += 1
        self.most = max(self.most, there)
        if wanted < 0:
            self.below += 1
        elif there < wanted:
            self.short.setdefault(match, (wanted, there))


class Covering(Program):
    """Program that records coverage.

    reached: the number of times each place was reached, by its number: bodies (the place of their first statement),
        options, cases and ranks.
    takings: by place, for statements that take cards.
    open: by place, how often the current player could move, or not.
    match: the number of the current match, set by the caller.
    watched: the tracks whose reads and writes call hooks."""

    covering = True

    def __init__(self, game: g.Game, players: int, watched: frozenset[str] = frozenset()) -> None:
        self.watched = watched
        self.reached: Counter[int] = Counter()
        self.takings: dict[int, Taking] = {}
        self.open: dict[int, Counter[bool]] = {}
        self.match = 0
        super().__init__(game, players, listen=False)

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return type(self), (self.game, self.players, self.watched)

    def names(self) -> None:
        super().names()
        self.namespace |= {
            "reached": self.come_to, "read": self.read_noted, "cards_there": self.cards_there,
            "moves_open": self.moves_open, "looked_at": self.looked_at, "to_be_set": self.to_be_set,
        }  # fmt: skip

    def come_to(self, s: State, number: int, value: Value | None = None) -> Value | None:
        """Record that a place was reached, and return the value evaluated there."""
        self.reached[number] += 1
        return value

    def cards_there(self, s: State, number: int, wanted: int, there: int) -> None:
        """Record the number of cards that a statement wants and finds."""
        self.takings.setdefault(number, Taking()).note(self.match, wanted, there)

    def moves_open(self, s: State, number: int, moves: int) -> None:
        self.open.setdefault(number, Counter())[moves > 0] += 1

    def to_be_set(self, s: State, base: int, of: int) -> None:
        """Hook before a watched track is set: the slot `of` of those that begin at `base`."""

    def looked_at(self, s: State, number: int, base: int, of: int, value: int) -> int:
        """Hook for a read of a watched track at a place. Return its value."""
        return value

    def read_noted(self, name: str, s: State, cards: Sequence[int]) -> Reading | None:
        """Return a reading, and record that its rank was reached."""
        reading = self.readings.read(name, s, cards)
        ranks = self.game.rankings[name].ranks
        if reading is not None and ranks:
            self.come_to(s, self.lowering.code.place(ranks[reading.rank].span))
        return reading

    def spans(self, numbers: Iterable[int]) -> frozenset[Span]:
        """Return the places with these numbers."""
        return frozenset(self.by_span(dict.fromkeys(numbers)))

    def by_span(self, noted: dict[int, Value]) -> dict[Span, Value]:
        """Convert records by number to records by place."""
        known = self.lowering.code.places
        return {known[number]: value for number, value in noted.items()}
