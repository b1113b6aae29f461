"""Tables of a ranking by face, and a filter on packed counts.

All counts of a hand share one large integer (SIMD within a register). It has a *field* of a few bits for each count
that a pattern may need, such as the cards of one value or suit. Each card has such an integer with ones in its fields.
The sum over the cards is the integer of the hand.

"At least 3 in some field" is then an addition and a mask. If `high - 3` is added to each field, its highest bit is set
for a count of 3 or more. All tests are generated as one Python function. The filter has false positives, but no false
negatives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from attrs import frozen

from cardlang import model as g

FaceCondition = Callable[[g.Expr, g.Var, int], bool]
NO_KEY = -1
"""Key of a face outside the group, or a missing value. As a place in a run, it is below all others."""


@frozen
class RankingDeck:
    """Faces of a game, followed by a second face for each face that may count low.

    A second face equals the first, but compares below all others.
    face_by_card: for each card, its face.
    base_faces: for each face of the extended list, the face of the game.
    low_faces: by attribute and face, the second face.
    columns: by name, the values by face of the game.
    """

    face_by_card: tuple[int, ...]
    base_faces: tuple[int, ...]
    low_faces: dict[tuple[str, int], int]
    columns: dict[str, tuple[Any, ...]]
    sets: tuple[str, ...]

    def find_value(self, column: str, face: int) -> Any:
        return self.columns[column][self.base_faces[face]]


def build_ranking_deck(game: g.Game, ranking: g.Ranking) -> RankingDeck:
    """Build the extended deck of a game for a ranking."""
    columns = {name: column.values for name, column in game.columns.items()}
    card_faces = tuple(face.number for face in game.faces for _ in range(face.copies))
    base = [face.number for face in game.faces]
    low: dict[tuple[str, int], int] = {}
    for trait in ranking.traits:
        for face in game.faces:
            key = (trait.attribute, face.number)
            if trait.low is not None and columns[trait.attribute][face.number] == trait.low and key not in low:
                low[key] = len(base)
                base.append(face.number)
    return RankingDeck(card_faces, tuple(base), low, columns, tuple(face.set for face in game.faces))


# ---------------------------------------------------------------- groups
@frozen(eq=False)
class GroupTable:
    """Compiled group of a pattern. Cards with equal keys share the required attributes.

    key_attributes: the attributes that form the key.
    keys: by face, its key; NO_KEY outside the group.
    values: by key, the values of `key_attributes`.
    run_trait: the attribute whose values must be consecutive, or None.
    run_places: by face, pairs of a place in the run and the face shown there; two pairs for a low value.
    extra_traits: the traits that a search by key and place does not ensure.
    card_keys: by card, the key of its face.
    place_range: the range of all places.
    """

    count: int
    or_more: bool
    key_attributes: tuple[str, ...]
    keys: tuple[int, ...]
    values: tuple[tuple[g.Value, ...], ...]
    run_trait: g.Trait | None
    run_places: tuple[tuple[tuple[int, int], ...], ...]
    extra_traits: tuple[g.Trait, ...]
    card_keys: tuple[int, ...]
    place_range: range

    def build_requirement_key(self) -> tuple[object, ...]:
        """Return an identity of the requirements.

        Groups with equal ones are interchangeable, apart from their counts.
        """
        step = self.run_trait and (self.run_trait.attribute, self.run_trait.low)
        return self.key_attributes, self.keys, step, self.extra_traits


def build_group_table(
    deck: RankingDeck, group: g.Group, shared: tuple[g.Trait, ...], face_condition: FaceCondition
) -> GroupTable:
    """Compile a group.

    `shared`: the traits of the whole pattern; a value that all cards share is part of each group's key.
    """
    ones = {trait.attribute for trait in (*group.traits, *shared) if trait.word == "one"}
    one = tuple(sorted(ones))
    steps = [trait for trait in group.traits if trait.word == "consecutive"]
    step = steps[0] if steps else None
    interned: dict[tuple[g.Value, ...], int] = {}
    keys = []
    for face, set_ in enumerate(deck.sets):
        value = tuple(deck.columns[name][face] for name in one)
        inside = set_ == group.set and None not in value and has_place(deck, step, face)
        if inside and (group.condition is None or face_condition(group.condition, group.var, face)):
            keys.append(interned.setdefault(value, len(interned)))
        else:
            keys.append(NO_KEY)
    places = tuple(find_run_places(deck, step, face) if step else () for face in range(len(deck.sets)))
    return GroupTable(
        count=group.count,
        or_more=group.or_more,
        key_attributes=one,
        keys=tuple(keys),
        values=tuple(interned),
        run_trait=step,
        run_places=places,
        extra_traits=tuple(trait for trait in group.traits if trait.word == "different") + tuple(steps[1:]),
        card_keys=tuple(keys[face] for face in deck.face_by_card),
        place_range=build_place_range(
            place for key, taken in zip(keys, places, strict=True) if key >= 0 for place, _ in taken
        ),
    )


def build_place_range(places: Iterable[int]) -> range:
    taken_places = set(places)
    return range(min(taken_places), max(taken_places) + 1) if taken_places else range(0)


def has_place(deck: RankingDeck, step: g.Trait | None, face: int) -> bool:
    return step is None or deck.columns[step.attribute][face] is not None


def find_run_places(deck: RankingDeck, step: g.Trait, face: int) -> tuple[tuple[int, int], ...]:
    value = deck.columns[step.attribute][face]
    if value is None:
        return ()
    if step.low is not None and value == step.low:
        return ((value, face), (NO_KEY, deck.low_faces[step.attribute, face]))
    return ((value, face),)


# ---------------------------------------------------------------- patterns
@frozen(eq=False)
class KeyConstraint:
    """Constraint on the keys of groups `first` and `second`: their projections must be `equal`, or else different."""

    first: int
    second: int
    left: tuple[object, ...]
    right: tuple[object, ...]
    equal: bool

    def allows(self, first_key: int, second_key: int) -> bool:
        return (self.left[first_key] == self.right[second_key]) is self.equal


@frozen(eq=False)
class TraitCheck:
    """Check of a trait of all cards of a pattern.

    `single_count_groups`: the groups that count once, because their cards share the value.
    """

    trait: g.Trait
    single_count_groups: frozenset[int]

    def find_counted_positions(self, sizes: Iterable[int]) -> list[int]:
        """Return the positions of the cards that count, in groups of these sizes."""
        positions, start = list[int](), 0
        for number, size in enumerate(sizes):
            positions += range(start, start + (1 if number in self.single_count_groups else size))
            start += size
        return positions


@frozen(eq=False)
class PatternTable:
    """Compiled pattern.

    key_constraints: by group, the constraints on its key and those of earlier groups.
    is_twin_of_previous: by group, whether it is interchangeable with the previous group. Twins are in ascending order.
    checks: the traits of all cards.
    has_checks: whether the pattern or a group has traits to check.
    is_plain: whether it is one group of a fixed size without runs and checks.
    min_cards: the minimum number of cards.
    exact_size: the exact number of cards; None if a group may take more.
    """

    groups: tuple[GroupTable, ...]
    key_constraints: tuple[tuple[KeyConstraint, ...], ...]
    is_twin_of_previous: tuple[bool, ...]
    checks: tuple[TraitCheck, ...]
    has_checks: bool
    is_plain: bool
    min_cards: int
    exact_size: int | None


def build_pattern_table(deck: RankingDeck, pattern: g.Pattern, face_condition: FaceCondition) -> PatternTable:
    groups = tuple(build_group_table(deck, group, pattern.shared, face_condition) for group in pattern.groups)
    common = {trait.attribute for trait in pattern.shared if trait.word == "one"}
    ties = tuple(
        tuple(
            tie
            for i in range(j)
            for tie in find_key_constraints(groups, i, j, common, pattern.find_distinguishing_columns(i, j))
        )
        for j in range(len(groups))
    )
    checks = tuple(build_trait_check(pattern, trait) for trait in pattern.shared if trait.word != "one")
    checked = bool(checks) or any(group.extra_traits for group in groups)
    least = sum(group.count for group in groups)
    return PatternTable(
        groups=groups,
        key_constraints=ties,
        is_twin_of_previous=tuple(
            j > 0 and are_interchangeable(groups[j - 1], groups[j], common) for j in range(len(groups))
        ),
        checks=checks,
        has_checks=checked,
        is_plain=len(groups) == 1 and not checked and not groups[0].or_more and groups[0].run_trait is None,
        min_cards=least,
        exact_size=None if any(group.or_more for group in groups) else least,
    )


def build_trait_check(pattern: g.Pattern, trait: g.Trait) -> TraitCheck:
    return TraitCheck(
        trait, frozenset(i for i, group in enumerate(pattern.groups) if trait.attribute in group.uniform_columns)
    )


def find_key_constraints(
    groups: Sequence[GroupTable], i: int, j: int, common: set[str], distinct_attributes: frozenset[str]
) -> Iterable[KeyConstraint]:
    """Yield the constraints between two groups.

    The attributes that the whole pattern shares must be equal. The attributes in `distinct_attributes` must differ as a
    whole.
    """
    both = set(groups[i].key_attributes) & set(groups[j].key_attributes) & common
    if both:
        yield KeyConstraint(i, j, project_key_values(groups[i], both), project_key_values(groups[j], both), True)
    if distinct_attributes:
        yield KeyConstraint(
            i,
            j,
            project_key_values(groups[i], distinct_attributes),
            project_key_values(groups[j], distinct_attributes),
            False,
        )


def project_key_values(group: GroupTable, names: Collection[str]) -> tuple[tuple[g.Value, ...], ...]:
    return tuple(
        tuple(v for name, v in zip(group.key_attributes, value, strict=True) if name in names) for value in group.values
    )


def are_interchangeable(first: GroupTable, second: GroupTable, common: set[str]) -> bool:
    """Return whether two groups are interchangeable and have keys that distinguish them."""
    same = first.build_requirement_key() == second.build_requirement_key() and (first.count, first.or_more) == (
        second.count,
        second.or_more,
    )
    return same and not set(first.key_attributes) <= common


# ---------------------------------------------------------------- traits of whole lists
Faces = tuple[int, ...]


def apply_traits(deck: RankingDeck, traits: Iterable[g.Trait], faces: Faces) -> Faces | None:
    """Return the faces if together they have the traits, else None.

    Faces that must count low are replaced by their second face.
    """
    result: Faces | None = faces
    for trait in traits:
        if result is not None:
            result = apply_trait(deck, trait, result, range(len(faces)))
    return result


def apply_trait(deck: RankingDeck, trait: g.Trait, faces: Faces, places: Iterable[int]) -> Faces | None:
    """Return the faces as `apply_traits` does, for one trait of the faces at these places."""
    values = [deck.find_value(trait.attribute, faces[position]) for position in places]
    if None in values or len(set(values)) < len(values):
        return None
    if trait.word == "consecutive" and not is_run(values):
        if trait.low is None or not is_run([NO_KEY if value == trait.low else value for value in values]):
            return None
        return tuple(deck.low_faces.get((trait.attribute, face), face) for face in faces)
    return faces


def is_run(values: list[int]) -> bool:
    return max(values) - min(values) == len(values) - 1


RankFilter = Callable[[int, int, int], Iterator[int]]
"""Generated test: yields the ranks to try, best first.

The arguments are two counts and the number of possible wild cards. The first counts each wild card in all fields it may
join, the second counts each card as itself.
"""


@frozen
class CountTest:
    """Test for `field_count` fields that reach the count encoded in `bias`, `run_length` of them consecutive."""

    bias: int
    high: int
    field_count: int
    run_length: int

    def generate_filled_bits(self, counts: str) -> str:
        """Return code for an integer with a bit set for each field that reaches the count."""
        return f"({counts} + {self.bias} & {self.high})"

    def generate_test(self, counts: str, width: int) -> str:
        full = self.generate_filled_bits(counts)
        many = f"{full}.bit_count() >= {self.field_count}" if self.field_count > 1 else full
        return many if self.run_length == 1 else f"{many} and row({full}, {self.run_length}, {width})"


def find_consecutive_bits(bits: int, length: int, width: int) -> int:
    """Return an integer that is nonzero if `length` bits in a row are set, `width` apart."""
    result = bits
    for _ in range(length - 1):
        bits >>= width
        result &= bits
    return result


@frozen(eq=False)
class FieldRegion:
    """Adjacent fields. `field_numbers`: their numbers. `fields_by_face`: for each face, the fields it counts in."""

    field_numbers: tuple[int, ...]
    fields_by_face: tuple[tuple[int, ...], ...]


class CountFilter:
    """Tests for hands of at most `limit` cards. `packed_counts`: for each card, the integer with its ones."""

    def __init__(self, deck: RankingDeck, ranks: Sequence[Sequence[PatternTable]], limit: int) -> None:
        self.field_width = limit.bit_length() + 1
        self.limit = limit
        self.field_count = 0
        self.regions: dict[tuple[object, ...], FieldRegion] = {}
        lines = ["def plausible(counts, natural, wilds):", "    if False: yield"]
        for number, patterns in enumerate(ranks):
            tests = " or ".join(f"({self.generate_pattern_test(pattern)})" for pattern in patterns)
            lines.append(f"    if {tests or False}: yield {number}")
        self.source_code = "\n".join(lines)
        names: dict[str, RankFilter] = {}
        exec(self.source_code, {"row": find_consecutive_bits}, names)
        self.find_plausible_ranks = names["plausible"]
        self.packed_counts = [self.pack_faces((face,)) for face in deck.face_by_card]

    def pack_faces(self, faces: Iterable[int]) -> int:
        """Return an integer with a one in every field that a card counts in if it can show any of these faces."""
        bits = 0
        for face in faces:
            for region in self.regions.values():
                for number in region.fields_by_face[face]:
                    bits |= 1 << number * self.field_width
        return bits

    # ------------------------------------------------------------ tests
    def generate_pattern_test(self, pattern: PatternTable) -> str:
        """Return the code of the test for a pattern.

        A wild card can fill only one place. So without the wild cards, at most that number of groups or places may be
        empty.
        """
        tests = {
            self.build_count_test(*need).generate_test("counts", self.field_width): None
            for need in self.find_requirements(pattern)
        }
        groups = pattern.groups
        for group in groups:
            if group.run_trait is not None:
                filled = self.build_count_test(group, 1, 1, group.count).generate_filled_bits("natural")
                tests[f"(not wilds or wilds + {filled}.bit_count() >= {group.count})"] = None
        if len(groups) > 1:
            alone = (
                self.build_count_test(group, group.count, 1, 1).generate_test("natural", self.field_width)
                for group in groups
            )
            filled_count = " + ".join(f"(({test}) > 0)" for test in alone)
            tests[f"(not wilds or wilds + {filled_count} >= {len(groups)})"] = None
        return " and ".join(tests)

    def find_requirements(self, pattern: PatternTable) -> Iterator[tuple[GroupTable, int, int, int]]:
        """Yield the requirements of the groups, rarest first.

        Each has a group, a count, the number of keys that must reach it, and the length of the run.
        """
        for index, group in sorted(enumerate(pattern.groups), key=lambda item: -item[1].count):
            rivals = sum(
                other.keys == group.keys and other.count >= group.count
                for number, other in enumerate(pattern.groups)
                if number == index or are_keys_distinct(pattern, *sorted((number, index)))
            )
            yield group, group.count, rivals, 1
            if group.run_trait is not None and group.count > 1:
                yield group, 1, group.count, group.count

    def build_count_test(self, group: GroupTable, count: int, number: int, run: int) -> CountTest:
        region = self.find_region(group, run > 1)
        unit = 1 << (self.field_width - 1)
        count = min(count, self.limit + 1)  # one more than possible, but still within the field
        bias = sum((unit - count) << n * self.field_width for n in region.field_numbers)
        high = sum(unit << n * self.field_width for n in region.field_numbers)
        return CountTest(bias, high, number, run)

    # ------------------------------------------------------------ fields
    def find_region(self, group: GroupTable, runs: bool) -> FieldRegion:
        name = (group.keys, group.run_places if runs else ())
        if name not in self.regions:
            self.regions[name] = self.allocate_run_fields(group) if runs else self.allocate_count_fields(group)
        return self.regions[name]

    def allocate_count_fields(self, group: GroupTable) -> FieldRegion:
        """Allocate a field for each key."""
        start, self.field_count = self.field_count, self.field_count + len(group.values)
        by_face = tuple((start + key,) if key >= 0 else () for key in group.keys)
        return FieldRegion(tuple(range(start, self.field_count)), by_face)

    def allocate_run_fields(self, group: GroupTable) -> FieldRegion:
        """Allocate fields for each key: one for each place, then an empty one that ends every run."""
        size = len(group.place_range) + 1
        start, self.field_count = self.field_count, self.field_count + len(group.values) * size
        first = group.place_range.start
        by_face = tuple(
            tuple(start + key * size + place - first for place, _ in places) if key >= 0 else ()
            for key, places in zip(group.keys, group.run_places, strict=True)
        )
        return FieldRegion(tuple(range(start, self.field_count)), by_face)


def are_keys_distinct(pattern: PatternTable, first: int, second: int) -> bool:
    """Return whether two groups never have the same key."""
    return any(tie.first == first and not tie.equal for tie in pattern.key_constraints[second])
