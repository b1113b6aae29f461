"""Which ranks some cards might make, told from counts.

All counts of a hand stand side by side in one large integer: a *field* of a few bits for each number of cards that
a pattern may ask for (of one value, of one suit, …). Each card has such an integer with ones in its fields, and
their sum is the hand's. "At least 3 in some field" is then an addition and a mask: with `high - 3` added to each
field, its highest bit is set where the count is 3 or more. These tests are written out as one function.
What passes may still fail; what is refused would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from interpreter.ranking.compile import Deck, GroupTable, PatternTable

Plausible = Callable[[int, int, int], Iterator[int]]
"""The ranks to try, best first. From the counts of a hand with each wild card counted wherever it may stand, those
with each card counted as itself, and how many may be wild."""


@frozen
class AtLeast:
    """At least `number` fields hold as many cards as `bias` says, and `run` of them lie in a row."""

    bias: int
    high: int
    number: int
    run: int

    def filled(self, counts: str) -> str:
        """A bit for each field that holds as many."""
        return f"({counts} + {self.bias} & {self.high})"

    def source(self, counts: str, width: int) -> str:
        full = self.filled(counts)
        many = f"{full}.bit_count() >= {self.number}" if self.number > 1 else full
        return many if self.run == 1 else f"{many} and row({full}, {self.run}, {width})"


def row(full: int, length: int, width: int) -> int:
    """Not 0 if so many bits are set, each `width` from the next."""
    found = full
    for _ in range(length - 1):
        full >>= width
        found &= full
    return found


@frozen(eq=False)
class Region:
    """Fields next to each other. `all`: their numbers; `by_face`: for each face those that it counts in."""

    all: tuple[int, ...]
    by_face: tuple[tuple[int, ...], ...]


class Screen:
    """The tests for hands of at most `limit` cards. `card`: for each card its ones."""

    def __init__(self, deck: Deck, ranks: Sequence[Sequence[PatternTable]], limit: int) -> None:
        self.width = limit.bit_length() + 1
        self.limit = limit
        self.end = 0
        self.regions: dict[tuple[object, ...], Region] = {}
        lines = ["def plausible(counts, natural, wilds):", "    if False: yield"]
        for number, patterns in enumerate(ranks):
            tests = " or ".join(f"({self.test_of(pattern)})" for pattern in patterns)
            lines.append(f"    if {tests or False}: yield {number}")
        self.source = "\n".join(lines)
        names: dict[str, Plausible] = {}
        exec(self.source, {"row": row}, names)
        self.plausible = names["plausible"]
        self.card = [self.pack((face,)) for face in deck.face]

    def pack(self, faces: Iterable[int]) -> int:
        """A one in every field that a card counts in if it can show any of these faces."""
        bits = 0
        for face in faces:
            for region in self.regions.values():
                for number in region.by_face[face]:
                    bits |= 1 << number * self.width
        return bits

    # ------------------------------------------------------------ tests
    def test_of(self, pattern: PatternTable) -> str:
        """A wild card is in one place only: but for so many, groups and the places of runs are filled without."""
        tests = {self.at_least(*need).source("counts", self.width): None for need in self.needs(pattern)}
        groups = pattern.groups
        for group in groups:
            if group.step is not None:
                filled = self.at_least(group, 1, 1, group.count).filled("natural")
                tests[f"(not wilds or wilds + {filled}.bit_count() >= {group.count})"] = None
        if len(groups) > 1:
            alone = (self.at_least(group, group.count, 1, 1).source("natural", self.width) for group in groups)
            there = " + ".join(f"(({test}) > 0)" for test in alone)
            tests[f"(not wilds or wilds + {there} >= {len(groups)})"] = None
        return " and ".join(tests)

    def needs(self, pattern: PatternTable) -> Iterator[tuple[GroupTable, int, int, int]]:
        """What the groups need, what is rare first: a group, a count, how many keys must have it, and in what run."""
        for index, group in sorted(enumerate(pattern.groups), key=lambda item: -item[1].count):
            rivals = sum(
                other.keys == group.keys and other.count >= group.count
                for number, other in enumerate(pattern.groups)
                if number == index or are_apart(pattern, *sorted((number, index)))
            )
            yield group, group.count, rivals, 1
            if group.step is not None and group.count > 1:
                yield group, 1, group.count, group.count

    def at_least(self, group: GroupTable, count: int, number: int, run: int) -> AtLeast:
        region = self.region(group, run > 1)
        unit = 1 << (self.width - 1)
        count = min(count, self.limit + 1)  # more than there can be, and still within the field
        bias = sum((unit - count) << n * self.width for n in region.all)
        high = sum(unit << n * self.width for n in region.all)
        return AtLeast(bias, high, number, run)

    # ------------------------------------------------------------ fields
    def region(self, group: GroupTable, runs: bool) -> Region:
        name = (group.keys, group.places if runs else ())
        if name not in self.regions:
            self.regions[name] = self.run_region(group) if runs else self.count_region(group)
        return self.regions[name]

    def count_region(self, group: GroupTable) -> Region:
        """A field for each key."""
        start, self.end = self.end, self.end + len(group.values)
        by_face = tuple((start + key,) if key >= 0 else () for key in group.keys)
        return Region(tuple(range(start, self.end)), by_face)

    def run_region(self, group: GroupTable) -> Region:
        """For each key a field for each place, and then one that stays empty, where every row ends."""
        size = len(group.span) + 1
        start, self.end = self.end, self.end + len(group.values) * size
        first = group.span.start
        by_face = tuple(
            tuple(start + key * size + place - first for place, _ in places) if key >= 0 else ()
            for key, places in zip(group.keys, group.places, strict=True)
        )
        return Region(tuple(range(start, self.end)), by_face)


def are_apart(pattern: PatternTable, first: int, second: int) -> bool:
    """Whether two groups never have the same key."""
    return any(tie.first == first and not tie.equal for tie in pattern.ties[second])
