"""Enumerate deals up to equivalence, with the multiplicity of each.

Cards go to one or more places; `Sizes` lists the number of cards at each place. For a class, only the number of its
cards at each place matters. For a block of interchangeable values (see `interpreter.odds.classes`), a deal is a
multiset of *rows*, one for each value. A row is the set of cards of one value. So neither equal deals nor deals that
differ by a swap of values are generated twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from operator import add

from interpreter.odds.classes import Block, Cards, Division

Sizes = tuple[int, ...]
Deal = tuple[int, tuple[Cards, ...]]
"""Multiplicity of a deal, and its cards by place."""


def all_deals(division: Division, places: int) -> Source:
    """Return the source of deals to a number of places."""
    sources: list[Source] = [Rows(block, places) for block in division.blocks]
    if division.loose or not sources:
        sources.append(Loose(division.loose, places))
    return reduce(Both, sources)


class Source:
    """Generator of deals from a part of the deck."""

    def count(self, sizes: Sizes) -> int:
        """Return the number of deals of these sizes that `deals` yields."""
        raise NotImplementedError

    def deals(self, sizes: Sizes) -> Iterator[Deal]:
        """Yield all deals of these sizes."""
        raise NotImplementedError


class Loose(Source):
    """Classes of cards outside all blocks."""

    def __init__(self, classes: Sequence[Cards], places: int) -> None:
        self.classes = classes
        self.nothing: tuple[Cards, ...] = ((),) * places
        self.counts: dict[Sizes, int] = {}

    def count(self, sizes: Sizes) -> int:
        """Return the number of deals by dynamic programming: add one class after another to a table of sizes."""
        if sizes not in self.counts:
            reached = Counter({(0,) * len(sizes): 1})
            for cards in self.classes:
                before = reached.copy()
                for size, number in before.items():
                    for more, _ in takes(len(cards), minus(sizes, size)):
                        reached[plus(size, more)] += number
            self.counts[sizes] = reached[sizes]
        return self.counts[sizes]

    def deals(self, sizes: Sizes) -> Iterator[Deal]:
        return self.from_class(0, sizes)

    def from_class(self, first: int, sizes: Sizes) -> Iterator[Deal]:
        if not any(sizes):
            yield 1, self.nothing
            return
        for number in range(first, len(self.classes)):
            cards = self.classes[number]
            for counts, ways in takes(len(cards), sizes):
                own = apart(cards, counts)
                for more, others in self.from_class(number + 1, minus(sizes, counts)):
                    yield ways * more, joined(own, others)


class Rows(Source):
    """Deals from a block of interchangeable values."""

    def __init__(self, block: Block, places: int) -> None:
        self.members = [Loose(row, places) for row in block.rows]
        self.nothing: tuple[Cards, ...] = ((),) * places
        self.rows: dict[tuple[int, Sizes], list[Deal]] = {}
        self.choices: dict[tuple[int, Sizes, int], list[Deal]] = {}

    def count(self, sizes: Sizes) -> int:
        every = self.members[0]
        return sum(
            prod(comb(every.count(size) + number - 1, number) for size, number in shares)
            for shares in partitions(sizes, len(self.members))
        )

    def deals(self, sizes: Sizes) -> Iterator[Deal]:
        if not any(sizes):
            yield 1, self.nothing
            return
        for shares in partitions(sizes, len(self.members)):
            members, choices = 0, []
            for size, number in shares:
                choices.append(self.chosen(members, size, number))
                members += number
            named = factorial(len(self.members)) // factorial(len(self.members) - members)
            named //= prod(factorial(number) for _, number in shares)
            for (ways, dealt), *parts in product(*choices):
                ways *= named
                for more, cards in parts:
                    ways *= more
                    dealt = joined(dealt, cards)
                yield ways, dealt

    def chosen(self, first: int, size: Sizes, number: int) -> list[Deal]:
        """Return all choices of rows of one size for `number` values, starting at value `first`."""
        if (first, size, number) not in self.choices:
            rows = [self.rows_of(member, size) for member in range(first, first + number)]
            found = []
            for choice in combinations_with_replacement(range(len(rows[0])), number):
                dealt = self.nothing
                ways = factorial(number) // prod(map(factorial, Counter(choice).values()))
                for row, index in zip(rows, choice, strict=True):
                    more, cards = row[index]
                    ways *= more
                    dealt = joined(dealt, cards)
                found.append((ways, dealt))
            self.choices[first, size, number] = found
        return self.choices[first, size, number]

    def rows_of(self, member: int, size: Sizes) -> list[Deal]:
        """Return the rows of one value, in corresponding order for each value."""
        if (member, size) not in self.rows:
            self.rows[member, size] = list(self.members[member].deals(size))
        return self.rows[member, size]


class Both(Source):
    """Combined deals from two sources."""

    def __init__(self, one: Source, two: Source) -> None:
        self.one, self.two = one, two

    def count(self, sizes: Sizes) -> int:
        return sum(self.one.count(size) * self.two.count(minus(sizes, size)) for size in below(sizes))

    def deals(self, sizes: Sizes) -> Iterator[Deal]:
        """Yield all combinations. The shorter list stays in memory during the pass over the longer list."""
        for size in below(sizes):
            other = minus(sizes, size)
            counts = self.one.count(size), self.two.count(other)
            if all(counts):
                few, many = self.one.deals(size), self.two.deals(other)
                if counts[0] > counts[1]:
                    few, many = many, few
                kept = list(few)
                for ways, cards in many:
                    for more, others in kept:
                        yield ways * more, joined(cards, others)


# ---------------------------------------------------------------- sizes
def plus(one: Sizes, two: Sizes) -> Sizes:
    return tuple([a + b for a, b in zip(one, two, strict=True)])


def minus(one: Sizes, two: Sizes) -> Sizes:
    return tuple([a - b for a, b in zip(one, two, strict=True)])


def joined(one: tuple[Cards, ...], two: tuple[Cards, ...]) -> tuple[Cards, ...]:
    return tuple(map(add, one, two))


def below(sizes: Sizes) -> Iterator[Sizes]:
    return product(*(range(size + 1) for size in sizes))


@lru_cache(maxsize=100_000)
def takes(copies: int, sizes: Sizes) -> list[tuple[Sizes, int]]:
    """Return the ways to distribute at least one of `copies` equal cards to the places, each with its multiplicity."""
    found = []
    for counts in below(sizes):
        left = copies - sum(counts)
        if left >= 0 and any(counts):
            found.append((counts, factorial(copies) // factorial(left) // prod(map(factorial, counts))))
    return found


def apart(cards: Cards, counts: Sizes) -> tuple[Cards, ...]:
    """Split the first of some equal cards into groups of these sizes."""
    found, start = [], 0
    for count in counts:
        found.append(cards[start : start + count])
        start += count
    return tuple(found)


def partitions(sizes: Sizes, most: int) -> list[list[tuple[Sizes, int]]]:
    """Return all ways to write sizes as a sum of at most `most` nonzero sizes, each with its multiplicity."""
    parts = [size for size in below(sizes) if any(size)]

    def from_part(first: int, left: Sizes, room: int) -> Iterator[list[tuple[Sizes, int]]]:
        if not any(left):
            yield []
            return
        for index in range(first, len(parts)):
            number, rest = 1, minus(left, parts[index])
            while number <= room and min(rest) >= 0:
                for more in from_part(index + 1, rest, room - number):
                    yield [(parts[index], number), *more]
                number, rest = number + 1, minus(rest, parts[index])

    return list(from_part(0, sizes, most))
