"""AST nodes of names, texts and expressions, and the base classes of all nodes."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cardlang.diagnostics import Span


@frozen(eq=False, repr=False)
class Node:
    span: Span


@frozen(eq=False, repr=False)
class Name(Node):
    text: str

    def __str__(self) -> str:
        return self.text


@frozen(eq=False, repr=False)
class Words(Node):
    """A quoted text, without its quotes and escapes.

    `pieces` is set if the text has values in braces. It holds the strings around the values, and the values, in order.
    """

    text: str
    pieces: tuple[str | Expr, ...] = ()


Subject = Literal["your"] | Name | None


@frozen(eq=False, repr=False)
class Called(Node):
    """Noun forms for the rulebook."""

    singular: str
    plural: str | None


@frozen(eq=False, repr=False)
class Expr(Node):
    pass


@frozen(eq=False, repr=False)
class NameRef(Expr):
    """A bare name; the scoping rules give its meaning."""

    name: str


@frozen(eq=False, repr=False)
class Yours(Expr):
    name: Name


@frozen(eq=False, repr=False)
class Its(Expr):
    name: Name


@frozen(eq=False, repr=False)
class That(Expr):
    name: Name


@frozen(eq=False, repr=False)
class Number(Expr):
    """A number, with its digits as written: `37.5`, `4`."""

    digits: str


@frozen(eq=False, repr=False)
class Text(Expr):
    text: str


@frozen(eq=False, repr=False)
class CardList(Expr):
    """Card codes in the order written: `[9G 7A]`."""

    codes: tuple[Name, ...]


@frozen(eq=False, repr=False)
class ListOf(Expr):
    items: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Attr(Expr):
    of: Expr
    name: Name


@frozen(eq=False, repr=False)
class For(Expr):
    """A value for its second owner: `your line for target`."""

    value: Expr
    second: Expr


@frozen(eq=False, repr=False)
class Where(Expr):
    list: Expr
    condition: Expr


@frozen(eq=False, repr=False)
class Ranked(Expr):
    list: Expr
    order: Expr


@frozen(eq=False, repr=False)
class Agg(Expr):
    """An aggregate: `count of L`, `top 5 of deck`, `random of L`.

    Only first, last, top, bottom and random have a `number`.
    """

    function: str
    number: Expr | None
    list: Expr


@frozen(eq=False, repr=False)
class AggBy(Expr):
    """A selection by a key: `[all | only] highest of L by order`. `which`: first, all or only."""

    which: str
    function: str
    list: Expr
    key: Expr


@frozen(eq=False, repr=False)
class Read(Expr):
    """A ranking or definition applied to cards: `Layout of hand`, `show of crib`."""

    name: Name
    list: Expr
    beside: Expr | None


@frozen(eq=False, repr=False)
class IsA(Expr):
    value: Expr
    negated: bool
    name: Name


@frozen(eq=False, repr=False)
class IsEmpty(Expr):
    value: Expr
    negated: bool


@frozen(eq=False, repr=False)
class Quantified(Expr):
    quantifier: str
    word: Name
    among: Expr | None
    condition: Expr


@frozen(eq=False, repr=False)
class Compare(Expr):
    """A comparison. `operator`: = != < > <= >= in, not in."""

    operator: str
    left: Expr
    right: Expr


@frozen(eq=False, repr=False)
class And(Expr):
    left: Expr
    right: Expr


@frozen(eq=False, repr=False)
class Or(Expr):
    left: Expr
    right: Expr


@frozen(eq=False, repr=False)
class Not(Expr):
    value: Expr


@frozen(eq=False, repr=False)
class Arith(Expr):
    """An arithmetic operation. `operator`: + - * /."""

    operator: str
    left: Expr
    right: Expr


@frozen(eq=False, repr=False)
class Negative(Expr):
    value: Expr


@frozen(eq=False, repr=False)
class Count(Node):
    """Bounds of a number: `low` to `high`. `up to N` has no `low`, `N or more` no `high`."""

    low: Expr | None
    high: Expr | None


@frozen(eq=False, repr=False)
class Way(Node):
    """A name for each item of a list, or for each selection of `count` items, whose type is `word`."""

    count: Count | None
    word: Name | None
    name: Name
    source: Expr


@frozen(eq=False, repr=False)
class Every(Expr):
    """A value for each way to choose: `(Pair of own for every 2 cards from hand as own)`. None: the choice itself."""

    value: Expr | None
    ways: tuple[Way, ...]
    condition: Expr | None
