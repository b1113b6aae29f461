"""Enumeration of all deals up to symmetry, with multiplicities.

Cards go to one or more places; `DealSizes` lists the number of cards at each place. For a class, only the number of its
cards at each place matters. For a block of interchangeable values (see `interpreter.gametree.card_symmetry`), a deal is
a multiset of *rows*, one for each value. A row is the set of cards of one value. So neither equal deals nor deals that
differ by a swap of values are generated twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from operator import add

from interpreter.gametree.card_symmetry import CardDivision, Cards, InterchangeableBlock

DealSizes = tuple[int, ...]
WeightedDeal = tuple[int, tuple[Cards, ...]]
"""Multiplicity of a deal, and its cards by place."""


def build_deal_source(division: CardDivision, places: int) -> DealSource:
    """Return the source of deals to a number of places."""
    sources: list[DealSource] = [BlockDeals(block, places) for block in division.blocks]
    if division.single_classes or not sources:
        sources.append(ClassDeals(division.single_classes, places))
    return reduce(CombinedDeals, sources)


class DealSource:
    """Generator of deals from a part of the deck."""

    def count_deals(self, sizes: DealSizes) -> int:
        """Return the number of deals of these sizes that `iter_deals` yields."""
        raise NotImplementedError

    def iter_deals(self, sizes: DealSizes) -> Iterator[WeightedDeal]:
        """Yield all deals of these sizes."""
        raise NotImplementedError


class ClassDeals(DealSource):
    """Classes of cards outside all blocks."""

    def __init__(self, classes: Sequence[Cards], places: int) -> None:
        self.classes = classes
        self.nothing: tuple[Cards, ...] = ((),) * places
        self.counts: dict[DealSizes, int] = {}

    def count_deals(self, sizes: DealSizes) -> int:
        """Return the number of deals by dynamic programming: add one class after another to a table of sizes."""
        if sizes not in self.counts:
            reached = Counter({(0,) * len(sizes): 1})
            for cards in self.classes:
                before = reached.copy()
                for size, number in before.items():
                    for more, _ in distribute_copies(len(cards), subtract_sizes(sizes, size)):
                        reached[add_sizes(size, more)] += number
            self.counts[sizes] = reached[sizes]
        return self.counts[sizes]

    def iter_deals(self, sizes: DealSizes) -> Iterator[WeightedDeal]:
        return self.iter_from_class(0, sizes)

    def iter_from_class(self, first: int, sizes: DealSizes) -> Iterator[WeightedDeal]:
        if not any(sizes):
            yield 1, self.nothing
            return
        for number in range(first, len(self.classes)):
            cards = self.classes[number]
            for counts, multiplicity in distribute_copies(len(cards), sizes):
                class_cards = split_cards(cards, counts)
                for more, others in self.iter_from_class(number + 1, subtract_sizes(sizes, counts)):
                    yield multiplicity * more, join_deals(class_cards, others)


class BlockDeals(DealSource):
    """Deals from a block of interchangeable values."""

    def __init__(self, block: InterchangeableBlock, places: int) -> None:
        self.members = [ClassDeals(row, places) for row in block.rows]
        self.nothing: tuple[Cards, ...] = ((),) * places
        self.rows: dict[tuple[int, DealSizes], list[WeightedDeal]] = {}
        self.choices: dict[tuple[int, DealSizes, int], list[WeightedDeal]] = {}

    def count_deals(self, sizes: DealSizes) -> int:
        every = self.members[0]
        return sum(
            prod(comb(every.count_deals(size) + number - 1, number) for size, number in shares)
            for shares in partition_sizes(sizes, len(self.members))
        )

    def iter_deals(self, sizes: DealSizes) -> Iterator[WeightedDeal]:
        if not any(sizes):
            yield 1, self.nothing
            return
        for shares in partition_sizes(sizes, len(self.members)):
            members, choices = 0, []
            for size, number in shares:
                choices.append(self.choose_rows(members, size, number))
                members += number
            named = factorial(len(self.members)) // factorial(len(self.members) - members)
            named //= prod(factorial(number) for _, number in shares)
            for (multiplicity, dealt), *parts in product(*choices):
                multiplicity *= named
                for more, cards in parts:
                    multiplicity *= more
                    dealt = join_deals(dealt, cards)
                yield multiplicity, dealt

    def choose_rows(self, first: int, size: DealSizes, number: int) -> list[WeightedDeal]:
        """Return all choices of rows of one size for `number` values, starting at value `first`."""
        if (first, size, number) not in self.choices:
            rows = [self.get_value_rows(member, size) for member in range(first, first + number)]
            deals = []
            for choice in combinations_with_replacement(range(len(rows[0])), number):
                dealt = self.nothing
                multiplicity = factorial(number) // prod(map(factorial, Counter(choice).values()))
                for row, index in zip(rows, choice, strict=True):
                    more, cards = row[index]
                    multiplicity *= more
                    dealt = join_deals(dealt, cards)
                deals.append((multiplicity, dealt))
            self.choices[first, size, number] = deals
        return self.choices[first, size, number]

    def get_value_rows(self, member: int, size: DealSizes) -> list[WeightedDeal]:
        """Return the rows of one value, in corresponding order for each value."""
        if (member, size) not in self.rows:
            self.rows[member, size] = list(self.members[member].iter_deals(size))
        return self.rows[member, size]


class CombinedDeals(DealSource):
    """Combined deals from two sources."""

    def __init__(self, one: DealSource, two: DealSource) -> None:
        self.one, self.two = one, two

    def count_deals(self, sizes: DealSizes) -> int:
        return sum(
            self.one.count_deals(size) * self.two.count_deals(subtract_sizes(sizes, size))
            for size in iter_smaller_sizes(sizes)
        )

    def iter_deals(self, sizes: DealSizes) -> Iterator[WeightedDeal]:
        """Yield all combinations. The shorter list stays in memory during the pass over the longer list."""
        for size in iter_smaller_sizes(sizes):
            other = subtract_sizes(sizes, size)
            counts = self.one.count_deals(size), self.two.count_deals(other)
            if all(counts):
                few, many = self.one.iter_deals(size), self.two.iter_deals(other)
                if counts[0] > counts[1]:
                    few, many = many, few
                few_deals = list(few)
                for multiplicity, cards in many:
                    for more, others in few_deals:
                        yield multiplicity * more, join_deals(cards, others)


# ---------------------------------------------------------------- sizes
def add_sizes(first: DealSizes, second: DealSizes) -> DealSizes:
    return tuple([a + b for a, b in zip(first, second, strict=True)])


def subtract_sizes(first: DealSizes, second: DealSizes) -> DealSizes:
    return tuple([a - b for a, b in zip(first, second, strict=True)])


def join_deals(first: tuple[Cards, ...], second: tuple[Cards, ...]) -> tuple[Cards, ...]:
    return tuple(map(add, first, second))


def iter_smaller_sizes(sizes: DealSizes) -> Iterator[DealSizes]:
    return product(*(range(size + 1) for size in sizes))


@lru_cache(maxsize=100_000)
def distribute_copies(copies: int, sizes: DealSizes) -> list[tuple[DealSizes, int]]:
    """Return the ways to distribute at least one of `copies` equal cards to the places, each with its multiplicity."""
    distributions = []
    for counts in iter_smaller_sizes(sizes):
        left = copies - sum(counts)
        if left >= 0 and any(counts):
            distributions.append((counts, factorial(copies) // factorial(left) // prod(map(factorial, counts))))
    return distributions


def split_cards(cards: Cards, counts: DealSizes) -> tuple[Cards, ...]:
    """Split the first of some equal cards into groups of these sizes."""
    groups, start = [], 0
    for count in counts:
        groups.append(cards[start : start + count])
        start += count
    return tuple(groups)


def partition_sizes(sizes: DealSizes, max_parts: int) -> list[list[tuple[DealSizes, int]]]:
    """Return all ways to write sizes as a sum of at most `max_parts` nonzero sizes, each with its multiplicity."""
    parts = [size for size in iter_smaller_sizes(sizes) if any(size)]

    def from_part(first: int, left: DealSizes, room: int) -> Iterator[list[tuple[DealSizes, int]]]:
        if not any(left):
            yield []
            return
        for index in range(first, len(parts)):
            number, rest = 1, subtract_sizes(left, parts[index])
            while number <= room and min(rest) >= 0:
                for more in from_part(index + 1, rest, room - number):
                    yield [(parts[index], number), *more]
                number, rest = number + 1, subtract_sizes(rest, parts[index])

    return list(from_part(0, sizes, max_parts))
