"""Find the players who may know a current value: those who see every card and secret that its evaluation reads.

Dynamic information-flow tracking: the value is evaluated again in a state that records reads. The number of cards in
a pile is public, so reading it alone records nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

from cardlang import game as g
from cardlang.game.walking import bodies, walk
from interpreter.errors import RuleError
from interpreter.public_knowledge import Common
from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.program import Program

Other = TypeVar("Other")
LINK = {-1, -2}
"""Variables that hold the address of the announcement a reaction responds to."""


def variables_of(expr: g.Expr) -> set[int]:
    """Return the free variables of an expression, including the address of an announcement that it reads."""
    used, bound = set(), set()
    for part in walk((expr,)):
        if isinstance(part, g.Var):
            used.add(part.id)
        elif isinstance(part, g.Actor | g.Target):
            used |= LINK
        if isinstance(part, g.Filter | g.MapEach | g.Quantified | g.Sorted | g.AggBy) and part.var is not None:
            bound.add(part.var.id)
    return used - bound


# ---------------------------------------------------------------- from the rules
def followed(game: g.Game) -> frozenset[int]:
    """Return the hidden variables that the rules log, directly or through other variables."""
    tells = [part for body in bodies(game) for part in walk(body) if isinstance(part, g.Tell)]
    if not tells:
        return frozenset()
    common = Common(game)
    hidden, sources = common.hidden_vars(), list(common.sources())
    todo = [var for tell in tells for value in tell.values for var in variables_of(value)]
    found: set[int] = set()
    while todo:
        var = todo.pop()
        if var in hidden and var not in found:
            found.add(var)
            todo += [each for source, value in sources if source == var for each in variables_of(value)]
    return frozenset(found)


# ---------------------------------------------------------------- from a state
class Noting(list[int]):
    """List that records reads of its items. `note`: called with the index of each item."""

    def __init__(self, items: Iterable[int], note: Callable[[int], None]) -> None:
        super().__init__(items)
        self.note = note

    @overload
    def __getitem__(self, at: SupportsIndex) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> list[int]: ...

    def __getitem__(self, at: SupportsIndex | slice) -> int | list[int]:
        for place in range(len(self))[at] if isinstance(at, slice) else (range(len(self))[at],):
            self.note(place)
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


class Looked(State):
    """State that records reads. `cards`, `slots`: those read for the last value; `real`: the state itself."""

    __slots__ = ("cards", "real", "slots")
    cards: set[int]
    slots: set[int]
    real: State

    @classmethod
    def of(cls, s: State) -> Looked:
        """Wrap `s`, without changing its lists."""
        n = cls.__new__(cls)
        for slot in State.__slots__:
            setattr(n, slot, getattr(s, slot))
        n.cards, n.slots, n.real = set(), set(), s
        n.t = Noting(s.t, n.slots.add)
        n.z = [Noting(pile, noter(pile, n.cards)) for pile in s.z]
        n.loc, n.owner, n.known = (Noting(each, n.cards.add) for each in (s.loc, s.owner, s.known))
        n.frames, n.events, n.checking = [frame[:] for frame in s.frames], None, False
        return n

    def forget(self) -> None:
        """Reset the recorded reads, the random state and the steps."""
        self.cards.clear()
        self.slots.clear()
        self.rng, self.fuel = self.real.rng, self.real.fuel


def noter(pile: list[int], cards: set[int]) -> Callable[[int], None]:
    return lambda place: cards.add(pile[place])


def known_value(program: Program, expr: g.Expr, looked: Looked, env: Mapping[int, object]) -> tuple[Any, int]:
    """Return the value of an expression, and the seats that may know it as a bit mask (bit `players`: spectators).

    The knowledge of its variables is not considered. Raise `RuleError` if it has no value."""
    looked.forget()
    value = program.value(expr, looked, env)
    knowing = (1 << program.players + 1) - 1
    for slot in looked.slots:
        kept = program.tracks[slot] if slot < len(program.tracks) else None
        if kept is not None and kept.track.secret:
            knowing &= 1 << kept.of if kept.track.subject == "player" and kept.of is not None else 0
    return value, knowing & seeing(program, looked.real, looked.cards)


def seeing(program: Program, s: State, cards: Iterable[int]) -> int:
    """Return the bit mask of the seats that see all of some cards."""
    seats = range(program.players + 1)
    return sum(1 << seat for seat in seats if all(program.visible(s, card, seat) for card in cards))


class Heard:
    """Evaluator of logged values, called by the program during play."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def __call__(self, s: State, number: int, *values: Any) -> tuple[int, tuple[object, ...], int] | None:
        """Return an entry's number, its current values, and the seats that may know them as far as cards and secrets
        go.

        Return None if one of the values fails."""
        entry = self.program.lowering.heard[number]
        env = dict(zip(entry.needs, values, strict=True))
        told, knowing, looked = [], -1, Looked.of(s)
        for expr in entry.values:
            needed = variables_of(expr)
            try:
                value, seats = known_value(self.program, expr, looked, {var: env[var] for var in sorted(needed)})
            except RuleError:
                return None
            told.append(value)
            knowing &= seats
        cards = [card for var in entry.cards for card in listed(env[var])]
        return number, tuple(told), knowing & seeing(self.program, s, cards)


def listed(value: int | list[int] | tuple[int, ...]) -> list[int]:
    """Return the cards that a variable holds."""
    return [card for card in (value if isinstance(value, list | tuple) else [value]) if card >= 0]
