"""Enumeration of a small game, and what an onlooker can conclude from it.

Every deal and every choice is played. Two playouts are the same for a player who has seen the same in both: the cards
in visible zones, the number of cards moved and their zones, cards revealed to them, their own choices, and the
numbers and players chosen by others. A card is certain for a player if it is the same in all playouts that look the
same to them. The program's own knowledge is used only for comparison."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from cardlang import model as g
from cardlang.model import Game
from cardlang.model.types import is_card_type
from interpreter.program.program import Program
from interpreter.runtime.state import State, get_choice_type


class More(Exception):
    """Chance or a player must decide between so many."""


class Told:
    """The random state of a course of play whose outcomes are given."""

    def __init__(self, course: tuple[int, ...]) -> None:
        self.course, self.at = course, 0

    def next(self, count: int) -> int:
        if count == 1:
            return 0
        if self.at == len(self.course):
            raise More(count)
        self.at += 1
        return self.course[self.at - 1]

    def below(self, state: State, count: int) -> int:
        return self.next(count)

    def shuffle(self, state: State, items: list[int]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.next(last + 1)
            items[last], items[other] = items[other], items[last]


@frozen
class Stand:
    """Where a course of play stands at a decision or at its end, for one player. `piles`: the cards; `shown`: those
    that the program shows to the player; `seen`: those that they have ever seen; `named`: what the program's events
    name to them."""

    piles: tuple[tuple[int, ...], ...]
    shown: frozenset[int]
    seen: frozenset[int]
    named: tuple[tuple[int, ...], ...]


class Worlds:
    """Of a game for so many players. `stands`: by player and what they have seen, where play may stand."""

    def __init__(self, game: Game, players: int) -> None:
        self.program = Program(game, players, True)
        self.sees = self.program.layout.sees
        self.stands: dict[tuple[int, Any], list[Stand]] = defaultdict(list)
        todo: list[tuple[int, ...]] = [()]
        while todo:
            course = todo.pop()
            try:
                self.play(course)
            except More as more:
                todo += [(*course, outcome) for outcome in range(more.args[0])]

    def play(self, course: tuple[int, ...]) -> None:
        told = Told(course)
        state = self.program.start(told, listen=True)
        history: list[list[Any]] = [[] for _ in range(self.program.players)]
        seen: list[set[int]] = [set() for _ in history]
        named: list[list[tuple[int, ...]]] = [[] for _ in history]
        while True:
            for seat in range(self.program.players):
                history[seat].append(tuple(self.noticed(state, seat)))
                named[seat] += [self.names(event, seat) for event in state.events or () if event[0] == "moved"]
                seen[seat] |= self.looked_at(state, seat)
            state.events = []
            if told.at == len(course):  # what came before has been noted by shorter courses
                for seat in range(self.program.players):
                    self.note(state, seat, (tuple(history[seat]), seat), seen[seat], named[seat])
            if state.who < 0:
                return
            code = state.legal[told.next(len(state.legal))]
            for seat in range(self.program.players):
                history[seat].append(self.choice(state, code) if seat == state.who else self.heard(state, code, seat))
            self.program.apply(state, code)

    def note(self, state: State, seat: int, key: Any, seen: set[int], named: list[tuple[int, ...]]) -> None:
        shown = frozenset(card for card in range(len(state.loc)) if self.program.is_visible(state, card, seat))
        piles = tuple(map(tuple, state.z))
        self.stands[seat, key].append(Stand(piles, shown, frozenset(seen), tuple(named)))

    # ------------------------------------------------------------ what a player sees
    def noticed(self, state: State, seat: int) -> Iterator[Any]:
        for event in state.events or ():
            match event:
                case ("moved", _, verb, cards, sources, pile, _):
                    for card, source in zip(cards, sources, strict=True):
                        watched = (self.sees[source] | self.sees[pile]) >> seat & 1
                        yield verb, source, pile, card if watched else None
                case ("revealed", _, cards, _, _, who):
                    yield "revealed", cards if who >> seat & 1 else len(cards)
                case ("shuffled", _, pile):
                    yield "shuffled", pile
                case ("told", _, (_, values, knowing)) if knowing >> seat & 1:
                    yield "told", values
        yield tuple(tuple(pile) if self.sees[at] >> seat & 1 else len(pile) for at, pile in enumerate(state.z))

    def looked_at(self, state: State, seat: int) -> set[int]:
        found = {card for at, pile in enumerate(state.z) if self.sees[at] >> seat & 1 for card in pile}
        for event in state.events or ():
            if event[0] == "moved":
                both = zip(event[3], event[4], strict=True)
                found |= {card for card, source in both if (self.sees[source] | self.sees[event[5]]) >> seat & 1}
            if event[0] == "revealed" and event[5] >> seat & 1:
                found |= set(event[2])
        return found

    def names(self, event: tuple[Any, ...], seat: int) -> tuple[int, ...]:
        return tuple(card for card, bits in zip(event[3], event[6], strict=True) if bits >> seat & 1)

    def choice(self, state: State, code: int) -> Any:
        """Return a choice for its player: an unseen card by its place."""
        return tuple(self.thing(state, state.who, each) for each in self.values(state, code))

    def heard(self, state: State, code: int, seat: int) -> Any:
        """Return a choice for another player: a card only if they see it."""
        values = self.values(state, code)
        return tuple(
            (type, each if type != "card" or self.watches(state, each, seat) else None) for type, each in values
        )

    def watches(self, state: State, card: int, seat: int) -> bool:
        return state.loc[card] >= 0 and bool(self.sees[state.loc[card]] >> seat & 1)

    def values(self, state: State, code: int) -> list[tuple[str, int]]:
        if code == 0:
            return [("pass", 0)]
        site = self.program.get_site(state)
        option, values = self.program.decode_move(site, code)
        if option is None:
            return [("card" if is_card_type(get_choice_type(site)) else "number", values[0])]
        binders: tuple[tuple[g.Var, g.Domain], ...] = site.options[option].binders
        both = zip(binders, values, strict=True)
        return [("option", option), *((var.type.tag, value) for (var, _), value in both)]

    def thing(self, state: State, seat: int, value: tuple[str, int]) -> Any:
        if value[0] != "card" or self.program.is_visible(state, value[1], seat):
            return value
        pile = state.loc[value[1]]
        return "place", pile, state.z[pile].index(value[1])

    # ------------------------------------------------------------ what must be so
    def leaks(self) -> list[str]:
        """Return cards shown to players who can't be certain of them, and plays that differ only in what is shown."""
        found = []
        for (seat, _), stands in self.stands.items():
            for stand in stands:
                if any(self.at(other, card) != self.at(stand, card) for other in stands for card in stand.shown):
                    found.append(f"player {seat}: {stand}")
            if len({(tuple(sorted(stand.shown)), stand.named) for stand in stands}) > 1:
                found.append(f"player {seat} sees two things: {stands[:2]}")
        return found

    def forgotten(self) -> list[str]:
        """Return cards that a player has seen and must be certain of, but isn't shown."""
        found = []
        for (seat, _), stands in self.stands.items():
            certain = set(stands[0].seen)
            for stand in stands:
                certain = {card for card in certain if self.at(stand, card) == self.at(stands[0], card)}
            if certain - stands[0].shown:
                found.append(f"player {seat}: {sorted(certain - stands[0].shown)} of {stands[0]}")
        return found

    def at(self, stand: Stand, card: int) -> tuple[int, int]:
        return next((at, pile.index(card)) for at, pile in enumerate(stand.piles) if card in pile)
