"""Explicit chance: random outcomes come from a script, so that a tree search can try each of them.

A program uses chance in two ways: a random number below a limit, and the order of a shuffled pile. A `Script` lists the
outcomes so far. If an outcome is missing, the program stops with `Untold`, which lists the possible outcomes. The
program then runs again from the previous decision, with a longer script.

Shuffles are lazy. They fill the pile with placeholders, which are resolved only when the program reads them. The order
of cards that are never read creates no chance nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from attrs import evolve, field, frozen

from interpreter.program import FIRST, Program
from interpreter.state import State


@frozen
class Script:
    """Outcomes of chance so far.

    draws: random numbers, in the order of their requests.
    cards: for each shuffle, pairs of a position in the pile and the card there.
    """

    draws: tuple[int, ...] = ()
    cards: tuple[tuple[tuple[int, int], ...], ...] = ()

    def with_draw(self, outcome: int) -> Script:
        return evolve(self, draws=(*self.draws, outcome))

    def with_card(self, shuffle: int, place: int, card: int) -> Script:
        cards = [*self.cards, *[()] * (shuffle + 1 - len(self.cards))]
        cards[shuffle] = (*cards[shuffle], (place, card))
        return evolve(self, cards=tuple(cards))

    def of_shuffle(self, number: int) -> dict[int, int]:
        return dict(self.cards[number]) if number < len(self.cards) else {}


class Untold(Exception):
    """Exception at a chance node. The `outcomes` are equally likely.

    unknown: the placeholder of the card to resolve; None for a random number.
    """

    def __init__(self, outcomes: tuple[int, ...], unknown: Unknown | None = None) -> None:
        self.outcomes = outcomes
        self.unknown = unknown
        super().__init__(f"one of {len(outcomes)} outcomes")

    def extend(self, script: Script, outcome: int) -> Script:
        """Return the script with this outcome added."""
        if self.unknown is None:
            return script.with_draw(outcome)
        return script.with_card(self.unknown.shuffle, self.unknown.place, outcome)


class Unknown:
    """Placeholder for an unresolved card of a shuffled pile.

    Any operation that depends on its identity raises `Untold`.
    """

    __slots__ = ("place", "rest", "shuffle")

    def __init__(self, shuffle: int, place: int, rest: frozenset[int]) -> None:
        self.shuffle = shuffle
        self.place = place
        self.rest = rest

    def ask(self, *_: object) -> NoReturn:
        raise Untold(tuple(sorted(self.rest)), self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Unknown):
            return self is other
        return other in self.rest and self.ask()

    __hash__ = __index__ = __int__ = __bool__ = __invert__ = __neg__ = ask
    __lt__ = __le__ = __gt__ = __ge__ = ask
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = ask
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __and__ = __rand__ = ask


class Known(list[int]):
    """Sets of seats that know each card. No seat knows a placeholder."""

    def __getitem__(self, card: Any) -> Any:
        return 0 if isinstance(card, Unknown) else super().__getitem__(card)

    def __setitem__(self, card: Any, seats: Any) -> None:
        if not isinstance(card, Unknown):
            super().__setitem__(card, seats)
        elif seats:
            card.ask()


@frozen(eq=False)
class Teller:
    """Random state that takes its outcomes from a script.

    filled: never raise `Untold`; use ascending order for outcomes that the script lacks.
    drawn: the number of draws used so far.
    pools: for each shuffle so far, the set of its cards.
    """

    script: Script
    filled: bool = False
    drawn: int = 0
    pools: tuple[frozenset[int], ...] = field(default=())

    def below(self, state: State, count: int) -> int:
        """Return the next draw, like `interpreter.chance.below`. Raise `Untold` if the script lacks it."""
        if count == 1:
            return 0
        if self.drawn < len(self.script.draws):
            outcome = self.script.draws[self.drawn]
        elif self.filled:
            outcome = 0
        else:
            raise Untold(tuple(range(count)))
        state.rng = evolve(self, drawn=self.drawn + 1)
        return outcome

    def shuffle(self, state: State, items: list[int]) -> None:
        """Shuffle lazily, in place of `interpreter.chance.shuffle`.

        An order of players is needed immediately. Raise `Untold` if the script lacks it.
        """
        if items is state.order:
            rest = list(items)
            items[:] = [rest.pop(state.rng.below(state, len(rest))) for _ in items]  # type: ignore[union-attr]
            return
        pool = self.pool_of(items)
        state.rng = teller = evolve(self, pools=(*self.pools, pool))
        number = len(self.pools)
        told = self.script.of_shuffle(number)
        stand_ins = teller.stand_ins(number)
        items[:] = [told[place] if place in told else next(stand_ins) for place in range(len(items))]

    def pool_of(self, items: list[Any]) -> frozenset[int]:
        """Return the set of cards in a pile, including unresolved ones.

        Raise `Untold` if the pile has only a part of the unresolved cards of a shuffle.
        """
        known = {item for item in items if isinstance(item, int)}
        shuffles = {item.shuffle for item in items if isinstance(item, Unknown)}
        pool = known.union(*(self.rest(number) for number in shuffles))
        if len(pool) != len(items):
            next(item for item in items if isinstance(item, Unknown)).ask()
        return frozenset(pool)

    def rest(self, number: int) -> frozenset[int]:
        """Return the cards of a shuffle that have no position yet."""
        return self.pools[number] - set(self.script.of_shuffle(number).values())

    def stand_ins(self, number: int) -> Any:
        """Return an iterator over the items for the unresolved positions of a shuffle, from the bottom up."""
        rest, told = self.rest(number), self.script.of_shuffle(number)
        if self.filled or len(rest) <= 1:
            return iter(sorted(rest))
        return (Unknown(number, place, rest) for place in range(len(self.pools[number])) if place not in told)


def begun(program: Program, teller: Teller, listen: bool = False) -> State:
    """Return the state at the first decision, with chance from `teller`. Raise `Untold` if an outcome is missing."""
    state = program.blank(teller, listen)
    state.known = Known(state.known)
    program.begin(state, FIRST)
    return state


def retold(state: State, script: Script, filled: bool = False) -> None:
    """Replace placeholders in the piles of a state by the cards of a longer script. `filled`: as in `Teller`."""
    assert isinstance(state.rng, Teller)
    state.rng = teller = evolve(state.rng, script=script, filled=filled)
    state.known = Known(state.known)
    for pile in state.z:
        for number in {item.shuffle for item in unknowns(pile)}:
            told, rest = script.of_shuffle(number), teller.rest(number)
            spare = iter(sorted(rest)) if filled or len(rest) == 1 else None
            for index, item in enumerate(pile):
                if isinstance(item, Unknown) and item.shuffle == number:
                    pile[index] = the_card(item, told, rest, spare)


def the_card(item: Unknown, told: dict[int, int], rest: frozenset[int], spare: Any) -> Any:
    if item.place in told:
        return told[item.place]
    return Unknown(item.shuffle, item.place, rest) if spare is None else next(spare)


def unknowns(items: Iterable[object]) -> list[Unknown]:
    return [item for item in items if isinstance(item, Unknown)]


def settle(state: State, sees: list[int]) -> None:
    """Raise `Untold` for an unresolved card that a player can see, or that is stored outside the piles."""
    for pile, items in enumerate(state.z):
        for item in unknowns(items) if sees[pile] else ():
            item.ask()
    for values in (state.picks, *state.frames):
        for value in values:
            for item in unknowns(value if isinstance(value, list | tuple) else (value,)):
                item.ask()
