"""Orders, and rankings of sets of cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import field, frozen

from cardlang.game.expressions import Expr, Var
from cardlang.game.origin import Origin
from cardlang.game.statements import Ruling
from cardlang.game.types import Type
from cardlang.game.vocabulary import Arrangement, ColumnName, FaceNumber, How, Name, SetName, Sharing, Size
from cardlang.source import Span


@frozen(eq=False, repr=False)
class OrderLine:
    """A line of an order. `how`: those, best, worst, higher, lower, later, earlier.

    `layout`: for lists, `flat` (from the highest down) or `groups` (larger groups first). With later and earlier,
    `value` is only a name for the rule sheet: they compare the index in a list, and later is better.
    """

    how: How
    value: Expr
    layout: Arrangement | None
    doc: str


@frozen(eq=False, repr=False)
class Order:
    """An order of cards or players (`of`), best first. Each line breaks the ties of the lines before it.

    `best` and `worst` are above and below all others and equal to each other: no later line applies to them.
    """

    name: Name
    of: Type
    var: Var
    lines: tuple[OrderLine, ...]
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Trait:
    """A trait of a group of cards.

    `word`: one (all share the value), different, consecutive (by the order of the kind, no wrapping). `low`: the index
    of a member that ranks below the first one here.
    """

    word: Sharing
    attribute: ColumnName
    low: int | None


@frozen(eq=False, repr=False)
class Group:
    """A group of `count` (`or_more`) cards of `set` with traits. Each card fulfils `condition` of `var`."""

    count: int
    or_more: bool
    set: SetName
    traits: tuple[Trait, ...]
    var: Var
    condition: Expr | None

    @property
    def ones(self) -> frozenset[ColumnName]:
        """Attributes in which all its cards share one value."""
        return frozenset(trait.attribute for trait in self.traits if trait.word == "one")

    @property
    def is_run(self) -> bool:
        return any(trait.word == "consecutive" for trait in self.traits)


@frozen(eq=False, repr=False)
class Pattern:
    """A pattern: groups of disjoint cards. `shared`: traits over all cards.

    For `different X` and `consecutive X`, a group `of one X` counts once.
    """

    groups: tuple[Group, ...]
    shared: tuple[Trait, ...]

    def apart(self, first: int, second: int) -> frozenset[ColumnName]:
        """Return the attributes in which two groups differ as a whole: each group has one value, and they are
        different.

        If one of the groups is a run, there are none, because two runs may have the same values.
        """
        one, two = self.groups[first], self.groups[second]
        if one.is_run or two.is_run:
            return frozenset()
        return one.ones & two.ones - {trait.attribute for trait in self.shared if trait.word == "one"}


@frozen(eq=False, repr=False)
class Rank:
    """A rank. `like`: the faces of a sample hand, written at `sample`. `span`: its title."""

    title: str
    like: tuple[FaceNumber, ...]
    patterns: tuple[Pattern, ...]
    doc: str
    sample: Span = field(eq=False, repr=False)
    span: Span = field(eq=False, repr=False)


def occurs(rank: Rank, present: Collection[SetName]) -> bool:
    """Return whether all card sets that a rank needs have cards."""
    return any(all(group.set in present for group in pattern.groups) for pattern in rank.patterns)


@frozen(eq=False, repr=False)
class Wild:
    """A rule for wild cards: cards that fulfil `condition` of `var`.

    They can represent any card of `sets`. If `attribute` is set, they can change only that attribute.
    """

    var: Var
    condition: Expr
    sets: tuple[SetName, ...]
    attribute: ColumnName | None
    doc: str


@frozen(eq=False, repr=False)
class Ranking:
    """A ranking of hands.

    - `size`: the maximum number of cards, `all` (every card must be used) or `groups` (best split).
    - `least`: for `groups`, the attribute or definition of a card to minimise in total over the unused cards.
    - `ranks`: best first. `ties` compare two readings of one rank (`var` is the reading).
    """

    name: Name
    size: int | Size
    ranks: tuple[Rank, ...]
    wilds: tuple[Wild, ...]
    var: Var
    ties: tuple[OrderLine, ...]
    least_var: Var | None
    least: Expr | None
    rulings: tuple[Ruling, ...]
    doc: str
    origin: Origin = field(eq=False, repr=False)

    @property
    def traits(self) -> Iterator[Trait]:
        """Traits of all patterns and of all their groups."""
        for rank in self.ranks:
            for pattern in rank.patterns:
                yield from pattern.shared
                for group in pattern.groups:
                    yield from group.traits
