"""Classes of cards that a ranking cannot distinguish, and a cache of `matches` keyed by these classes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from interpreter.ranking.hand import MOST_WAYS
from interpreter.ranking.reader import Reader

KNOWN = 8192
"""Cache size of a ranking, in results."""
LONGEST = 20
"""Maximum hand size for a cache key without order."""


def classes(reader: Reader) -> list[int]:
    """Return by card the number of its class.

    Cards of one class belong to one set, join the same groups with the same keys, and have equal values for all traits.
    """
    deck = reader.deck
    attributes = sorted({trait.attribute for trait in reader.ranking.traits})
    columns = [deck.columns[name] for name in attributes]
    keys = [group.keys for rank in reader.ranks for pattern in rank for group in pattern.groups]
    numbers: dict[tuple[object, ...], int] = {}
    by_face = [numbers.setdefault(seen, len(numbers)) for seen in zip(deck.sets, *columns, *keys, strict=True)]
    return [by_face[face] for face in deck.face]


def any_order(reader: Reader) -> int:
    """Return the hand size up to which the order of cards cannot affect the result.

    Up to this size the search cannot exhaust its effort, even if it tries each card in every group (high and low) and
    in none.
    """
    return most_read([len(pattern.groups) for rank in reader.ranks for pattern in rank])


def most_read(groups: Sequence[int]) -> int:
    """Return the hand size of `any_order` for patterns with these numbers of groups."""
    bounds = (sum(many * (2 * many + 1) ** size for many in groups) for size in range(1, LONGEST + 1))
    return sum(1 for _ in takewhile(lambda most: most <= MOST_WAYS, bounds))


class Matched:
    """Cache of `Reader.matches` for a ranking without wild cards.

    If a search exhausts its effort, the result depends on the order of the cards. Above the size `any_order`, the key
    keeps the order for this reason.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.class_of = classes(reader)
        self.any_order = any_order(reader)
        self.least = min((pattern.least for rank in reader.ranks for pattern in rank), default=1)
        digit = self.any_order.bit_length()  # the key is a sum with one digit for each class, its number of cards
        self.weight = [1 << number * digit for number in self.class_of].__getitem__
        self.known: dict[int | tuple[int, ...], bool] = {}

    def matches(self, cards: Sequence[int]) -> bool:
        """Return the result of `Reader.matches`, from the cache if possible."""
        size = len(cards)
        if size < self.least:
            return False
        if len({*cards}) < size:  # a duplicate of a card does not count as a second card of its class
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
