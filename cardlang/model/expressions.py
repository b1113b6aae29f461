"""Expression classes of the checked game."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from attrs import field

from cardlang.diagnostics import Span
from cardlang.model.types import (
    AggregateFunction,
    BorneDefineName,
    BuiltinName,
    ColumnName,
    ComparisonOperator,
    DefineName,
    FaceNumber,
    KindName,
    OrderName,
    RankingName,
    SetName,
    TrackName,
    Type,
    VariableId,
    ZoneName,
)
from cardlang.tree import FrozenValue


class Expr(FrozenValue):
    type: Type
    span: Span = field(eq=False, repr=False)


UNLIMITED = "unlimited"
Value = int | Fraction | str | None
"""A known value: int or Fraction, 0/1 for a flag, the index of a member, a seat (in examples), a str for a text.

`None` is nothing; `UNLIMITED` is the number without limit.
"""


class Const(Expr):
    value: Value


class Var(Expr):
    """A value bound by an enclosing statement, filter, definition or step. `id` is unique within the game.

    `name`: its name in this expression: `you`, `it`, `that card`, `rival`. At its binding, or if the expression does
    not name it (`hand` of a player tested), the name in its binding.
    """

    id: VariableId
    name: str = field(eq=False)


class TrackValue(Expr):
    """The value of a track. `of`: its subject (None for a track of the table). `second`: its second owner, if any."""

    track: TrackName
    of: Expr | None
    second: Expr | None = None


class ZoneCards(Expr):
    """The cards of a zone, from the bottom up.

    A zone that `holds 1` has the type card (maybe absent): its only card. `second`: its second owner, if any.
    """

    zone: ZoneName
    of: Expr | None
    second: Expr | None = None


class SetCards(Expr):
    """All cards of a card set, in any zone, in the order of their numbers."""

    set: SetName


class NamedCards(Expr):
    """Cards written with their codes: faces by number.

    The type is card if there is one, else list of cards, and `named`. `=` and `in` compare faces. If the expression
    means the card itself, the face has one copy (checked).
    """

    faces: tuple[FaceNumber, ...]


class Attribute(Expr):
    """A column of a card. `card` is of type card (if it is absent, so is the result)."""

    card: Expr
    attribute: ColumnName


class Call(Expr):
    """A definition. `of`: its subject (a player, card, member, reading or list of cards), None for the table's.

    `second`: its second owner (a player, card, member or reading), if any.
    """

    define: DefineName
    of: Expr | None
    second: Expr | None = None


class BorneCall(Expr):
    """A definition on cards. For other cards it is absent (a flag: no)."""

    define: BorneDefineName
    card: Expr


class Builtin(Expr):
    """A value built into the language.

    - no argument: players (still in the game, in seat order), winners.
    - of a player: left, right (the next one still in), others (from the left on), seat (from 1).
    - of a card: owner (of the last zone it was in, maybe absent), title, above, below (the cards on and under it in its
      zone, the nearest first).
    - of a reading: title, used, rest, wilds (their number), owner (of the first card read).
    - of a member: title.
    """

    name: BuiltinName
    of: Expr | None


class Worth(Expr):
    """A member of a kind as a number: its number or its declared worth; else absent."""

    value: Expr


class Filter(Expr):
    list: Expr
    var: Var
    condition: Expr


class MapEach(Expr):
    """The value for each item: `list's attribute`. Lists are joined, absent values left out."""

    list: Expr
    var: Var
    value: Expr


class Members(Expr):
    """All members of a kind, in order."""

    kind: KindName


class Joined(Expr):
    """Items in sequence: `(hand, starter)`. Lists are joined, absent items left out."""

    items: tuple[Expr, ...]


class Selections(Expr):
    """Every way to choose `low` to `high` items of a list, in its order: a list of lists, smaller ones first.

    Without `low`, none may be chosen. Without `high`, all may be.
    """

    list: Expr
    low: Expr | None
    high: Expr | None


class Sorted(Expr):
    """A sorted list, best first: `list ranked by …`. Equal items keep their order.

    `key` of `var` is a number, member or reading (higher is better). If `order` is set, that order ranks the items, and
    `key` is None.
    """

    list: Expr
    order: OrderName | None
    var: Var | None
    key: Expr | None


class Agg(Expr):
    """An aggregate of a list. `function`:

    - count, total (0 if empty), highest, lowest (absent if empty) → one value.
    - first, last, top (= last), bottom (= first), random → one item (maybe absent). With `number`, they give a list of
      at most that many items: `top 5` and `last 5` from the end inwards, `random 2` at random.
    - reverse, distinct → a list.

    Absent items are skipped.
    """

    function: AggregateFunction
    number: Expr | None
    list: Expr


class AggBy(Expr):
    """The best item by a key: `highest of L by …`. Absent if the list is empty; the first of equal items.

    With `all`: every best item. With `only`: the only best item, absent if there are several. `order` or `key` of `var`
    as in `Sorted`.
    """

    which: Literal["first", "all", "only"]
    function: Literal["highest", "lowest"]
    list: Expr
    order: OrderName | None
    var: Var | None
    key: Expr | None


class Whole(Expr):
    """A number rounded down: `whole of x`."""

    value: Expr


class ReadRanking(Expr):
    """The best reading of some cards; absent if there is none. `beside`: a reading whose groups they may extend."""

    ranking: RankingName
    cards: Expr
    beside: Expr | None


class IsSet(Expr):
    """A test for a card set: `card is Dragons`."""

    card: Expr
    set: SetName


class IsReading(Expr):
    """A test for a ranking: `cards is Match`. All the cards together make a rank."""

    cards: Expr
    ranking: RankingName


class IsEmpty(Expr):
    """A test for an empty list, or for a single card that may be absent."""

    value: Expr


class IsAbsent(Expr):
    """A test for an absent value: `x = nothing`, `claimer = nobody`."""

    value: Expr


class Quantified(Expr):
    quantifier: Literal["any", "every", "no"]
    list: Expr
    var: Var
    condition: Expr


class Compare(Expr):
    """A comparison: `=`, `!=`, `<`, `>`, `<=`, `>=`. Both sides have one tag, with kinds converted to match.

    Lists compare item by item; lists of players as sets unless one is `ranked`. Readings compare by rank, then ties.
    Cards are equal if they are the same card, or, if one side is `named`, have the same face.
    """

    operator: ComparisonOperator
    left: Expr
    right: Expr


class IsIn(Expr):
    value: Expr
    list: Expr


class And(Expr):
    left: Expr
    right: Expr


class Or(Expr):
    left: Expr
    right: Expr


class Not(Expr):
    value: Expr


class Arith(Expr):
    """Arithmetic: `+ - *`, `/` by a constant or inside `Whole`.

    If a value is absent, so is the result. Unlimited minus a number is unlimited.
    """

    operator: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


class Cases(Expr):
    """The value of the first case whose condition holds; the last condition is None.

    `docs`: the author's text on each case.
    """

    cases: tuple[tuple[Expr, Expr | None], ...]
    docs: tuple[str, ...] = ()


class FirstPossible(Expr):
    """The first list that is not empty, else an empty one. Each list has the text that answers "why not?"."""

    lists: tuple[tuple[Expr, str], ...]


class Actor(Expr):
    """The player who made the announcement, in a reaction."""


class Target(Expr):
    """The target of the announcement, in a reaction. `name`: one of its `shared` names instead, else None."""

    name: str | None


EXPRESSION_CLASSES: tuple[type[Expr], ...] = (
    Const, Var, TrackValue, ZoneCards, SetCards, NamedCards, Attribute, Call, BorneCall, Builtin, Worth, Filter,
    MapEach, Members, Joined, Selections, Sorted, Agg, AggBy, Whole, ReadRanking, IsSet, IsReading, IsEmpty, IsAbsent,
    Quantified, Compare, IsIn, And, Or, Not, Arith, Cases, FirstPossible, Actor, Target,
)  # fmt: skip
"""All expression classes, once each. `tests/test_constructs.py` compares each complete registry with it."""


class InterpolatedText(str):
    """A text with values in it, as written.

    It holds its pieces until they are rendered in the wording of the rulebook, which needs the whole game. A loaded
    game holds none.
    """

    __slots__ = ("pieces",)
    pieces: tuple[str | Expr, ...]
