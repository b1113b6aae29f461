"""Compile a ranking to tables by face: the groups that cards can join, and the keys and places they have there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from attrs import frozen

from cardlang import game as g

FaceHolds = Callable[[g.Expr, g.Var, int], bool]
ABSENT = -1
"""Key of a face outside the group, or a missing value. As a place in a run, it is below all others."""


@frozen
class Deck:
    """Faces of a game, followed by a second face for each face that may count low.

    A second face equals the first, but compares below all others.
    face: for each card, its face.
    base: for each face of the extended list, the face of the game.
    low: by attribute and face, the second face.
    columns: by name, the values by face of the game.
    """

    face: tuple[int, ...]
    base: tuple[int, ...]
    low: dict[tuple[str, int], int]
    columns: dict[str, tuple[Any, ...]]
    sets: tuple[str, ...]

    def value(self, column: str, face: int) -> Any:
        return self.columns[column][self.base[face]]


def lay_out(game: g.Game, ranking: g.Ranking) -> Deck:
    """Build the extended deck of a game for a ranking."""
    columns = {name: column.values for name, column in game.columns.items()}
    card_faces = tuple(face.number for face in game.faces for _ in range(face.copies))
    base = [face.number for face in game.faces]
    low: dict[tuple[str, int], int] = {}
    for trait in ranking.traits:
        for face in game.faces:
            place = (trait.attribute, face.number)
            if trait.low is not None and columns[trait.attribute][face.number] == trait.low and place not in low:
                low[place] = len(base)
                base.append(face.number)
    return Deck(card_faces, tuple(base), low, columns, tuple(face.set for face in game.faces))


# ---------------------------------------------------------------- groups
@frozen(eq=False)
class GroupTable:
    """Compiled group of a pattern. Cards with equal keys share the required attributes.

    one: the attributes that form the key.
    keys: by face, its key; ABSENT outside the group.
    values: by key, the values of `one`.
    step: the attribute whose values must be consecutive, or None.
    places: by face, pairs of a place in the run and the face shown there; two pairs for a low value.
    checks: the traits that a search by key and place does not ensure.
    card_keys: by card, the key of its face.
    span: the range of all places.
    """

    count: int
    or_more: bool
    one: tuple[str, ...]
    keys: tuple[int, ...]
    values: tuple[tuple[g.Value, ...], ...]
    step: g.Trait | None
    places: tuple[tuple[tuple[int, int], ...], ...]
    checks: tuple[g.Trait, ...]
    card_keys: tuple[int, ...]
    span: range

    def spec(self) -> tuple[object, ...]:
        """Return an identity of the requirements.

        Groups with equal ones are interchangeable, apart from their counts.
        """
        step = self.step and (self.step.attribute, self.step.low)
        return self.one, self.keys, step, self.checks


def group_table(deck: Deck, group: g.Group, shared: tuple[g.Trait, ...], holds: FaceHolds) -> GroupTable:
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
        if inside and (group.condition is None or holds(group.condition, group.var, face)):
            keys.append(interned.setdefault(value, len(interned)))
        else:
            keys.append(ABSENT)
    places = tuple(places_of(deck, step, face) if step else () for face in range(len(deck.sets)))
    return GroupTable(
        count=group.count,
        or_more=group.or_more,
        one=one,
        keys=tuple(keys),
        values=tuple(interned),
        step=step,
        places=places,
        checks=tuple(trait for trait in group.traits if trait.word == "different") + tuple(steps[1:]),
        card_keys=tuple(keys[face] for face in deck.face),
        span=span_of(place for key, taken in zip(keys, places, strict=True) if key >= 0 for place, _ in taken),
    )


def span_of(places: Iterable[int]) -> range:
    found = set(places)
    return range(min(found), max(found) + 1) if found else range(0)


def has_place(deck: Deck, step: g.Trait | None, face: int) -> bool:
    return step is None or deck.columns[step.attribute][face] is not None


def places_of(deck: Deck, step: g.Trait, face: int) -> tuple[tuple[int, int], ...]:
    place = deck.columns[step.attribute][face]
    if place is None:
        return ()
    if step.low is not None and place == step.low:
        return ((place, face), (ABSENT, deck.low[step.attribute, face]))
    return ((place, face),)


# ---------------------------------------------------------------- patterns
@frozen(eq=False)
class Tie:
    """Constraint on the keys of groups `first` and `second`: their projections must be `equal`, or else different."""

    first: int
    second: int
    left: tuple[object, ...]
    right: tuple[object, ...]
    equal: bool

    def allows(self, first_key: int, second_key: int) -> bool:
        return (self.left[first_key] == self.right[second_key]) is self.equal


@frozen(eq=False)
class Check:
    """Trait of all cards of a pattern. `once`: the groups that count once, because their cards share the value."""

    trait: g.Trait
    once: frozenset[int]

    def places(self, sizes: Iterable[int]) -> list[int]:
        """Return the positions of the cards that count, in groups of these sizes."""
        found, start = list[int](), 0
        for number, size in enumerate(sizes):
            found += range(start, start + (1 if number in self.once else size))
            start += size
        return found


@frozen(eq=False)
class PatternTable:
    """Compiled pattern.

    ties: by group, the constraints on its key and those of earlier groups.
    twins: by group, whether it is interchangeable with the previous group. Twins are taken in ascending order.
    checks: the traits of all cards.
    checked: whether the pattern or a group has traits to check.
    plain: whether it is one group of a fixed size without runs and checks.
    least: the minimum number of cards.
    size: the exact number of cards; None if a group may take more.
    """

    groups: tuple[GroupTable, ...]
    ties: tuple[tuple[Tie, ...], ...]
    twins: tuple[bool, ...]
    checks: tuple[Check, ...]
    checked: bool
    plain: bool
    least: int
    size: int | None


def pattern_table(deck: Deck, pattern: g.Pattern, holds: FaceHolds) -> PatternTable:
    groups = tuple(group_table(deck, group, pattern.shared, holds) for group in pattern.groups)
    common = {trait.attribute for trait in pattern.shared if trait.word == "one"}
    ties = tuple(
        tuple(tie for i in range(j) for tie in ties_between(groups, i, j, common, pattern.apart(i, j)))
        for j in range(len(groups))
    )
    checks = tuple(check_of(pattern, trait) for trait in pattern.shared if trait.word != "one")
    checked = bool(checks) or any(group.checks for group in groups)
    least = sum(group.count for group in groups)
    return PatternTable(
        groups=groups,
        ties=ties,
        twins=tuple(j > 0 and are_twins(groups[j - 1], groups[j], common) for j in range(len(groups))),
        checks=checks,
        checked=checked,
        plain=len(groups) == 1 and not checked and not groups[0].or_more and groups[0].step is None,
        least=least,
        size=None if any(group.or_more for group in groups) else least,
    )


def check_of(pattern: g.Pattern, trait: g.Trait) -> Check:
    return Check(trait, frozenset(i for i, group in enumerate(pattern.groups) if trait.attribute in group.ones))


def ties_between(
    groups: Sequence[GroupTable], i: int, j: int, common: set[str], apart: frozenset[str]
) -> Iterable[Tie]:
    """Yield the constraints between two groups.

    The attributes that the whole pattern shares must be equal. The attributes in `apart` must differ, as a whole.
    """
    both = set(groups[i].one) & set(groups[j].one) & common
    if both:
        yield Tie(i, j, project(groups[i], both), project(groups[j], both), True)
    if apart:
        yield Tie(i, j, project(groups[i], apart), project(groups[j], apart), False)


def project(group: GroupTable, names: Collection[str]) -> tuple[tuple[g.Value, ...], ...]:
    return tuple(tuple(v for name, v in zip(group.one, value, strict=True) if name in names) for value in group.values)


def are_twins(first: GroupTable, second: GroupTable, common: set[str]) -> bool:
    """Return whether two groups are interchangeable and have keys that distinguish them."""
    same = first.spec() == second.spec() and (first.count, first.or_more) == (second.count, second.or_more)
    return same and not set(first.one) <= common


# ---------------------------------------------------------------- traits of whole lists
Faces = tuple[int, ...]


def with_traits(deck: Deck, traits: Iterable[g.Trait], faces: Faces) -> Faces | None:
    """Return the faces if together they have the traits, else None.

    Faces that must count low are replaced by their second face.
    """
    found: Faces | None = faces
    for trait in traits:
        if found is not None:
            found = with_trait(deck, trait, found, range(len(faces)))
    return found


def with_trait(deck: Deck, trait: g.Trait, faces: Faces, places: Iterable[int]) -> Faces | None:
    """Return the faces as `with_traits` does, for one trait of the faces at these places."""
    values = [deck.value(trait.attribute, faces[place]) for place in places]
    if None in values or len(set(values)) < len(values):
        return None
    if trait.word == "consecutive" and not is_run(values):
        if trait.low is None or not is_run([ABSENT if value == trait.low else value for value in values]):
            return None
        return tuple(deck.low.get((trait.attribute, face), face) for face in faces)
    return faces


def is_run(values: list[int]) -> bool:
    return max(values) - min(values) == len(values) - 1
