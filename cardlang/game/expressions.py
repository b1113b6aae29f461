"""Expressions, resolved and typed."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from attrs import field, frozen

from cardlang.game.types import Type
from cardlang.game.vocabulary import (
    BorneDefineName,
    BuiltinName,
    ColumnName,
    Comparison,
    DefineName,
    FaceNumber,
    Function,
    KindName,
    OrderName,
    RankingName,
    SetName,
    TrackName,
    VarNumber,
    ZoneName,
)  # fmt: skip
from cardlang.source import Span


@frozen
class Expr:
    type: Type
    span: Span = field(eq=False, repr=False)


UNLIMITED = "unlimited"
Value = int | Fraction | str | None
"""A known value: int or Fraction, 0/1 for a flag, a member's place, a seat (in examples), a str for a text. `None` is
nothing; `UNLIMITED` is the number without limit."""


@frozen
class Const(Expr):
    value: Value


@frozen
class Var(Expr):
    """A value bound by an enclosing statement, filter, definition or step. `id` is unique within the game. `name`: how
    it is called where it stands: `you`, `it`, `that card`, `rival`; where it is bound, and where it is not named
    (`hand` of a player tested), how it was bound."""

    id: VarNumber
    name: str = field(eq=False)


@frozen
class TrackValue(Expr):
    """The value of a track; `of` is whose (None for the table's own)."""

    track: TrackName
    of: Expr | None


@frozen
class ZoneCards(Expr):
    """The cards of a zone, from the bottom up. A zone that `holds 1` has the type card (maybe absent):
    its only card."""

    zone: ZoneName
    of: Expr | None


@frozen
class SetCards(Expr):
    """All cards of a card set, wherever they are, in the order of their numbers."""

    set: SetName


@frozen
class NamedCards(Expr):
    """Cards written with their codes: faces by number. Type card if there is one, else list of cards; `named`.
    `=` and `in` compare faces. Where the card itself is meant, the face has one copy (checked)."""

    faces: tuple[FaceNumber, ...]


@frozen
class Attribute(Expr):
    """A column of a card: `card` is of type card (maybe absent: then so is the result)."""

    card: Expr
    attribute: ColumnName


@frozen
class Call(Expr):
    """A definition. `of`: its subject (a player, card, member, reading or list of cards), None for the table's."""

    define: DefineName
    of: Expr | None


@frozen
class BorneCall(Expr):
    """A definition that cards bear. Cards that do not bear it: absent (a flag: no)."""

    define: BorneDefineName
    card: Expr


@frozen
class Builtin(Expr):
    """What the language itself knows.

    no argument: players (those still in, in seat order), winners
    of a player: left, right (the next one still in), others (from the left on), seat (from 1)
    of a card: owner (whose zone it was last in, maybe absent), title
    of a list: size
    of a reading: title, used, rest, wilds (how many), owner (of the first card read)
    of a member: title
    """

    name: BuiltinName
    of: Expr | None


@frozen
class Worth(Expr):
    """A member of a kind as a number: its number or its declared worth; else absent."""

    value: Expr


@frozen
class Filter(Expr):
    list: Expr
    var: Var
    condition: Expr


@frozen
class MapEach(Expr):
    """`list's attribute`: for each item the value; lists are joined, absent values left out."""

    list: Expr
    var: Var
    value: Expr


@frozen
class Members(Expr):
    """All members of a kind in their order."""

    kind: KindName


@frozen
class Joined(Expr):
    """`(hand, starter)`: items one after another, lists joined, absent ones left out."""

    items: tuple[Expr, ...]


@frozen
class Sorted(Expr):
    """`list ranked by …`, best first. Equal items keep their order. `key` of `var` is a number, member or reading
    (higher is better), or, if `order` is set, that order ranks the items and key is None."""

    list: Expr
    order: OrderName | None
    var: Var | None
    key: Expr | None


@frozen
class Agg(Expr):
    """`function`:
    count, total (0 if empty), highest, lowest (absent if empty) → one value;
    first, last, top (= last), bottom (= first), random → one item (maybe absent) or, with `number`, a list
    of up to so many: `top 5` and `last 5` from the end inwards, `random 2` drawn from chance;
    reverse, distinct → a list; subsets → a list of lists (only inside a fold).
    Absent items are skipped."""

    function: Function
    number: Expr | None
    list: Expr


@frozen
class AggBy(Expr):
    """`highest of L by …`: an item (absent if the list is empty), the first among equals; with `all` every one that is
    best; with `only` the one that is best alone, absent if there are several. `order` or `key` of `var` as in
    `Sorted`."""

    which: Literal["first", "all", "only"]
    function: Literal["highest", "lowest"]
    list: Expr
    order: OrderName | None
    var: Var | None
    key: Expr | None


@frozen
class Whole(Expr):
    """`whole of x`: rounded down."""

    value: Expr


@frozen
class ReadRanking(Expr):
    """The best reading of some cards; absent if there is none. `beside`: a reading whose groups may be extended."""

    ranking: RankingName
    cards: Expr
    beside: Expr | None


@frozen
class IsSet(Expr):
    """`card is Dragons`."""

    card: Expr
    set: SetName


@frozen
class IsReading(Expr):
    """`cards is Match`: all of them together make a rank."""

    cards: Expr
    ranking: RankingName


@frozen
class IsEmpty(Expr):
    """Of a list, or of a single card that may be absent."""

    value: Expr


@frozen
class IsAbsent(Expr):
    """`x = nothing`, `claimer = nobody`."""

    value: Expr


@frozen
class Quantified(Expr):
    quantifier: Literal["any", "every", "no"]
    list: Expr
    var: Var
    condition: Expr


@frozen
class Compare(Expr):
    """`=`, `!=`, `<`, `>`, `<=`, `>=`. Both sides have one tag, kinds made equal. Lists compare item by item;
    lists of players as sets unless one is `ranked`. Readings compare by rank, then ties.
    Cards are equal if they are the same card, or the same face where one side is `named`."""

    operator: Comparison
    left: Expr
    right: Expr


@frozen
class IsIn(Expr):
    value: Expr
    list: Expr


@frozen
class And(Expr):
    left: Expr
    right: Expr


@frozen
class Or(Expr):
    left: Expr
    right: Expr


@frozen
class Not(Expr):
    value: Expr


@frozen
class Arith(Expr):
    """`+ - *`, `/` by a constant or inside `Whole`. With something absent the result is absent.
    Unlimited minus something is unlimited."""

    operator: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


@frozen
class Cases(Expr):
    """The value of the first case whose condition holds; the last has None for a condition. `docs`: the author's words
    beside each."""

    cases: tuple[tuple[Expr, Expr | None], ...]
    docs: tuple[str, ...] = ()


@frozen
class FirstPossible(Expr):
    """The first list that is not empty, else an empty one; each with the words that answer "why not?"."""

    lists: tuple[tuple[Expr, str], ...]


@frozen
class Actor(Expr):
    """In a reaction: who made the announcement that is answered."""


@frozen
class Target(Expr):
    """In a reaction: what was announced on. The same for `shared` names: `name` is one, else None."""

    name: str | None


EXPRESSIONS: tuple[type[Expr], ...] = (
    Const, Var, TrackValue, ZoneCards, SetCards, NamedCards, Attribute, Call, BorneCall, Builtin, Worth, Filter,
    MapEach, Members, Joined, Sorted, Agg, AggBy, Whole, ReadRanking, IsSet, IsReading, IsEmpty, IsAbsent, Quantified,
    Compare, IsIn, And, Or, Not, Arith, Cases, FirstPossible, Actor, Target,
)  # fmt: skip
"""Every class of expressions, once. What must know them all is compared with it (`tests/test_constructs.py`)."""
