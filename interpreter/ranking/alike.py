"""Which cards a ranking cannot tell apart, and a memory of what makes a rank that knows them by that."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from interpreter.ranking.hand import MOST_WAYS
from interpreter.ranking.reader import Reader

KNOWN = 8192
"""So many answers are kept for a ranking."""
LONGEST = 20
"""Cards in another order are known again up to this number at most."""


def classes(reader: Reader) -> list[int]:
    """By card the number of its class. Cards of one class are of one set, join the same groups under the same keys, and
    have the same values wherever a trait is asked for."""
    deck = reader.deck
    attributes = sorted({trait.attribute for trait in reader.ranking.traits})
    columns = [deck.columns[name] for name in attributes]
    keys = [group.keys for rank in reader.ranks for pattern in rank for group in pattern.groups]
    numbers: dict[tuple[object, ...], int] = {}
    by_face = [numbers.setdefault(seen, len(numbers)) for seen in zip(deck.sets, *columns, *keys, strict=True)]
    return [by_face[face] for face in deck.face]


def any_order(reader: Reader) -> int:
    """Up to so many cards make a rank or none in whatever order they are read: the search cannot run out of effort,
    even if it puts each card into every group, high and low, or into none."""
    return most_read([len(pattern.groups) for rank in reader.ranks for pattern in rank])


def most_read(groups: Sequence[int]) -> int:
    """The same for patterns of so many groups each."""
    bounds = (sum(many * (2 * many + 1) ** size for many in groups) for size in range(1, LONGEST + 1))
    return sum(1 for _ in takewhile(lambda most: most <= MOST_WAYS, bounds))


class Matched:
    """Remembers whether cards make a rank, for a ranking without wild cards. What cannot be read stays so: only what
    would be found in this order too is taken from other cards."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.class_of = classes(reader)
        self.any_order = any_order(reader)
        self.least = min((pattern.least for rank in reader.ranks for pattern in rank), default=1)
        digit = self.any_order.bit_length()  # a sum has a digit for each class: so many of its cards are there
        self.weight = [1 << number * digit for number in self.class_of].__getitem__
        self.known: dict[int | tuple[int, ...], bool] = {}

    def matches(self, cards: Sequence[int]) -> bool:
        """See `Reader.matches`."""
        size = len(cards)
        if size < self.least:
            return False
        if len({*cards}) < size:  # a card that is named twice is not two cards of its class
            return self.reader.matches(cards)
        in_order = size > self.any_order
        key = tuple([self.class_of[card] for card in cards]) if in_order else sum(map(self.weight, cards))
        found = self.known.get(key)
        return self.find(key, cards) if found is None else found

    def find(self, key: int | tuple[int, ...], cards: Sequence[int]) -> bool:
        found = self.reader.matches(cards)
        if len(self.known) >= KNOWN:
            self.known.clear()
        self.known[key] = found
        return found
