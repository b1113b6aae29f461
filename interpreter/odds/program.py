"""A program made for counting: it works out as little as it can about each hand, by the rules that are played by.

Where only the rank of a reading matters, the reader is asked for no more. Definitions that take long and see less of
the cards than the whole (how many fifteens there are does not depend on suits) are worked out once for cards that
they cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from cardlang import game as g
from cardlang.game.walking import reachable_defines
from interpreter.lowering.single import INLINE
from interpreter.odds.classes import Classes
from interpreter.odds.sight import Sight, sight_of
from interpreter.program import Program
from interpreter.ranking.reader import Reading
from interpreter.state import State


class CountingProgram(Program):
    """`apart`: definitions that stay functions of their own. `judged`: whether more than the rank of a reading
    matters."""

    def __init__(self, game: g.Game, players: int, apart: Collection[str], judged: bool) -> None:
        self.apart, self.judged = apart, judged
        self.titled: dict[tuple[str, int], Reading] = {}
        super().__init__(game, players, False)

    def names(self) -> None:
        super().names()
        self.lowering.code.sizes.update(dict.fromkeys(self.apart, INLINE + 1))  # so that they are not put in
        if not self.judged:
            self.namespace["read"] = self.read_rank

    def read_rank(self, name: str, s: State, cards: Sequence[int]) -> Reading | None:
        """In place of `Readings.read`: a reading with nothing but its rank."""
        reader = self.readings.readers.get(name) or self.readings.reader(name)
        if reader.ranking.size == "groups":
            return self.readings.read(name, s, cards)
        number = reader.rank(cards, self.readings.wild(name, s, cards))
        if number is None:
            return None
        if (name, number) not in self.titled:
            self.titled[name, number] = Reading(number, reader.titles[number], (), (), 0, (), (), (-number,))
        return self.titled[name, number]

    def remember(self, name: str, sight: Sight, piles: Sequence[int], state: State) -> None:
        """From now on a definition is worked out once for cards that it cannot tell apart, in this position but for
        the cards of these piles."""
        classes = Classes(self, sight, state)
        places: dict[object, int] = {}
        for card in range(self.game.cards):
            places.setdefault(classes.key(card), len(places))
        width = self.game.cards.bit_length()
        units = [1 << width * places[classes.key(card)] for card in range(self.game.cards)]
        function = self.lowering.code.named("d", name)
        if function not in self.namespace:
            return
        if self.game.defines[name].subject == "cards":
            self.namespace[function] = remembered_by_cards(self.namespace[function], units)
        else:
            seats = self.players.bit_length()
            shifts = [seats + width * len(places) * number for number in range(len(piles))]
            shifted = [[unit << shift for unit in units] for shift in shifts]
            self.namespace[function] = remembered(self.namespace[function], list(zip(piles, shifted, strict=True)))


def remembered(function: Callable[..., int], piles: Sequence[tuple[int, Sequence[int]]]) -> Callable[..., int]:
    """A definition of the table or of a player that looks at these piles. With each comes by card a one in the count
    of its class there: the sum tells how many cards there are of each, and in the lowest bits whose it is."""
    known: dict[int, int] = {}
    units = [(pile, ones.__getitem__) for pile, ones in piles]

    def lookup(s: State, *of: int) -> int:
        key = of[0] + 1 if of else 0
        for pile, unit in units:
            key += sum(map(unit, s.z[pile]))
        try:
            return known[key]
        except KeyError:
            known[key] = function(s, *of)
            return known[key]

    return lookup


def remembered_by_cards(function: Callable[..., int], units: Sequence[int]) -> Callable[..., int]:
    """A definition of some cards that looks at no others. If a card is there twice it is worked out anew."""
    known: dict[int, int] = {}
    unit = units.__getitem__

    def lookup(s: State, cards: Sequence[int]) -> int:
        key = sum(map(unit, cards))
        try:
            return known[key]
        except KeyError:
            value = function(s, cards)
            if len(set(cards)) == len(cards):
                known[key] = value
            return value

    return lookup


def worth_remembering(game: g.Game, expr: g.Expr, whole: Sight, dealt: Collection[str]) -> dict[str, Sight]:
    """The definitions that an expression needs, take long and see less than it does, with what they see."""
    found = {}
    for name in reachable_defines(game, expr):
        define = game.defines[name]
        if define.type.tag not in ("number", "flag", "member") or define.subject not in (None, "player", "cards"):
            continue
        sight = sight_of(game, define.value)
        if define.subject == "cards" and (sight.zones & set(dealt) or sight.all):
            continue
        if sight.heavy and sight.columns < whole.columns:
            found[name] = sight
    return found
