"""A ranking as tables by face: which cards may join which group, and what a wild card may stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from attrs import frozen

from cardlang import game as g

FaceHolds = Callable[[g.Expr, g.Var, int], bool]
ABSENT = -1
"""A face that is not in the group; a member of a kind that a card does not have."""


@frozen
class Deck:
    """The faces of a game, and behind them a second face for each that may count low: it stands for the first, but
    where values are compared it is below all others.

    `base`: for each of these faces the face of the game. `face`: for each card its face. `columns`: by name, the
    values by face (of the game)."""

    face: tuple[int, ...]
    base: tuple[int, ...]
    low: dict[tuple[str, int], int]
    columns: dict[str, tuple[Any, ...]]
    sets: tuple[str, ...]

    def value(self, column: str, face: int) -> Any:
        return self.columns[column][self.base[face]]


def lay_out(game: g.Game, ranking: g.Ranking) -> Deck:
    """The deck of a game as this ranking sees it."""
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
    """A group of a pattern. Cards with one key share what they must share.

    one: the attributes that make the key. keys: by face, ABSENT outside the group. values: by key, of `one`.
    step: the attribute whose values run on without a gap, or None; places: by face, the pairs of a place in the run
    and the face it shows there (a low member has two); span: all places. checks: what a search by key and place
    does not ensure."""

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
        """Groups with the same are interchangeable, but for their counts."""
        step = self.step and (self.step.attribute, self.step.low)
        return self.one, self.keys, step, self.checks


def group_table(deck: Deck, group: g.Group, shared: tuple[g.Trait, ...], holds: FaceHolds) -> GroupTable:
    """`shared`: the traits over all groups of the pattern. What all cards share, the cards of a group share too."""
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
    """Groups `first` and `second` of a pattern and what their keys mean in common: `equal` or else different."""

    first: int
    second: int
    left: tuple[object, ...]
    right: tuple[object, ...]
    equal: bool

    def allows(self, first_key: int, second_key: int) -> bool:
        return (self.left[first_key] == self.right[second_key]) is self.equal


@frozen(eq=False)
class Check:
    """A trait over all cards of a pattern. `once`: the groups that count once, as all their cards have one value."""

    trait: g.Trait
    once: frozenset[int]

    def places(self, sizes: Iterable[int]) -> list[int]:
        """The places of the cards that count, in groups of these sizes."""
        found, start = list[int](), 0
        for number, size in enumerate(sizes):
            found += range(start, start + (1 if number in self.once else size))
            start += size
        return found


@frozen(eq=False)
class PatternTable:
    """ties: by group, how its key must fit those of earlier groups. twins: by group, whether it asks the same as the
    one before, of keys that it shares with no others: then they are taken in ascending order. checks: traits over all
    cards; checked: whether there are any, or any in a group. plain: one group of a fixed size without runs and checks.
    least: how many cards the groups take together; size: the same, None if they may take more."""

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
    """What the whole pattern shares must be equal; what sets them `apart` must differ as a whole."""
    both = set(groups[i].one) & set(groups[j].one) & common
    if both:
        yield Tie(i, j, project(groups[i], both), project(groups[j], both), True)
    if apart:
        yield Tie(i, j, project(groups[i], apart), project(groups[j], apart), False)


def project(group: GroupTable, names: Collection[str]) -> tuple[tuple[g.Value, ...], ...]:
    return tuple(tuple(v for name, v in zip(group.one, value, strict=True) if name in names) for value in group.values)


def are_twins(first: GroupTable, second: GroupTable, common: set[str]) -> bool:
    """Whether two groups can change places, and have keys by which to tell them apart."""
    same = first.spec() == second.spec() and (first.count, first.or_more) == (second.count, second.or_more)
    return same and not set(first.one) <= common


# ---------------------------------------------------------------- traits of whole lists
Faces = tuple[int, ...]


def with_traits(deck: Deck, traits: Iterable[g.Trait], faces: Faces) -> Faces | None:
    """These faces if they have the traits together, with the low ones in place of those that must count low."""
    found: Faces | None = faces
    for trait in traits:
        if found is not None:
            found = with_trait(deck, trait, found, range(len(faces)))
    return found


def with_trait(deck: Deck, trait: g.Trait, faces: Faces, places: Iterable[int]) -> Faces | None:
    """The same for one trait, which the faces at these places have together."""
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
