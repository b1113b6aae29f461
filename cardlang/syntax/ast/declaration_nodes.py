"""AST nodes of files, headers and declarations."""

from __future__ import annotations

from typing import Literal

from cardlang.syntax.ast.expression_nodes import Called, CardList, Expr, Name, Node, Number, Subject, Words
from cardlang.syntax.ast.statement_nodes import Enters, Example, Note, Reaction, Ruling, Step, Whenever


class Member(Node):
    """A member of a kind.

    A range of numbers (`2 to 10`) has `value` 2 and `last` 10; otherwise `last` is None.
    """

    value: str | int
    last: int | None
    code: Name | None
    worth: Number | None
    called: Called | None


class Kind(Node):
    name: Name
    ordered: bool
    members: tuple[Member, ...]
    doc: Words | None


class EachOf(Node):
    """Members of a kind: all, or those `from 7 to Ace`."""

    kind: Name
    first: Name | None
    last: Name | None


class Product(Node):
    """A product of columns: `1 of each Value, Suit`."""

    count: int
    columns: tuple[EachOf, ...]


class Row(Node):
    """A row of equal cards: `4 of "Tuna Drawing" (Tuna), Feline, 1`.

    `bears`: definitions, steps and notes of these cards alone.
    """

    count: int
    title: Words
    code: Name | None
    values: tuple[Name | Number | Words, ...]
    doc: Words | None
    bears: tuple[Define | Step | Note | Ruling, ...]


class Cards(Node):
    """A set of cards.

    `spreadsheet`: the name of the file with its rows. Until that file is read, `rows` has only titles with the rules
    of their cards.
    """

    name: Name
    code: Name | None
    home: Name
    columns: tuple[Name, ...]
    doc: Words | None
    products: tuple[Product, ...]
    rows: tuple[Row, ...]
    bears: tuple[Define | Step | Note | Ruling, ...]
    spreadsheet: Words | None


class Zone(Node):
    subject: Subject
    name: Name
    second: Name | None
    holds: int | None
    called: Called | None
    viewer: Name | None
    doc: Words | None


class Starts(Node):
    """The start value of a track.

    `again` names the steps (or `move`) that reset the track when they start. If it is empty, the track starts once.
    """

    own: bool
    again: tuple[Name, ...]
    value: Expr


class Track(Node):
    type: Name
    subject: Subject
    name: Name
    second: Name | None
    called: Called | None
    viewer: Name | None
    starts: Starts | None
    doc: Words | None


class Case(Node):
    """A conditional value: `value when condition`. The last case (`otherwise`) has no condition."""

    value: Expr
    condition: Expr | None
    doc: Words | None


class Cases(Node):
    cases: tuple[Case, ...]


class Prefer(Node):
    value: Expr
    doc: Words | None


class FirstPossible(Node):
    prefers: tuple[Prefer, ...]


class Define(Node):
    """A definition. `parameter`: the name of its cards, in `define show of cards as …`."""

    subject: Subject
    name: Name
    second: Name | None
    parameter: Name | None
    called: Called | None
    body: Expr | Cases | FirstPossible
    doc: Words | None


class OrderLine(Node):
    """A line of an order. `how`: those, best, worst, higher, lower, later, earlier.

    `layout`: flat, groups, or None for a single value.
    """

    how: str
    value: Expr
    layout: str | None
    doc: Words | None


class Order(Node):
    name: Name
    of: Name
    lines: tuple[OrderLine, ...]
    doc: Words | None


class Trait(Node):
    """A trait of a group of cards. `word`: one, different or consecutive.

    `low`: the member that ranks below all others here.
    """

    word: str
    attribute: Name
    low: Name | None


class Group(Node):
    count: int
    or_more: bool
    set: Name
    traits: tuple[Trait, ...]
    condition: Expr | None


class Alternative(Node):
    """An alternative pattern of a rank: its groups, and the traits `shared` by all its cards.

    `times`: if the groups are repeated, the least number of times.
    """

    groups: tuple[Group, ...]
    shared: tuple[Trait, ...]
    times: int | None


class Rank(Node):
    title: Words
    like: CardList | None
    doc: Words | None
    alternatives: tuple[Alternative, ...]


class Wild(Node):
    condition: Expr
    any: tuple[Name, ...]
    doc: Words | None


class Ranking(Node):
    """A ranking. `size`: the maximum number of cards, "all" or "groups" (the best split)."""

    name: Name
    size: int | Literal["all", "groups"]
    ranks: tuple[Rank, ...]
    wilds: tuple[Wild, ...]
    ties: tuple[OrderLine, ...]
    least: Expr | None
    rulings: tuple[Ruling, ...]
    doc: Words | None


# ---------------------------------------------------------------- files
NAMELESS = ""


class Game(Node):
    title: str
    seats: tuple[int, ...]
    doc: Words | None


class Library(Node):
    title: str
    doc: Words | None


class File(Node):
    """The root of the AST.

    `broken` holds the words of lines that the parser could not read and left out. An unknown name among them is not
    reported, because its declaration may be one of those lines. If the header is broken, `broken` contains `game`, and
    a missing header is not reported. It contains `NAMELESS` if a broken line declares an unknown name.
    """

    header: Game | Library | None
    items: tuple[Item, ...]
    broken: frozenset[str] = frozenset()


class Use(Node):
    name: Name
    items: tuple[Item, ...]


class Variant(Node):
    title: Words
    doc: Words | None
    items: tuple[Item, ...]


class Needs(Node):
    subject: Subject
    name: Name
    doc: Words | None


class About(Node):
    word: str
    low: int
    high: int | None


class Component(Node):
    count: int
    title: str
    doc: Words | None


class Show(Node):
    """A display hint: `show pot`; `show your board as grid of 3 beside deck`.

    `cells`: the two tracks of a card that give its row and column in a grid.
    """

    subject: Subject
    name: Name
    form: Name | None
    columns: Number | None
    cells: tuple[Name, Name] | None
    beside: Name | None
    doc: Words | None


class Role(Node):
    """A role of a declaration or an option: `role call-price is your to-call`."""

    role: Name
    subject: Subject
    name: Name


Item = (
    Use | Needs | About | Component | Note | Ruling | Show | Role | Kind | Cards | Zone | Track | Define | Order
    | Ranking | Step | Reaction | Whenever | Enters | Variant | Example
)  # fmt: skip
