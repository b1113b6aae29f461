"""IR expressions, the types of their values, and named operations.

Each operation is a Python function in `interpreter.runtime.builtin_functions` or `interpreter.runtime.card_moves`, and
a C function. `state`: its first argument is the state. `place`: its last argument is the place of the rule that can
fail.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from interpreter.runtime.state import ABSENT, NO_NUMBER

Tag = Literal[
    "number", "flag", "card", "seat", "member", "text", "reading", "probe", "list", "key", "pair", "answers", "nothing"
]


@frozen
class Kind:
    """Type of a value.

    - `number` (stored multiplied by `scale`), `flag`, `card`, `seat`, `member`: integers
    - `text`: a string
    - `list`: of `item`
    - `key`: a sort key of `width` numbers or lists (0: unknown)
    - `pair`: a key and an `item`
    - `reading`: of a hand; `probe`: a reading while its ties are evaluated
    - `answers`: the choices made so far in a simultaneous choice"""

    tag: Tag
    item: Kind | None = None
    scale: int = 1
    width: int = 0

    @property
    def is_cards(self) -> bool:
        """Return whether this is a card or a list of cards."""
        return self.tag == "card" or (self.item is not None and self.item.tag == "card")


NUMBER, FLAG, CARD, SEAT, MEMBER = Kind("number"), Kind("flag"), Kind("card"), Kind("seat"), Kind("member")
TEXT, READING, PROBE, ANSWERS, NOTHING = Kind("text"), Kind("reading"), Kind("probe"), Kind("answers"), Kind("nothing")


def build_list_kind(item: Kind) -> Kind:
    return Kind("list", item)


NUMBERS, CARDS, SEATS = build_list_kind(NUMBER), build_list_kind(CARD), build_list_kind(SEAT)


def build_number_kind(scale: int) -> Kind:
    return Kind("number", scale=scale)


def encode_absent(kind: Kind) -> int | str | tuple[int, ...] | None:
    """Return the encoding of an absent value of a kind."""
    match kind.tag:
        case "number":
            return NO_NUMBER
        case "flag":
            return 0
        case "list":
            return ()
        case "reading":
            return None
        case "text":
            return ""
    return ABSENT


Value = int | str | tuple[int, ...] | None


@frozen(cache_hash=True)
class Expr:
    """Expression of the IR. `kind`: the type of its value."""

    kind: Kind


@frozen(cache_hash=True)
class Const(Expr):
    """Constant value."""

    value: Value


def build_number(value: int) -> Const:
    """Return a constant whole number."""
    return Const(NUMBER, value)


def build_absent(kind: Kind) -> Const:
    """Return the constant for an absent value of a kind."""
    return Const(kind, encode_absent(kind))


TRUE, FALSE = Const(FLAG, 1), Const(FLAG, 0)
ZERO, ONE = Const(NUMBER, 0), Const(NUMBER, 1)


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
    """Operation that all code generators implement: see `OPERATIONS`. `place`: the rule that can fail."""

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


EXPRESSION_CLASSES: tuple[type[Expr], ...] = (
    Const, Local, SlotOf, Track, Pile, Entry, Table, Link, Arith, Compare, Logic, Not, Either, Items, Spread, Key, Loop,
    At, Count, IsIn, Calling, Dispatch, Op, Read, TestOf,
)  # fmt: skip
"""All classes of expressions, which the code generators must support."""


@frozen
class Operation:
    state: bool = False
    place: bool = False


TAKES_NOTHING, TAKES_STATE, TAKES_PLACE, TAKES_STATE_AND_PLACE = (
    Operation(),
    Operation(True),
    Operation(place=True),
    Operation(True, True),
)
VALUE_OPERATIONS = {
    "scaled": TAKES_NOTHING, "plus": TAKES_NOTHING, "minus": TAKES_NOTHING, "times": TAKES_PLACE, "whole": TAKES_PLACE,
    "checked": TAKES_PLACE, "least_of": TAKES_NOTHING, "most_of": TAKES_NOTHING, "present": TAKES_PLACE,
    "strength_of": TAKES_NOTHING, "part_of": TAKES_NOTHING, "reading_owner": TAKES_STATE,
    "compare_readings": TAKES_NOTHING, "highest_reading": TAKES_NOTHING, "lowest_reading": TAKES_NOTHING,
    "same_face": TAKES_NOTHING, "face_in": TAKES_NOTHING, "faces_of": TAKES_NOTHING, "separate_copies": TAKES_NOTHING,
    "owner_of": TAKES_NOTHING, "pile_of": TAKES_NOTHING, "left_of": TAKES_STATE, "right_of": TAKES_STATE,
    "others_of": TAKES_STATE, "seat_of": TAKES_STATE, "is_out": TAKES_NOTHING, "depth": TAKES_NOTHING,
    "asked": TAKES_NOTHING, "knowers_of": TAKES_STATE, "watchers": TAKES_STATE, "narrowed": TAKES_STATE,
    "only_seat": TAKES_NOTHING, "in_both": TAKES_NOTHING, "in_either": TAKES_NOTHING, "no_answers": TAKES_NOTHING,
    "with_answer": TAKES_NOTHING, "who_answered": TAKES_NOTHING, "answer_of": TAKES_NOTHING,
}  # fmt: skip
LIST_OPERATIONS = {
    "alive": TAKES_NOTHING, "winners": TAKES_STATE, "listed": TAKES_NOTHING, "first_of": TAKES_NOTHING,
    "last_of": TAKES_NOTHING, "some_first": TAKES_NOTHING, "some_last": TAKES_NOTHING, "some_top": TAKES_NOTHING,
    "some_bottom": TAKES_NOTHING, "some_random": TAKES_STATE, "one_random": TAKES_STATE,
    "counted": TAKES_STATE_AND_PLACE, "subsets": TAKES_STATE_AND_PLACE, "first_present": TAKES_NOTHING,
    "first_list": TAKES_NOTHING, "reversed": TAKES_NOTHING, "distinct_values": TAKES_NOTHING,
    "descending": TAKES_NOTHING, "negated": TAKES_NOTHING, "larger_groups": TAKES_NOTHING, "ranked": TAKES_NOTHING,
    "highest_by": TAKES_NOTHING, "lowest_by": TAKES_NOTHING, "all_highest_by": TAKES_NOTHING,
    "all_lowest_by": TAKES_NOTHING, "only_highest_by": TAKES_NOTHING, "only_lowest_by": TAKES_NOTHING,
    "rotated": TAKES_STATE, "copied": TAKES_NOTHING, "item_at": TAKES_NOTHING, "range": TAKES_NOTHING,
    "few": TAKES_PLACE, "whole_numbers": TAKES_PLACE, "distinct": TAKES_STATE, "in_order": TAKES_STATE,
    "ascending": TAKES_NOTHING, "fulfilling": TAKES_NOTHING, "more_picks": TAKES_STATE, "still_there": TAKES_STATE,
    "candidates": TAKES_NOTHING,
}  # fmt: skip
RANDOM_OPERATIONS = ("one_random", "some_random")
"""Operations that draw random numbers."""
EFFECT_OPERATIONS = {
    "move": TAKES_STATE_AND_PLACE, "deal": TAKES_STATE_AND_PLACE, "put": TAKES_STATE, "shuffle": TAKES_STATE_AND_PLACE,
    "reveal": TAKES_STATE_AND_PLACE, "shuffle_players": TAKES_STATE_AND_PLACE, "eliminate": TAKES_STATE_AND_PLACE,
    "begin_picks": TAKES_STATE, "few_moves": TAKES_PLACE, "one_card": TAKES_STATE_AND_PLACE, "few_asked": TAKES_PLACE,
}  # fmt: skip
OPERATIONS = VALUE_OPERATIONS | LIST_OPERATIONS | EFFECT_OPERATIONS
