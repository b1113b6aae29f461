"""IR expressions, the types of their values, and named operations.

Each operation is a Python function in `interpreter.runtime.builtin_functions` or `interpreter.runtime.card_moves`, and
a C function.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from cardlang.tree import FrozenValue
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
        case "list" | "answers":
            return ()
        case "reading":
            return None
        case "text":
            return ""
    return ABSENT


Value = int | str | tuple[int, ...] | None


class Expr(FrozenValue):
    """Expression of the IR. `kind`: the type of its value."""

    kind: Kind


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


class Local(Expr):
    """Variable of a function or a routine. `number` is unique within the program."""

    number: int


class SlotOf(Expr):
    """Number of the frame slot that holds a variable."""

    local: Local


class Track(Expr):
    """Slot of `State.t`: `base`, or `base` plus the owner's index. `may_lack`: the owner may be absent; then so is the
    value."""

    base: int
    of: Expr | None
    may_lack: bool = False


class Pile(Expr):
    """Cards of a pile: `base`, or `base` plus the owner. `may_lack`: the owner may be absent."""

    base: int
    of: Expr | None
    may_lack: bool = False


class Entry(Expr):
    """Entry of a table. The last entry is used for an absent index."""

    table: str
    index: Expr


class Table(Expr):
    """Whole table as a list."""

    table: str


class Link(Expr):
    """Value of the announcement that a reaction responds to: `depth` of its frame, and the first slot of its link."""

    depth: Expr
    base: Expr
    offset: int


class Arith(Expr):
    """Integer arithmetic without absent values or overflow: `+ - * //`, `%`."""

    operator: Literal["+", "-", "*", "//", "%"]
    left: Expr
    right: Expr


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


class Logic(Expr):
    """Short-circuit `and` or `or` of flags. A list counts as true if it has items."""

    operator: Literal["and", "or"]
    parts: tuple[Expr, ...]


class Not(Expr):
    value: Expr


class Either(Expr):
    """Conditional expression."""

    condition: Expr
    then: Expr
    otherwise: Expr


class Items(Expr):
    """List display. Lists in it (`Spread`) are joined in."""

    items: tuple[Expr, ...]


class Spread(Expr):
    """All items of a list, within `Items` or `Key`."""

    list: Expr


class Key(Expr):
    """Sort key: each part breaks the ties of those before it."""

    parts: tuple[Expr, ...]


class For(FrozenValue):
    """Iteration over a list."""

    local: Local
    list: Expr


class Let(FrozenValue):
    """Value computed once for the following clauses."""

    local: Local
    value: Expr


class Test(FrozenValue):
    """Filter of a loop: only items that pass continue."""

    condition: Expr


Clause = For | Let | Test


class Loop(Expr):
    """Comprehension: evaluates `body` for each combination that passes the `clauses`, from the outermost in.

    `function` combines the results: `list`; `any`, `every`; `count`; `total`; `highest`, `lowest` (absent if there
    is none); `pairs` of a key and an item."""

    function: Literal["list", "any", "every", "count", "total", "highest", "lowest", "pairs"]
    clauses: tuple[Clause, ...]
    body: Expr


class At(Expr):
    """Item of a list at an index that exists (-1: the last)."""

    list: Expr
    index: int


class Count(Expr):
    """Length of a list."""

    list: Expr


class IsIn(Expr):
    value: Expr
    list: Expr


class Calling(Expr):
    """Call of a function of the program."""

    function: str
    args: tuple[Expr, ...]


class Dispatch(Expr):
    """Call of the function that a table has for a card; absent if it has none."""

    table: str
    card: Expr
    args: tuple[Expr, ...]


class Op(Expr):
    """Operation, such as one of `VALUE_OPERATIONS`. `place`: the rule that can fail."""

    operation: str
    args: tuple[Expr, ...]
    place: int | None = field(default=None)


class Read(Expr):
    """Cards read by a ranking.

    what: `read` (a reading), `matches` (whether they form a rank), `beside` (a reading extended by more cards)."""

    ranking: str
    what: Literal["read", "matches", "beside"]
    cards: Expr
    other: Expr | None = None


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


VALUE_OPERATIONS = {
    "scaled", "plus", "minus", "times", "whole", "checked", "least_of", "most_of", "present", "strength_of",
    "part_of", "reading_owner", "compare_readings", "highest_reading", "lowest_reading", "same_face", "face_in",
    "faces_of", "separate_copies", "owner_of", "pile_of", "left_of", "right_of", "others_of", "seat_of", "is_out",
    "depth", "asked", "knowers_of", "place_knowers", "watchers", "narrowed", "only_seat", "in_both", "in_either",
    "no_answers", "with_answer", "who_answered", "answer_of", "slot_index",
}  # fmt: skip
LIST_OPERATIONS = {
    "alive", "winners", "listed", "first_of", "last_of", "some_first", "some_last", "some_top", "some_bottom",
    "some_random", "one_random", "counted", "subsets", "first_present", "first_list", "reversed", "distinct_values",
    "descending", "negated", "larger_groups", "ranked", "highest_by", "lowest_by", "all_highest_by", "all_lowest_by",
    "only_highest_by", "only_lowest_by", "rotated", "copied", "item_at", "range", "few", "whole_numbers", "distinct",
    "in_order", "ascending", "fulfilling", "more_picks", "still_there", "candidates", "above_of", "below_of",
}  # fmt: skip
EFFECT_OPERATIONS = {
    "move", "insert", "deal", "put", "shuffle", "hide", "reveal", "shuffle_players", "eliminate", "begin_picks",
    "few_moves", "one_card", "few_asked",
}  # fmt: skip
STATE_OPERATIONS = {
    "reading_owner", "left_of", "right_of", "others_of", "seat_of", "knowers_of", "place_knowers", "watchers",
    "narrowed", "winners", "some_random", "one_random", "counted", "subsets", "rotated", "distinct", "in_order",
    "more_picks", "still_there", "move", "deal", "put", "shuffle", "hide", "reveal", "shuffle_players", "eliminate",
    "begin_picks", "one_card", "above_of", "below_of", "insert",
}  # fmt: skip
"""Operations whose first argument is the state."""
PLACE_OPERATIONS = {
    "times", "whole", "checked", "present", "counted", "subsets", "few", "whole_numbers", "move", "deal", "shuffle",
    "hide", "reveal", "shuffle_players", "eliminate", "few_moves", "one_card", "few_asked", "insert",
}  # fmt: skip
"""Operations whose last argument is the place of the rule that can fail."""
RANDOM_OPERATIONS = ("one_random", "some_random")
"""Operations that draw random numbers."""
