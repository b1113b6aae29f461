"""Specialized program for counting: compute only the values that the count needs.

If only the rank of a reading matters, the reader computes no more than that. Slow definitions that read less of the
cards than the whole expression are memoized by equivalence class. For example, the number of fifteens does not depend
on suits.
"""

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
    """Program for one count.

    apart: the definitions that are never inlined, so that they can be memoized.
    judged: whether more than the rank of a reading matters.
    """

    def __init__(self, game: g.Game, players: int, apart: Collection[str], judged: bool) -> None:
        self.apart, self.judged = apart, judged
        self.titled: dict[tuple[str, int], Reading] = {}
        super().__init__(game, players, False)

    def names(self) -> None:
        super().names()
        self.lowering.code.sizes.update(dict.fromkeys(self.apart, INLINE + 1))  # to prevent inlining
        if not self.judged:
            self.namespace["read"] = self.read_rank

    def read_rank(self, name: str, s: State, cards: Sequence[int]) -> Reading | None:
        """Return a reading that contains only its rank. It replaces `Readings.read`."""
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
        """Memoize a definition by the equivalence classes of the cards in these piles.

        The rest of the position is fixed.
        """
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
    """Memoize a definition of the table or of a player that reads these piles.

    The key is a sum. Each pile maps a card to a one in the counter of its class, so the sum counts the cards of each
    class. The lowest bits contain the player.
    """
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
    """Memoize a definition of cards that reads no other cards. Results for lists with duplicates are not stored."""
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
    """Return the slow definitions of an expression that read fewer columns than the whole, with the reads of each."""
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
