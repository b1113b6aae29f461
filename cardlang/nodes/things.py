"""Things and meanings: kinds, cards, zones, tracks, definitions, orders, rankings."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cardlang.nodes.base import Called, Name, Node, Subject, Words
from cardlang.nodes.expressions import CardList, Expr, Number
from cardlang.nodes.play import Note, Ruling, Step


@frozen(eq=False, repr=False)
class Member(Node):
    """A member of a kind. A run of numbers (`2 to 10`) has `value` 2 and `last` 10; else `last` is None."""

    value: str | int
    last: int | None
    code: Name | None
    worth: int | None
    called: Called | None


@frozen(eq=False, repr=False)
class Kind(Node):
    name: Name
    ordered: bool
    members: tuple[Member, ...]
    doc: Words | None


@frozen(eq=False, repr=False)
class Product(Node):
    """`1 of each Value, Suit`."""

    count: int
    columns: tuple[Name, ...]


@frozen(eq=False, repr=False)
class Row(Node):
    """`4 of "Tuna Drawing" (Tuna), Feline, 1` with what this card alone bears."""

    count: int
    title: Words
    code: Name | None
    values: tuple[Name | Number | Words, ...]
    doc: Words | None
    bears: tuple[Define | Step | Note | Ruling, ...]


@frozen(eq=False, repr=False)
class Cards(Node):
    name: Name
    code: Name | None
    home: Name
    columns: tuple[Name, ...]
    doc: Words | None
    products: tuple[Product, ...]
    rows: tuple[Row, ...]
    bears: tuple[Define | Step | Note | Ruling, ...]


@frozen(eq=False, repr=False)
class Zone(Node):
    subject: Subject
    name: Name
    holds: int | None
    called: Called | None
    viewer: str | None
    doc: Words | None


@frozen(eq=False, repr=False)
class Starts(Node):
    """`again` names the steps (or `move`) at whose start the track starts again; empty: only once."""

    own: bool
    again: tuple[Name, ...]
    value: Expr


@frozen(eq=False, repr=False)
class Track(Node):
    secret: bool
    type: Name
    subject: Subject
    name: Name
    called: Called | None
    starts: Starts | None
    doc: Words | None


@frozen(eq=False, repr=False)
class Case(Node):
    """`value when condition`; the last case (`otherwise`) has no condition."""

    value: Expr
    condition: Expr | None
    doc: Words | None


@frozen(eq=False, repr=False)
class Cases(Node):
    cases: tuple[Case, ...]


@frozen(eq=False, repr=False)
class Prefer(Node):
    value: Expr
    doc: Words | None


@frozen(eq=False, repr=False)
class FirstPossible(Node):
    prefers: tuple[Prefer, ...]


@frozen(eq=False, repr=False)
class Define(Node):
    """`parameter`: the name of the cards it is about, in `define show of cards as …`."""

    subject: Subject
    name: Name
    parameter: Name | None
    called: Called | None
    body: Expr | Cases | FirstPossible
    doc: Words | None


@frozen(eq=False, repr=False)
class OrderLine(Node):
    """`how`: those, best, worst, higher, lower, later, earlier. `layout`: flat, groups or None (a single value)."""

    how: str
    value: Expr
    layout: str | None
    doc: Words | None


@frozen(eq=False, repr=False)
class Order(Node):
    name: Name
    of: Name
    lines: tuple[OrderLine, ...]
    doc: Words | None


@frozen(eq=False, repr=False)
class Trait(Node):
    """`word`: one, different or consecutive. `low`: the member that counts below all others here."""

    word: str
    attribute: Name
    low: Name | None


@frozen(eq=False, repr=False)
class Group(Node):
    count: int
    or_more: bool
    set: Name
    traits: tuple[Trait, ...]
    condition: Expr | None


@frozen(eq=False, repr=False)
class Alternative(Node):
    """Groups of one pattern; `shared`: traits over all its cards."""

    groups: tuple[Group, ...]
    shared: tuple[Trait, ...]


@frozen(eq=False, repr=False)
class Rank(Node):
    title: Words
    like: CardList | None
    doc: Words | None
    alternatives: tuple[Alternative, ...]


@frozen(eq=False, repr=False)
class Wild(Node):
    condition: Expr
    any: tuple[Name, ...]
    doc: Words | None


@frozen(eq=False, repr=False)
class Ranking(Node):
    """`size`: how many cards at most, "all" or "groups" (the best split)."""

    name: Name
    size: int | Literal["all", "groups"]
    ranks: tuple[Rank, ...]
    wilds: tuple[Wild, ...]
    ties: tuple[OrderLine, ...]
    least: Name | None
    rulings: tuple[Ruling, ...]
    doc: Words | None
