"""Dynamic taint tracking: a state that records reads, to find who can know a value.

The value is evaluated again in this state. The number of cards in a pile is public, so reading it alone records
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, SupportsIndex, TypeVar, overload

from attrs import frozen

from cardlang import model as g
from interpreter.knowledge.hidden_information_analysis import find_free_variables
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import State, TrackSlot

Other = TypeVar("Other")


class Evaluator(Protocol):
    """Evaluator of expressions in a state; see `interpreter.program.program.Program`."""

    players: int
    tracks: tuple[TrackSlot, ...]

    def evaluate(self, expr: g.Expr, s: State, env: Mapping[int, object] | None = None) -> Any: ...
    def is_visible(self, s: State, card: int, seat: int) -> bool: ...


# ---------------------------------------------------------------- from a state
class TracingList(list[int]):
    """List that records reads of its items. `on_read`: called with the index of each item."""

    def __init__(self, items: Iterable[int], note: Callable[[int], None]) -> None:
        super().__init__(items)
        self.on_read = note

    @overload
    def __getitem__(self, at: SupportsIndex) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> list[int]: ...

    def __getitem__(self, at: SupportsIndex | slice) -> int | list[int]:
        for place in range(len(self))[at] if isinstance(at, slice) else (range(len(self))[at],):
            self.on_read(place)
        return list.__getitem__(self, at)

    def __iter__(self) -> Iterator[int]:
        yield from self[:]

    def __contains__(self, item: object) -> bool:
        return item in self[:]

    def __eq__(self, other: object) -> bool:
        return bool(self[:] == other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __add__(self, other: list[Other]) -> list[Other | int]:
        return self[:] + list(other)

    def __radd__(self, other: list[int]) -> list[int]:
        return list(other) + self[:]

    def __reversed__(self) -> Iterator[int]:
        yield from self[::-1]

    def copy(self) -> list[int]:
        return list(self)

    def index(self, value: int, *bounds: SupportsIndex) -> int:
        return list(self).index(value, *bounds)

    def count(self, value: int) -> int:
        return list(self).count(value)

    __hash__ = None


class TracingState(State):
    """State that records reads. `cards`, `slots`: those read for the last value; `real`: the state itself."""

    __slots__ = ("cards", "real", "slots")
    cards: set[int]
    slots: set[int]
    real: State

    @classmethod
    def wrap(cls, s: State) -> TracingState:
        """Wrap `s`, without changing its lists."""
        n = cls.__new__(cls)
        for slot in State.__slots__:
            setattr(n, slot, getattr(s, slot))
        n.cards, n.slots, n.real = set(), set(), s
        n.t = TracingList(s.t, n.slots.add)
        n.z = [TracingList(pile, build_card_recorder(pile, n.cards)) for pile in s.z]
        n.loc, n.owner, n.known = (TracingList(each, n.cards.add) for each in (s.loc, s.owner, s.known))
        n.frames, n.events, n.checking = [frame[:] for frame in s.frames], None, False
        return n

    def reset_reads(self) -> None:
        """Reset the recorded reads, the random state and the steps."""
        self.cards.clear()
        self.slots.clear()
        self.rng, self.fuel = self.real.rng, self.real.fuel


def build_card_recorder(pile: list[int], cards: set[int]) -> Callable[[int], None]:
    return lambda place: cards.add(pile[place])


def evaluate_with_knowers(
    evaluator: Evaluator, expr: g.Expr, tracing_state: TracingState, variables: Mapping[int, object]
) -> tuple[Any, int]:
    """Return the value of an expression, and the seats that may know it as a bit mask (bit `players`: spectators).

    The knowledge of its variables is not considered. Raise `RuleError` if it has no value."""
    tracing_state.reset_reads()
    value = evaluator.evaluate(expr, tracing_state, variables)
    knowing = (1 << evaluator.players + 1) - 1
    for slot in tracing_state.slots:
        kept = evaluator.tracks[slot] if slot < len(evaluator.tracks) else None
        if kept is not None and kept.track.secret:
            knowing &= 1 << kept.of if kept.track.subject == "player" and kept.of is not None else 0
    return value, knowing & find_seats_seeing(evaluator, tracing_state.real, tracing_state.cards)


def find_seats_seeing(evaluator: Evaluator, s: State, cards: Iterable[int]) -> int:
    """Return the bit mask of the seats that see all of some cards."""
    seats = range(evaluator.players + 1)
    return sum(1 << seat for seat in seats if all(evaluator.is_visible(s, card, seat) for card in cards))


@frozen
class LoggedValues:
    """Description of values that listeners receive.

    variables: the variables that the values depend on, in order.
    card_variables: those of `variables` that hold cards.
    secret_variables: those of `variables` that some players may not know.
    words: the words of a sentence.
    var: for a stored value, its variable."""

    values: tuple[g.Expr, ...]
    variables: tuple[int, ...]
    card_variables: tuple[int, ...]
    secret_variables: tuple[int, ...]
    words: tuple[str, ...] = ()
    var: int = 0


class LoggedValueEvaluator:
    """Evaluator of logged values, called by the program during play. `entries`: their descriptions by number."""

    def __init__(self, evaluator: Evaluator, entries: Sequence[LoggedValues]) -> None:
        self.evaluator, self.entries = evaluator, entries

    def __call__(self, s: State, number: int, *values: Any) -> tuple[int, tuple[object, ...], int] | None:
        """Return an entry's number, its current values, and the seats that may know them as far as cards and secrets
        go.

        Return None if one of the values fails."""
        entry = self.entries[number]
        env = dict(zip(entry.variables, values, strict=True))
        told, knowing, looked = [], -1, TracingState.wrap(s)
        for expr in entry.values:
            needed = find_free_variables(expr)
            try:
                value, seats = evaluate_with_knowers(
                    self.evaluator, expr, looked, {var: env[var] for var in sorted(needed)}
                )
            except RuleError:
                return None
            told.append(value)
            knowing &= seats
        cards = [card for var in entry.card_variables for card in list_held_cards(env[var])]
        return number, tuple(told), knowing & find_seats_seeing(self.evaluator, s, cards)


def list_held_cards(value: int | list[int] | tuple[int, ...]) -> list[int]:
    """Return the cards that a variable holds."""
    return [card for card in (value if isinstance(value, list | tuple) else [value]) if card >= 0]
