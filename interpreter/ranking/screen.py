"""Fast filter for the ranks that some cards might make, by counts alone.

All counts of a hand share one large integer (SIMD within a register). It has a *field* of a few bits for each count
that a pattern may need, such as the cards of one value or suit. Each card has such an integer with ones in its fields.
The sum over the cards is the integer of the hand.

"At least 3 in some field" is then an addition and a mask. If `high - 3` is added to each field, its highest bit is set
for a count of 3 or more. All tests are generated as one Python function. The filter has false positives, but no false
negatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from interpreter.ranking.compile import Deck, GroupTable, PatternTable

Plausible = Callable[[int, int, int], Iterator[int]]
"""Generated test: yields the ranks to try, best first.

The arguments are two counts and the number of possible wild cards. The first counts each wild card in all fields it may
join, the second counts each card as itself.
"""


@frozen
class AtLeast:
    """Test for `number` fields that reach the count encoded in `bias`. Of these, `run` must be consecutive."""

    bias: int
    high: int
    number: int
    run: int

    def filled(self, counts: str) -> str:
        """Return code for an integer with a bit set for each field that reaches the count."""
        return f"({counts} + {self.bias} & {self.high})"

    def source(self, counts: str, width: int) -> str:
        full = self.filled(counts)
        many = f"{full}.bit_count() >= {self.number}" if self.number > 1 else full
        return many if self.run == 1 else f"{many} and row({full}, {self.run}, {width})"


def row(full: int, length: int, width: int) -> int:
    """Return an integer that is nonzero if `length` bits in a row are set, `width` apart."""
    found = full
    for _ in range(length - 1):
        full >>= width
        found &= full
    return found


@frozen(eq=False)
class Region:
    """Adjacent fields. `all`: their numbers. `by_face`: for each face, the fields it counts in."""

    all: tuple[int, ...]
    by_face: tuple[tuple[int, ...], ...]


class Screen:
    """Tests for hands of at most `limit` cards. `card`: for each card, the integer with its ones."""

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
        """Return an integer with a one in every field that a card counts in if it can show any of these faces."""
        bits = 0
        for face in faces:
            for region in self.regions.values():
                for number in region.by_face[face]:
                    bits |= 1 << number * self.width
        return bits

    # ------------------------------------------------------------ tests
    def test_of(self, pattern: PatternTable) -> str:
        """Return the code of the test for a pattern.

        A wild card can fill only one place. So without the wild cards, at most that number of groups or places may be
        empty.
        """
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
        """Yield the requirements of the groups, rarest first.

        Each has a group, a count, the number of keys that must reach it, and the length of the run.
        """
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
        count = min(count, self.limit + 1)  # one more than possible, but still within the field
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
        """Allocate a field for each key."""
        start, self.end = self.end, self.end + len(group.values)
        by_face = tuple((start + key,) if key >= 0 else () for key in group.keys)
        return Region(tuple(range(start, self.end)), by_face)

    def run_region(self, group: GroupTable) -> Region:
        """Allocate fields for each key: one for each place, then an empty one that ends every run."""
        size = len(group.span) + 1
        start, self.end = self.end, self.end + len(group.values) * size
        first = group.span.start
        by_face = tuple(
            tuple(start + key * size + place - first for place, _ in places) if key >= 0 else ()
            for key, places in zip(group.keys, group.places, strict=True)
        )
        return Region(tuple(range(start, self.end)), by_face)


def are_apart(pattern: PatternTable, first: int, second: int) -> bool:
    """Return whether two groups never have the same key."""
    return any(tie.first == first and not tie.equal for tie in pattern.ties[second])
