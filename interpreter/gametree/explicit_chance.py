"""Explicit chance: scripted outcomes and lazily dealt cards.

A program uses chance in two ways: a random number below a limit, and the order of a shuffled pile. A `ChanceScript`
lists the outcomes so far. If an outcome is missing, the program stops with `UnresolvedChance`, which lists the possible
outcomes. The program then runs again from the previous decision, with a longer script.

Shuffles are lazy. They fill the pile with placeholders, which are resolved only when the program reads them. The order
of cards that are never read creates no chance nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from attrs import evolve, field, frozen

from interpreter.program.program import FIRST_BLOCK, Program
from interpreter.runtime.state import State


@frozen
class ChanceScript:
    """Outcomes of chance so far.

    draws: random numbers, in the order of their requests.
    cards: for each shuffle, pairs of a position in the pile and the card there.
    """

    draws: tuple[int, ...] = ()
    cards: tuple[tuple[tuple[int, int], ...], ...] = ()

    def add_draw(self, outcome: int) -> ChanceScript:
        return evolve(self, draws=(*self.draws, outcome))

    def add_card(self, shuffle: int, index: int, card: int) -> ChanceScript:
        cards = [*self.cards, *[()] * (shuffle + 1 - len(self.cards))]
        cards[shuffle] = (*cards[shuffle], (index, card))
        return evolve(self, cards=tuple(cards))

    def get_shuffle_cards(self, number: int) -> dict[int, int]:
        return dict(self.cards[number]) if number < len(self.cards) else {}


class UnresolvedChance(Exception):
    """Exception at a chance node. The `outcomes` are equally likely.

    lazy_card: the placeholder of the card to resolve; None for a random number.
    """

    def __init__(self, outcomes: tuple[int, ...], lazy_card: LazyCard | None = None) -> None:
        self.outcomes = outcomes
        self.lazy_card = lazy_card
        super().__init__(f"one of {len(outcomes)} outcomes")

    def extend_script(self, script: ChanceScript, outcome: int) -> ChanceScript:
        """Return the script with this outcome added."""
        if self.lazy_card is None:
            return script.add_draw(outcome)
        return script.add_card(self.lazy_card.shuffle, self.lazy_card.place, outcome)


class LazyCard:
    """Placeholder for an unresolved card of a shuffled pile.

    Any operation that depends on its identity raises `UnresolvedChance`.
    """

    __slots__ = ("place", "rest", "shuffle")

    def __init__(self, shuffle: int, index: int, rest: frozenset[int]) -> None:
        self.shuffle = shuffle
        self.place = index
        self.rest = rest

    def ask(self, *_: object) -> NoReturn:
        raise UnresolvedChance(tuple(sorted(self.rest)), self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyCard):
            return self is other
        return other in self.rest and self.ask()

    __hash__ = __index__ = __int__ = __bool__ = __invert__ = __neg__ = ask
    __lt__ = __le__ = __gt__ = __ge__ = ask
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = ask
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __and__ = __rand__ = ask


class CardKnowledge(list[int]):
    """Sets of seats that know each card. No seat knows a placeholder."""

    def __getitem__(self, card: Any) -> Any:
        return 0 if isinstance(card, LazyCard) else super().__getitem__(card)

    def __setitem__(self, card: Any, seats: Any) -> None:
        if not isinstance(card, LazyCard):
            super().__setitem__(card, seats)
        elif seats:
            card.ask()


@frozen(eq=False)
class ScriptedChance:
    """Random state that takes its outcomes from a script.

    filled: never raise `UnresolvedChance`; use ascending order for outcomes that the script lacks.
    drawn: the number of draws used so far.
    pools: for each shuffle so far, the set of its cards.
    """

    script: ChanceScript
    filled: bool = False
    drawn: int = 0
    pools: tuple[frozenset[int], ...] = field(default=())

    def below(self, state: State, count: int) -> int:
        """Return the next draw, like `rng.below`. Raise `UnresolvedChance` if the script does not contain it."""
        if count == 1:
            return 0
        if self.drawn < len(self.script.draws):
            outcome = self.script.draws[self.drawn]
        elif self.filled:
            outcome = 0
        else:
            raise UnresolvedChance(tuple(range(count)))
        state.rng = evolve(self, drawn=self.drawn + 1)
        return outcome

    def shuffle(self, state: State, items: list[int]) -> None:
        """Shuffle lazily, in place of `interpreter.runtime.rng.shuffle`.

        An order of players is needed immediately. Raise `UnresolvedChance` if the script lacks it.
        """
        if items is state.order:
            rest = list(items)
            items[:] = [rest.pop(state.rng.below(state, len(rest))) for _ in items]  # type: ignore[union-attr]
            return
        pool = self.find_pool(items)
        state.rng = teller = evolve(self, pools=(*self.pools, pool))
        number = len(self.pools)
        known_cards = self.script.get_shuffle_cards(number)
        stand_ins = teller.build_placeholders(number)
        items[:] = [known_cards[index] if index in known_cards else next(stand_ins) for index in range(len(items))]

    def find_pool(self, items: list[Any]) -> frozenset[int]:
        """Return the set of cards in a pile, including unresolved ones.

        Raise `UnresolvedChance` if the pile has only a part of the unresolved cards of a shuffle.
        """
        known = {item for item in items if isinstance(item, int)}
        shuffles = {item.shuffle for item in items if isinstance(item, LazyCard)}
        pool = known.union(*(self.find_unplaced_cards(number) for number in shuffles))
        if len(pool) != len(items):
            next(item for item in items if isinstance(item, LazyCard)).ask()
        return frozenset(pool)

    def find_unplaced_cards(self, number: int) -> frozenset[int]:
        """Return the cards of a shuffle that have no position yet."""
        return self.pools[number] - set(self.script.get_shuffle_cards(number).values())

    def build_placeholders(self, number: int) -> Any:
        """Return an iterator over the items for the unresolved positions of a shuffle, from the bottom up."""
        rest, known_cards = self.find_unplaced_cards(number), self.script.get_shuffle_cards(number)
        if self.filled or len(rest) <= 1:
            return iter(sorted(rest))
        return (LazyCard(number, index, rest) for index in range(len(self.pools[number])) if index not in known_cards)


def start_with_chance(program: Program, chance: ScriptedChance, listen: bool = False) -> State:
    """Return the state at the first decision, with outcomes from `chance`.

    Raise `UnresolvedChance` if an outcome is missing.
    """
    state = program.create_blank_state(chance, listen)
    state.known = CardKnowledge(state.known)
    program.begin_block(state, FIRST_BLOCK)
    return state


def resolve_cards(state: State, script: ChanceScript, filled: bool = False) -> None:
    """Replace placeholders in the piles of a state by the cards of a longer script.

    `filled`: as in `ScriptedChance`.
    """
    assert isinstance(state.rng, ScriptedChance)
    state.rng = teller = evolve(state.rng, script=script, filled=filled)
    state.known = CardKnowledge(state.known)
    for pile in state.z:
        for number in {item.shuffle for item in find_lazy_cards(pile)}:
            known_cards, rest = script.get_shuffle_cards(number), teller.find_unplaced_cards(number)
            spare = iter(sorted(rest)) if filled or len(rest) == 1 else None
            for index, item in enumerate(pile):
                if isinstance(item, LazyCard) and item.shuffle == number:
                    pile[index] = resolve_card(item, known_cards, rest, spare)


def resolve_card(item: LazyCard, known_cards: dict[int, int], rest: frozenset[int], spare: Any) -> Any:
    if item.place in known_cards:
        return known_cards[item.place]
    return LazyCard(item.shuffle, item.place, rest) if spare is None else next(spare)


def find_lazy_cards(items: Iterable[object]) -> list[LazyCard]:
    return [item for item in items if isinstance(item, LazyCard)]


def check_no_visible_lazy_card(state: State, sees: list[int]) -> None:
    """Raise `UnresolvedChance` for an unresolved card that a player can see, or that is stored outside the piles."""
    for pile, items in enumerate(state.z):
        for item in find_lazy_cards(items) if sees[pile] else ():
            item.ask()
    for values in (state.picks, *state.frames):
        for value in values:
            for item in find_lazy_cards(value if isinstance(value, list | tuple) else (value,)):
                item.ask()
