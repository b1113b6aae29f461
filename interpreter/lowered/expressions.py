"""Expressions of a lowered program. They read the state and change nothing but the random state and the fuel."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from interpreter.lowered.kinds import Kind

Value = int | str | tuple[int, ...] | None


@frozen(cache_hash=True)
class Expr:
    """`kind`: of its value."""

    kind: Kind


@frozen(cache_hash=True)
class Const(Expr):
    """A value known beforehand."""

    value: Value


@frozen(cache_hash=True)
class Local(Expr):
    """A variable of a function or a routine. `number` is its own within the program."""

    number: int


@frozen(cache_hash=True)
class SlotOf(Expr):
    """In which slot of its frame a variable lies."""

    local: Local


@frozen(cache_hash=True)
class Track(Expr):
    """A slot of `State.t`: `base`, or `base` and whose it is. `may_lack`: `of` may be nobody; then it is absent."""

    base: int
    of: Expr | None
    may_lack: bool = False


@frozen(cache_hash=True)
class Pile(Expr):
    """The cards of a pile, likewise."""

    base: int
    of: Expr | None
    may_lack: bool = False


@frozen(cache_hash=True)
class Entry(Expr):
    """An entry of a table; the last one answers for an absent index."""

    table: str
    index: Expr


@frozen(cache_hash=True)
class Table(Expr):
    """A table as a list."""

    table: str


@frozen(cache_hash=True)
class Link(Expr):
    """A value of an announcement that is answered: `depth` of the frame and the slot where the link begins."""

    depth: Expr
    base: Expr
    offset: int


@frozen(cache_hash=True)
class Arith(Expr):
    """Whole numbers that are there and small enough: `+ - * //`, `%`."""

    operator: Literal["+", "-", "*", "//", "%"]
    left: Expr
    right: Expr


@frozen(cache_hash=True)
class Compare(Expr):
    """`=`, `!=`, `<`, `<=`, `>`, `>=` between numbers, `left_lacks` or `right_lacks` if they may be absent: then `=`
    and `<` are no. Lists compare item by item, `unordered`: as sets."""

    operator: str
    left: Expr
    right: Expr
    left_lacks: bool = False
    right_lacks: bool = False
    unordered: bool = False


@frozen(cache_hash=True)
class Logic(Expr):
    """`and` or `or` of flags, as far as needed. A list counts as yes if it has items."""

    operator: Literal["and", "or"]
    parts: tuple[Expr, ...]


@frozen(cache_hash=True)
class Not(Expr):
    value: Expr


@frozen(cache_hash=True)
class Either(Expr):
    """One of two values, by a condition."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(cache_hash=True)
class Items(Expr):
    """A list written item by item, with lists (`Spread`) joined in."""

    items: tuple[Expr, ...]


@frozen(cache_hash=True)
class Spread(Expr):
    """All items of a list, within `Items` or `Key`."""

    list: Expr


@frozen(cache_hash=True)
class Key(Expr):
    """What things compare by: each part decides where those before are equal."""

    parts: tuple[Expr, ...]


@frozen(cache_hash=True)
class For:
    """Through a list."""

    local: Local
    list: Expr


@frozen(cache_hash=True)
class Let:
    """A value worked out once from here on."""

    local: Local
    value: Expr


@frozen(cache_hash=True)
class Test:
    """Only where it holds."""

    condition: Expr


Clause = For | Let | Test


@frozen(cache_hash=True)
class Loop(Expr):
    """Through lists and conditions (`clauses`, from the outside in), for each that is left the `body`, and of these:
    `list`; `any`, `every`: whether it holds of one, of all; `count`; `total`; `highest`, `lowest` (absent if there is
    none); `pairs`: of a key and an item."""

    function: Literal["list", "any", "every", "count", "total", "highest", "lowest", "pairs"]
    clauses: tuple[Clause, ...]
    body: Expr


@frozen(cache_hash=True)
class At(Expr):
    """The item of a list at a place (-1: the last), which is there."""

    list: Expr
    index: int


@frozen(cache_hash=True)
class Count(Expr):
    """How many items a list has."""

    list: Expr


@frozen(cache_hash=True)
class IsIn(Expr):
    value: Expr
    list: Expr


@frozen(cache_hash=True)
class Calling(Expr):
    """A function of the program."""

    function: str
    args: tuple[Expr, ...]


@frozen(cache_hash=True)
class Dispatch(Expr):
    """The function that a table of functions has for a card, called with `args`; absent if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]


@frozen(cache_hash=True)
class Op(Expr):
    """An operation that both back ends know: see `interpreter.lowered.operations`. `place`: the rule's, where it can be
    at fault."""

    operation: str
    args: tuple[Expr, ...]
    place: int | None = field(default=None)


@frozen(cache_hash=True)
class Read(Expr):
    """Cards read by a ranking: `read` (a reading), `matches` (whether they make a rank), `beside` (more cards beside
    a reading)."""

    ranking: str
    what: Literal["read", "matches", "beside"]
    cards: Expr
    other: Expr | None = None


@frozen(cache_hash=True)
class TestOf(Expr):
    """A test of a list that is handed on: `local` stands for the list. `ranking`: only lists that make a rank of it
    can pass, and the ranking finds them."""

    local: Local
    condition: Expr
    ranking: str | None = None


EXPRESSIONS: tuple[type[Expr], ...] = (
    Const, Local, SlotOf, Track, Pile, Entry, Table, Link, Arith, Compare, Logic, Not, Either, Items, Spread, Key, Loop,
    At, Count, IsIn, Calling, Dispatch, Op, Read, TestOf,
)  # fmt: skip
"""Every class of expressions, once: what printers know."""
