"""A program that notes which rules play comes to. It plays as any other, a little slower."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from cardlang import game as g
from cardlang.source import Span
from interpreter.program import Program
from interpreter.ranking.reader import Reading
from interpreter.state import State

Value = TypeVar("Value")


class Covering(Program):
    """reached: how often play has come to each place, by its number: to bodies (the place of their first statement), to
    options, cases and ranks."""

    covering = True

    def __init__(self, game: g.Game, players: int) -> None:
        self.reached: Counter[int] = Counter()
        super().__init__(game, players, listen=False)

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return Covering, (self.game, self.players)

    def names(self) -> None:
        super().names()
        self.namespace |= {"reached": self.come_to, "read": self.read_noted}

    def come_to(self, s: State, number: int, value: Value | None = None) -> Value | None:
        """Notes that play has come to a place; gives the value that is asked for there."""
        self.reached[number] += 1
        return value

    def read_noted(self, name: str, s: State, cards: Sequence[int]) -> Reading | None:
        """A reading; that somebody has its rank is noted."""
        reading = self.readings.read(name, s, cards)
        ranks = self.game.rankings[name].ranks
        if reading is not None and ranks:
            self.come_to(s, self.lowering.code.place(ranks[reading.rank].span))
        return reading

    def spans(self, numbers: Iterable[int]) -> frozenset[Span]:
        """The places with these numbers."""
        known = self.lowering.code.places
        return frozenset(known[number] for number in numbers)
