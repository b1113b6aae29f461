"""AST nodes of names, texts and expressions, and the base classes of all nodes."""

from __future__ import annotations

from typing import Literal

from cardlang.diagnostics import Span
from cardlang.tree import FrozenClass


class Node(FrozenClass):
    span: Span


class Name(Node):
    text: str

    def __str__(self) -> str:
        return self.text


class Words(Node):
    """A quoted text, without its quotes and escapes.

    `pieces` is set if the text has values in braces. It holds the strings around the values, and the values, in order.
    """

    text: str
    pieces: tuple[str | Expr, ...] = ()


Subject = Literal["your"] | Name | None


class Called(Node):
    """Noun forms for the rulebook."""

    singular: str
    plural: str | None


class Expr(Node):
    pass


class NameRef(Expr):
    """A bare name; the scoping rules give its meaning."""

    name: str


class Yours(Expr):
    name: Name


class Its(Expr):
    name: Name


class That(Expr):
    name: Name


class Number(Expr):
    """A number, with its digits as written: `37.5`, `4`."""

    digits: str


class Text(Expr):
    text: str


class CardList(Expr):
    """Card codes in the order written: `[9G 7A]`."""

    codes: tuple[Name, ...]


class ListOf(Expr):
    items: tuple[Expr, ...]


class Attr(Expr):
    of: Expr
    name: Name


class For(Expr):
    """A value for its second owner: `your line for target`."""

    value: Expr
    second: Expr


class Where(Expr):
    list: Expr
    condition: Expr


class Ranked(Expr):
    list: Expr
    order: Expr


class Agg(Expr):
    """An aggregate: `count of L`, `top 5 of deck`, `random of L`.

    Only first, last, top, bottom and random have a `number`.
    """

    function: str
    number: Expr | None
    list: Expr


class AggBy(Expr):
    """A selection by a key: `[all | only] highest of L by order`. `which`: first, all or only."""

    which: str
    function: str
    list: Expr
    key: Expr


class Read(Expr):
    """A ranking or definition applied to cards: `Layout of hand`, `show of crib`."""

    name: Name
    list: Expr
    beside: Expr | None


class IsA(Expr):
    value: Expr
    negated: bool
    name: Name


class IsEmpty(Expr):
    value: Expr
    negated: bool


class Quantified(Expr):
    quantifier: str
    word: Name
    among: Expr | None
    condition: Expr


class Compare(Expr):
    """A comparison. `operator`: = != < > <= >= in, not in."""

    operator: str
    left: Expr
    right: Expr


class And(Expr):
    left: Expr
    right: Expr


class Or(Expr):
    left: Expr
    right: Expr


class Not(Expr):
    value: Expr


class Arith(Expr):
    """An arithmetic operation. `operator`: + - * /."""

    operator: str
    left: Expr
    right: Expr


class Negative(Expr):
    value: Expr


class Count(Node):
    """Bounds of a number: `low` to `high`. `up to N` has no `low`, `N or more` no `high`."""

    low: Expr | None
    high: Expr | None


class Way(Node):
    """A name for each item of a list, or for each selection of `count` items, whose type is `word`."""

    count: Count | None
    word: Name | None
    name: Name
    source: Expr


class Every(Expr):
    """A value for each way to choose: `(Pair of own for every 2 cards from hand as own)`. None: the choice itself."""

    value: Expr | None
    ways: tuple[Way, ...]
    condition: Expr | None
