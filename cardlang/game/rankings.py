"""Orders, and rankings: what sets of cards are worth beside each other."""

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
    """`how`: those, best, worst, higher, lower, later, earlier. `layout`: for lists, `flat` (from the highest down)
    or `groups` (larger groups first). later and earlier: their value is only a name for the sheet (a place in the
    list that is compared, later is better)."""

    how: How
    value: Expr
    layout: Arrangement | None
    doc: str


@frozen(eq=False, repr=False)
class Order:
    """Best first: each line decides where those before it did not. `of`: card or player. `best` and `worst` are above
    and below all others and equal to each other: for them no later line counts."""

    name: Name
    of: Type
    var: Var
    lines: tuple[OrderLine, ...]
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Trait:
    """`word`: one (all share the value), different, consecutive (by the order of the kind, no wrapping). `low`: this
    member (its place) counts below the first one here."""

    word: Sharing
    attribute: ColumnName
    low: int | None


@frozen(eq=False, repr=False)
class Group:
    """`count` (`or_more`) cards of `set` with traits, each of which fulfils `condition` of `var`."""

    count: int
    or_more: bool
    set: SetName
    traits: tuple[Trait, ...]
    var: Var
    condition: Expr | None

    @property
    def ones(self) -> frozenset[ColumnName]:
        """Attributes of which all its cards have one value."""
        return frozenset(trait.attribute for trait in self.traits if trait.word == "one")

    @property
    def is_run(self) -> bool:
        return any(trait.word == "consecutive" for trait in self.traits)


@frozen(eq=False, repr=False)
class Pattern:
    """Groups of disjoint cards. `shared`: traits over all cards. In `different X` and `consecutive X` groups `of one X`
    count once each."""

    groups: tuple[Group, ...]
    shared: tuple[Trait, ...]

    def apart(self, first: int, second: int) -> frozenset[ColumnName]:
        """Return the attributes in which two groups differ as a whole: those of which both have one value, unless one
        of the groups is a run. Two runs may have the same."""
        one, two = self.groups[first], self.groups[second]
        if one.is_run or two.is_run:
            return frozenset()
        return one.ones & two.ones - {trait.attribute for trait in self.shared if trait.word == "one"}


@frozen(eq=False, repr=False)
class Rank:
    """`like`: the faces of a hand that makes it, written at `sample`. `span`: its title."""

    title: str
    like: tuple[FaceNumber, ...]
    patterns: tuple[Pattern, ...]
    doc: str
    sample: Span = field(eq=False, repr=False)
    span: Span = field(eq=False, repr=False)


def occurs(rank: Rank, present: Collection[SetName]) -> bool:
    """Whether the sets that a rank needs are among those that have cards."""
    return any(all(group.set in present for group in pattern.groups) for pattern in rank.patterns)


@frozen(eq=False, repr=False)
class Wild:
    """Cards that fulfil `condition` of `var` may stand for any card of `sets`, or, if `attribute` is set, keep all but
    that attribute."""

    var: Var
    condition: Expr
    sets: tuple[SetName, ...]
    attribute: ColumnName | None
    doc: str


@frozen(eq=False, repr=False)
class Ranking:
    """`size`: a number of cards at most, `all` (every card must be used) or `groups` (best split; `least`: the
    attribute or definition of a card whose total among the cards left is made least). Ranks: best first. `ties`
    compare two readings of one rank (`var` is the reading)."""

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
        """Those of all patterns and of all their groups."""
        for rank in self.ranks:
            for pattern in rank.patterns:
                yield from pattern.shared
                for group in pattern.groups:
                    yield from group.traits
