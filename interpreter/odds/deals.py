"""All ways to deal cards, up to what cannot be told apart, each with how many deals it stands for.

Cards are dealt to one or more places at once; `Sizes` says how many to each. Of a class only the numbers of its cards
that go to each place matter. Of a block of members that can change places (see `interpreter.odds.classes`) only
matters what each member's cards are, not which member has them: a deal is a choice of *rows*, with repetition, one
for each member. So neither equal deals nor those that come from each other by such changes are made twice."""

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
"""How many deals it stands for, and the cards by place."""


def all_deals(division: Division, places: int) -> Source:
    """The deals of cards to so many places."""
    sources: list[Source] = [Rows(block, places) for block in division.blocks]
    if division.loose or not sources:
        sources.append(Loose(division.loose, places))
    return reduce(Both, sources)


class Source:
    """Something that deals can be made from."""

    def count(self, sizes: Sizes) -> int:
        """How many deals of these sizes `deals` will make."""
        raise NotImplementedError

    def deals(self, sizes: Sizes) -> Iterator[Deal]:
        """All deals of these sizes."""
        raise NotImplementedError


class Loose(Source):
    """Cards in classes, each of which is itself."""

    def __init__(self, classes: Sequence[Cards], places: int) -> None:
        self.classes = classes
        self.nothing: tuple[Cards, ...] = ((),) * places
        self.counts: dict[Sizes, int] = {}

    def count(self, sizes: Sizes) -> int:
        """The classes are added one after another: from each size so far to those with some more of this one."""
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
    """A block."""

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
        """All choices of rows of one size for so many members, from member `first` on."""
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
        """In the same order for each member."""
        if (member, size) not in self.rows:
            self.rows[member, size] = list(self.members[member].deals(size))
        return self.rows[member, size]


class Both(Source):
    """Cards from two sources."""

    def __init__(self, one: Source, two: Source) -> None:
        self.one, self.two = one, two

    def count(self, sizes: Sizes) -> int:
        return sum(self.one.count(size) * self.two.count(minus(sizes, size)) for size in below(sizes))

    def deals(self, sizes: Sizes) -> Iterator[Deal]:
        """The shorter list is kept while the longer one is made."""
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
    """How many of so many equal cards can go to each place, at least one in all, and in how many ways."""
    found = []
    for counts in below(sizes):
        left = copies - sum(counts)
        if left >= 0 and any(counts):
            found.append((counts, factorial(copies) // factorial(left) // prod(map(factorial, counts))))
    return found


def apart(cards: Cards, counts: Sizes) -> tuple[Cards, ...]:
    """The first of some equal cards, so many for each place."""
    found, start = [], 0
    for count in counts:
        found.append(cards[start : start + count])
        start += count
    return tuple(found)


def partitions(sizes: Sizes, most: int) -> list[list[tuple[Sizes, int]]]:
    """All ways to write sizes as a sum of at most so many others that are not nothing: with how often each occurs."""
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
