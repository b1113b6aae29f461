"""Declaration classes of the checked game: kinds, cards, zones, tracks, definitions, orders and rankings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated

from attrs import field

from cardlang.diagnostics import Span
from cardlang.model.exact_numbers import ExactNumber
from cardlang.model.expressions import Expr, Value, Var
from cardlang.model.field_constraints import SharedItems
from cardlang.model.statements import BorneStepBody, Note, Ruling
from cardlang.model.types import (
    ColumnName,
    DeclarationName,
    FaceNumber,
    KindName,
    ListLayout,
    OrderRule,
    Origin,
    RankingSize,
    RestartName,
    SetName,
    SubjectName,
    TraitWord,
    Type,
    ZoneName,
    ZoneViewer,
)
from cardlang.tree import FrozenClass


class Noun(FrozenClass):
    """Singular and plural of a name. `called`: the author gives the singular; `counted`: and the plural."""

    singular: str
    plural: str
    called: bool = False
    counted: bool = False


class Member(FrozenClass):
    """A member of a kind. `follows`: it continues a range with the member before it (`2 to 10`)."""

    name: str
    code: str
    worth: ExactNumber | None
    noun: Noun
    follows: bool = False


class Kind(FrozenClass):
    """A kind. `includes`: a kind whose members come first in this one, so that both are comparable."""

    name: DeclarationName
    ordered: bool
    members: tuple[Member, ...]
    includes: KindName | None
    doc: str
    origin: Origin = field(eq=False, repr=False)

    @property
    def is_numeric(self) -> bool:
        return all(m.name.isdecimal() for m in self.members)


class Define(FrozenClass):
    """A definition. `subject`: None, `player`, `card`, `cards` (a list), a kind or a ranking.

    In `value`, the variable `var` is the subject, and `second_var` the second owner of the type `second`.
    """

    name: DeclarationName
    subject: SubjectName | None
    type: Type
    var: Var | None
    value: Expr
    noun: Noun
    doc: str
    origin: Origin = field(eq=False, repr=False)
    second: SubjectName | None = None
    second_var: Var | None = None


class BorneDefine(FrozenClass):
    """A definition on cards.

    `bodies`: by face number, None for cards without it. `var` is the card, `owner` its owner.
    """

    name: DeclarationName
    type: Type
    bodies: Annotated[tuple[BorneBody | None, ...], SharedItems()]


class BorneBody(FrozenClass):
    name: str
    var: Var
    owner: Var
    value: Expr
    doc: str


CardRule = BorneBody | BorneStepBody | Note | Ruling

OTHER_FACE_SUFFIX = "-title"
"""Suffix of the name of a column that holds the titles of the cards' other faces."""


class Column(FrozenClass):
    """A column of the cards. `values`: by face number; None for cards without a value."""

    name: DeclarationName
    type: Type
    values: tuple[Value, ...]

    @property
    def other_face_name(self) -> str:
        """Name of the other faces whose titles this column holds: `altered`, for `altered-title`.

        Empty if it holds no titles.
        """
        return self.name.removesuffix(OTHER_FACE_SUFFIX) if self.name.endswith(OTHER_FACE_SUFFIX) else ""

    def get_member_index(self, face: int) -> int | None:
        """Return the index of the member that a face has in a column of members; None if it has none."""
        value = self.values[face]
        return value if isinstance(value, int) else None


class Face(FrozenClass):
    """The face of `copies` equal cards. Cards are numbered face by face; `first` is the first of these."""

    number: int
    set: SetName
    title: str
    code: str
    copies: int
    first: int
    span: Span = field(eq=False, repr=False)


def find_cards_for_faces(faces: Sequence[Face], face_numbers: Iterable[int]) -> tuple[int, ...]:
    """Return a card for each face number. A repeated number gets the next copy, as long as there is one."""
    met: Counter[int] = Counter()
    cards = []
    for number in face_numbers:
        face = faces[number]
        cards.append(face.first + max(min(met[number], face.copies - 1), 0))
        met[number] += 1
    return tuple(cards)


class Product(FrozenClass):
    """A product of kinds: `2 of each Value, Suit`.

    `ranges`: the first and last member of each kind in words; empty for a kind with all its members.
    """

    count: int
    kinds: tuple[KindName, ...]
    ranges: tuple[tuple[str, ...], ...] = ()


class Row(FrozenClass):
    """A row of equal cards: `4 of "Tuna Drawing" (Tuna), Feline, 1`.

    `code`: as written; empty if it is made from the title. `values`: by the columns of the set, as in `Column`, with
    their types. `face`: None if there are no such cards. `bears`: the rules of these cards alone.
    """

    count: int
    title: str
    code: str
    values: tuple[tuple[Type, Value], ...]
    face: FaceNumber | None
    bears: tuple[CardRule, ...]
    doc: str


class CardSet(FrozenClass):
    """A set of cards. `bears`: the rules of its cards, unless their row overrides them.

    `icons`: values of kinds in braces in its texts, which its cards show as icons.
    """

    name: DeclarationName
    home: ZoneName
    columns: tuple[str, ...]
    products: tuple[Product, ...]
    rows: tuple[Row, ...]
    bears: tuple[CardRule, ...]
    doc: str
    icons: tuple[str, ...]
    origin: Origin = field(eq=False, repr=False)


class OrderLine(FrozenClass):
    """A line of an order. `how`: those, best, worst, higher, lower, later, earlier.

    `layout`: for lists, `flat` (from the highest down) or `groups` (larger groups first). With later and earlier,
    `value` is only a name for the rulebook: they compare the index in a list, and later is better.
    """

    how: OrderRule
    value: Expr
    layout: ListLayout | None
    doc: str


class Order(FrozenClass):
    """An order of cards or players (`of`), best first. Each line breaks the ties of the lines before it.

    `best` and `worst` are above and below all others and equal to each other: no later line applies to them.
    """

    name: DeclarationName
    of: Type
    var: Var
    lines: tuple[OrderLine, ...]
    doc: str
    origin: Origin = field(eq=False, repr=False)


class Trait(FrozenClass):
    """A trait of a group of cards.

    `word`: one (all share the value), different, consecutive (by the order of the kind, no wrapping). `low`: the index
    of a member that ranks below the first one here.
    """

    word: TraitWord
    attribute: ColumnName
    low: int | None


class Group(FrozenClass):
    """A group of `count` (`or_more`) cards of `set` with traits. Each card fulfils `condition` of `var`."""

    count: int
    or_more: bool
    set: SetName
    traits: tuple[Trait, ...]
    var: Var
    condition: Expr | None

    @property
    def uniform_columns(self) -> frozenset[ColumnName]:
        """Attributes in which all its cards share one value."""
        return frozenset(trait.attribute for trait in self.traits if trait.word == "one")

    @property
    def is_run(self) -> bool:
        return any(trait.word == "consecutive" for trait in self.traits)


class Pattern(FrozenClass):
    """A pattern: groups of disjoint cards. `shared`: traits over all cards.

    For `different X` and `consecutive X`, a group `of one X` counts once.
    """

    groups: tuple[Group, ...]
    shared: tuple[Trait, ...]

    def find_distinguishing_columns(self, first: int, second: int) -> frozenset[ColumnName]:
        """Return the attributes in which two groups differ as a whole: each group has one value, and they are
        different.

        If one of the groups is a run, there are none, because two runs may have the same values.
        """
        one, two = self.groups[first], self.groups[second]
        if one.is_run or two.is_run:
            return frozenset()
        return one.uniform_columns & two.uniform_columns - {
            trait.attribute for trait in self.shared if trait.word == "one"
        }


class Rank(FrozenClass):
    """A rank. `like`: the faces of a sample hand, written at `sample`. `span`: its title."""

    title: str
    like: tuple[FaceNumber, ...]
    patterns: tuple[Pattern, ...]
    doc: str
    sample: Span = field(eq=False, repr=False)
    span: Span = field(eq=False, repr=False)


def can_rank_occur(rank: Rank, present_sets: Collection[SetName]) -> bool:
    """Return whether all card sets that a rank needs have cards."""
    return any(all(group.set in present_sets for group in pattern.groups) for pattern in rank.patterns)


class Wild(FrozenClass):
    """A rule for wild cards: cards that fulfil `condition` of `var`.

    They can represent any card of `sets`. If `attribute` is set, they can change only that attribute.
    """

    var: Var
    condition: Expr
    sets: tuple[SetName, ...]
    attribute: ColumnName | None
    doc: str


class Ranking(FrozenClass):
    """A ranking of hands.

    - `size`: the maximum number of cards, `all` (every card must be used) or `groups` (best split).
    - `least`: for `groups`, the attribute or definition of a card to minimise in total over the unused cards.
    - `ranks`: best first. `ties` compare two readings of one rank (`var` is the reading).
    """

    name: DeclarationName
    size: int | RankingSize
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


class Restart(FrozenClass):
    """A restart of a track. `own`: for that player only.

    `step` names a step, or `move` (a mark on a card restarts when the card changes zones).
    """

    step: RestartName
    own: bool


class Track(FrozenClass):
    """A track. `subject`: None, `player`, `card` or a kind.

    `start` is evaluated for `var`, the subject (None for the table), and `second_var`, the member of the kind `second`.
    `starts`: the author gives the start value.
    """

    name: DeclarationName
    subject: SubjectName | None
    type: Type
    var: Var | None
    start: Expr
    restarts: tuple[Restart, ...]
    secret: bool
    noun: Noun
    starts: bool
    doc: str
    origin: Origin = field(eq=False, repr=False)
    second: KindName | None = None
    second_var: Var | None = None


class Zone(FrozenClass):
    """A zone. `subject`: None (the table), `player`, or a kind. `viewer`: everyone, owner, others or nobody.

    `second`: a kind; the subject has a zone for each of its members.
    """

    name: DeclarationName
    subject: SubjectName | None
    single: bool
    viewer: ZoneViewer
    noun: Noun
    doc: str
    origin: Origin = field(eq=False, repr=False)
    second: KindName | None = None
