"""Define the expressions of the IR. They read the state; their only side effects are random draws and step counts."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from interpreter.lowered.kinds import Kind

Value = int | str | tuple[int, ...] | None


@frozen(cache_hash=True)
class Expr:
    """Expression of the IR. `kind`: the type of its value."""

    kind: Kind


@frozen(cache_hash=True)
class Const(Expr):
    """Constant value."""

    value: Value


@frozen(cache_hash=True)
class Local(Expr):
    """Variable of a function or a routine. `number` is unique within the program."""

    number: int


@frozen(cache_hash=True)
class SlotOf(Expr):
    """Number of the frame slot that holds a variable."""

    local: Local


@frozen(cache_hash=True)
class Track(Expr):
    """Slot of `State.t`: `base`, or `base` plus the owner. `may_lack`: the owner may be absent; then so is the
    value."""

    base: int
    of: Expr | None
    may_lack: bool = False


@frozen(cache_hash=True)
class Pile(Expr):
    """Cards of a pile: `base`, or `base` plus the owner. `may_lack`: the owner may be absent."""

    base: int
    of: Expr | None
    may_lack: bool = False


@frozen(cache_hash=True)
class Entry(Expr):
    """Entry of a table. The last entry is used for an absent index."""

    table: str
    index: Expr


@frozen(cache_hash=True)
class Table(Expr):
    """Whole table as a list."""

    table: str


@frozen(cache_hash=True)
class Link(Expr):
    """Value of the announcement that a reaction responds to: `depth` of its frame, and the first slot of its link."""

    depth: Expr
    base: Expr
    offset: int


@frozen(cache_hash=True)
class Arith(Expr):
    """Integer arithmetic without absent values or overflow: `+ - * //`, `%`."""

    operator: Literal["+", "-", "*", "//", "%"]
    left: Expr
    right: Expr


@frozen(cache_hash=True)
class Compare(Expr):
    """Comparison of numbers or lists: `=`, `!=`, `<`, `<=`, `>`, `>=`.

    `left_lacks`, `right_lacks`: the operand may be absent; then `=` and `<` are false. Lists compare item by item,
    or as sets if `unordered`."""

    operator: str
    left: Expr
    right: Expr
    left_lacks: bool = False
    right_lacks: bool = False
    unordered: bool = False


@frozen(cache_hash=True)
class Logic(Expr):
    """Short-circuit `and` or `or` of flags. A list counts as true if it has items."""

    operator: Literal["and", "or"]
    parts: tuple[Expr, ...]


@frozen(cache_hash=True)
class Not(Expr):
    value: Expr


@frozen(cache_hash=True)
class Either(Expr):
    """Conditional expression."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(cache_hash=True)
class Items(Expr):
    """List display. Lists in it (`Spread`) are joined in."""

    items: tuple[Expr, ...]


@frozen(cache_hash=True)
class Spread(Expr):
    """All items of a list, within `Items` or `Key`."""

    list: Expr


@frozen(cache_hash=True)
class Key(Expr):
    """Sort key: each part breaks the ties of those before it."""

    parts: tuple[Expr, ...]


@frozen(cache_hash=True)
class For:
    """Iteration over a list."""

    local: Local
    list: Expr


@frozen(cache_hash=True)
class Let:
    """Value computed once for the following clauses."""

    local: Local
    value: Expr


@frozen(cache_hash=True)
class Test:
    """Filter of a loop: only items that pass continue."""

    condition: Expr


Clause = For | Let | Test


@frozen(cache_hash=True)
class Loop(Expr):
    """Comprehension: evaluates `body` for each combination that passes the `clauses`, from the outermost in.

    `function` combines the results: `list`; `any`, `every`; `count`; `total`; `highest`, `lowest` (absent if there
    is none); `pairs` of a key and an item."""

    function: Literal["list", "any", "every", "count", "total", "highest", "lowest", "pairs"]
    clauses: tuple[Clause, ...]
    body: Expr


@frozen(cache_hash=True)
class At(Expr):
    """Item of a list at an index that exists (-1: the last)."""

    list: Expr
    index: int


@frozen(cache_hash=True)
class Count(Expr):
    """Length of a list."""

    list: Expr


@frozen(cache_hash=True)
class IsIn(Expr):
    value: Expr
    list: Expr


@frozen(cache_hash=True)
class Calling(Expr):
    """Call of a function of the program."""

    function: str
    args: tuple[Expr, ...]


@frozen(cache_hash=True)
class Dispatch(Expr):
    """Call of the function that a table has for a card; absent if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]


@frozen(cache_hash=True)
class Op(Expr):
    """Operation that both back ends implement: see `interpreter.lowered.operations`. `place`: the rule that can
    fail."""

    operation: str
    args: tuple[Expr, ...]
    place: int | None = field(default=None)


@frozen(cache_hash=True)
class Read(Expr):
    """Cards read by a ranking.

    what: `read` (a reading), `matches` (whether they form a rank), `beside` (a reading extended by more cards)."""

    ranking: str
    what: Literal["read", "matches", "beside"]
    cards: Expr
    other: Expr | None = None


@frozen(cache_hash=True)
class TestOf(Expr):
    """Test of a list, passed as an argument: `local` is the list.

    ranking: only lists that form one of its ranks can pass, and the ranking finds them."""

    local: Local
    condition: Expr
    ranking: str | None = None


EXPRESSIONS: tuple[type[Expr], ...] = (
    Const, Local, SlotOf, Track, Pile, Entry, Table, Link, Arith, Compare, Logic, Not, Either, Items, Spread, Key, Loop,
    At, Count, IsIn, Calling, Dispatch, Op, Read, TestOf,
)  # fmt: skip
"""All classes of expressions, which the code generators must support."""
