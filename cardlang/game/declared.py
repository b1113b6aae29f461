"""What a game declares: kinds, cards, zones, tracks, definitions, orders, rankings, steps."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen

from cardlang.codec.rules import Shared
from cardlang.game.acts import Note, Option, Ruling, Stmt
from cardlang.game.origin import Origin
from cardlang.game.types import Type
from cardlang.game.values import Expr, Value, Var
from cardlang.game.words import (
    ColumnName,
    FaceNumber,
    How,
    KindName,
    Layout,
    Name,
    RestartName,
    SetName,
    Sharing,
    Size,
    Subject,
    Viewer,
    ZoneName,
)  # fmt: skip
from cardlang.source import Span


@frozen(eq=False, repr=False)
class Noun:
    """`called`, `counted`: the author gives the singular, and the plural too."""

    singular: str
    plural: str
    called: bool = False
    counted: bool = False


@frozen(eq=False, repr=False)
class Member:
    """`follows`: it is written in one run with the member before it (`2 to 10`)."""

    name: str
    code: str
    worth: int | None
    noun: Noun
    follows: bool = False


@frozen(eq=False, repr=False)
class Kind:
    """`includes`: a kind whose members come first here, so that both can be compared."""

    name: Name
    ordered: bool
    members: tuple[Member, ...]
    includes: KindName | None
    doc: str
    origin: Origin = field(eq=False, repr=False)

    @property
    def numeric(self) -> bool:
        return all(m.name.isdigit() for m in self.members)


@frozen(eq=False, repr=False)
class Column:
    """A column of the cards. `values`: by face number; absent for cards that do not have it (None)."""

    name: Name
    type: Type
    values: tuple[Value, ...]

    def place(self, face: int) -> int | None:
        """In a column of members: the place of the one that a face has."""
        value = self.values[face]
        return value if isinstance(value, int) else None


@frozen(eq=False, repr=False)
class Face:
    """What `copies` equal cards show. Cards are numbered face by face; `first` is the first of these."""

    number: int
    set: SetName
    title: str
    code: str
    copies: int
    first: int
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Product:
    """`2 of each Value, Suit`."""

    count: int
    kinds: tuple[KindName, ...]


@frozen(eq=False, repr=False)
class Row:
    """`4 of "Tuna Drawing" (Tuna), Feline, 1`: a line for equal cards. `code`: as written, empty if it is made from the
    title. `values`: by the columns of the set, as in `Column`, with their types. `face`: None if there are no such
    cards. `bears`: what these cards alone bear."""

    count: int
    title: str
    code: str
    values: tuple[tuple[Type, Value], ...]
    face: FaceNumber | None
    bears: tuple[Borne, ...]
    doc: str


@frozen(eq=False, repr=False)
class CardSet:
    """`bears`: what its cards bear, unless their own row says otherwise."""

    name: Name
    home: ZoneName
    columns: tuple[str, ...]
    products: tuple[Product, ...]
    rows: tuple[Row, ...]
    bears: tuple[Borne, ...]
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Zone:
    """`subject`: None (the table), `player`, or a kind. `viewer`: everyone, owner, others or nobody."""

    name: Name
    subject: Subject | None
    single: bool
    viewer: Viewer
    noun: Noun
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Restart:
    """`step` names a step, or `move` (a card's mark, when the card changes zones). `own`: for that player only."""

    step: RestartName
    own: bool


@frozen(eq=False, repr=False)
class Track:
    """`subject`: None, `player`, `card` or a kind. `start` is evaluated for `var`, the subject (None for the table).
    `starts`: the author says at what."""

    name: Name
    subject: Subject | None
    type: Type
    var: Var | None
    start: Expr
    restarts: tuple[Restart, ...]
    secret: bool
    noun: Noun
    starts: bool
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Define:
    """`subject`: None, `player`, `card`, `cards` (a list), a kind or a ranking; `var` stands for it in `value`."""

    name: Name
    subject: Subject | None
    type: Type
    var: Var | None
    value: Expr
    noun: Noun
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class BorneDefine:
    """`bodies`: by face number, None where a card does not bear it. `var` is the card, `owner` its owner."""

    name: Name
    type: Type
    bodies: Annotated[tuple[BorneBody | None, ...], Shared()]


@frozen(eq=False, repr=False)
class BorneBody:
    name: str
    var: Var
    owner: Var
    value: Expr
    doc: str


@frozen(eq=False, repr=False)
class OrderLine:
    """`how`: those, best, worst, higher, lower, later, earlier. `layout`: for lists, `flat` (from the highest down)
    or `groups` (larger groups first). later and earlier: their value is only a name for the sheet (a place in the
    list that is compared, later is better)."""

    how: How
    value: Expr
    layout: Layout | None
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


@frozen(eq=False, repr=False)
class Pattern:
    """Groups of disjoint cards. Two groups that are both `of one X` have different X. `shared`: over all cards."""

    groups: tuple[Group, ...]
    shared: tuple[Trait, ...]


@frozen(eq=False, repr=False)
class Rank:
    """`like`: the faces of a hand that makes it, written at `sample`. `span`: its title."""

    title: str
    like: tuple[FaceNumber, ...]
    patterns: tuple[Pattern, ...]
    doc: str
    sample: Span = field(eq=False, repr=False)
    span: Span = field(eq=False, repr=False)


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


@frozen(eq=False, repr=False)
class Step:
    """`you`: the player of a `step your …`. `unfilled`: of a library, for a game to fill."""

    name: Name
    you: Var | None
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    unfilled: bool
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class BorneStep:
    """`bodies`: by face number; `card` and `you` are bound in each."""

    name: Name
    bodies: Annotated[tuple[BorneStepBody | None, ...], Shared()]


@frozen(eq=False, repr=False)
class BorneStepBody:
    name: str
    card: Var
    you: Var
    body: tuple[Stmt, ...]
    doc: str


Borne = BorneBody | BorneStepBody | Note | Ruling


@frozen(eq=False, repr=False)
class Reaction:
    name: Name
    to: tuple[Name, ...]
    you: Var
    option: Option
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Enters:
    """Runs for each card that enters the zone, at once after the move. `you`: whose zone it is."""

    zone: ZoneName
    card: Var
    you: Var | None
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Whenever:
    """Runs when the condition turns from no to yes, after the statement that changed it."""

    condition: Expr
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    doc: str
    origin: Origin = field(eq=False, repr=False)
