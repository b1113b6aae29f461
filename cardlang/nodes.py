"""What a game file says, as it says it: one frozen class for each rule of the grammar, each with its span.

Every node has `span`; names are kept as `Name` (text and span), so that an error can point at the very word.
`subject` is None (the table), `"your"` (each player) or a `Name` (each card, each member of a kind, …).
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from cardlang.source import Span


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
    """A quoted text, without its quotes and escapes."""

    text: str


Subject = Literal["your"] | Name | None


@frozen(eq=False, repr=False)
class Called(Node):
    """Noun forms for the rule sheet."""

    singular: str
    plural: str | None


# ---------------------------------------------------------------- the file
@frozen(eq=False, repr=False)
class Game(Node):
    title: str
    seats: tuple[int, ...]
    doc: Words | None


@frozen(eq=False, repr=False)
class Library(Node):
    title: str
    doc: Words | None


@frozen(eq=False, repr=False)
class File(Node):
    """`broken`: the words of lines that could not be read and were left out. A name that cannot be found is not
    reported if it is one of them: its declaration may be what was left out. `game` is among them if the header is
    broken; then its absence is not reported either."""

    header: Game | Library | None
    items: tuple[Item, ...]
    broken: frozenset[str] = frozenset()


@frozen(eq=False, repr=False)
class Use(Node):
    name: Name
    items: tuple[Item, ...]


@frozen(eq=False, repr=False)
class Variant(Node):
    title: Words
    doc: Words | None
    items: tuple[Item, ...]


@frozen(eq=False, repr=False)
class Needs(Node):
    subject: Subject
    name: Name
    doc: Words | None


@frozen(eq=False, repr=False)
class About(Node):
    word: str
    low: int
    high: int | None


@frozen(eq=False, repr=False)
class Component(Node):
    count: int
    title: str
    doc: Words | None


@frozen(eq=False, repr=False)
class Note(Node):
    text: str


@frozen(eq=False, repr=False)
class Ruling(Node):
    question: str
    answer: tuple[Note, ...]


# ---------------------------------------------------------------- things
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


# ---------------------------------------------------------------- meanings
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


# ---------------------------------------------------------------- what happens
@frozen(eq=False, repr=False)
class Param(Node):
    type: Name
    name: Name


@frozen(eq=False, repr=False)
class Step(Node):
    """`body` is None where a user of the library may fill it."""

    your: bool
    name: Name
    params: tuple[Param, ...]
    doc: Words | None
    body: tuple[Stmt, ...] | None


@frozen(eq=False, repr=False)
class Whenever(Node):
    condition: Expr
    doc: Words | None
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Enters(Node):
    """`whenever card enters your achievements`."""

    thing: Name
    your: bool
    zone: Name
    doc: Words | None
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Binder(Node):
    name: Name
    domain: Expr | Range


@frozen(eq=False, repr=False)
class Range(Node):
    low: Expr
    high: Expr


@frozen(eq=False, repr=False)
class When(Node):
    condition: Expr


@frozen(eq=False, repr=False)
class Cost(Node):
    amount: Expr
    track: Name


Clause = Binder | When | Cost


@frozen(eq=False, repr=False)
class Option(Node):
    name: Name
    binders: tuple[Binder, ...]
    when: tuple[When, ...]
    costs: tuple[Cost, ...]
    doc: Words | None
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Reaction(Node):
    name: Name
    to: tuple[Name, ...]
    binders: tuple[Binder, ...]
    when: tuple[When, ...]
    costs: tuple[Cost, ...]
    doc: Words | None
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Stmt(Node):
    """A statement; `doc` is its words for the rule sheet."""

    doc: Words | None


@frozen(eq=False, repr=False)
class Move(Stmt):
    """`sorted`: "lowest" or "highest" on top, or None; `under`: put beneath the pile."""

    verb: str
    what: Expr
    to: Expr
    under: bool
    sorted: str | None


@frozen(eq=False, repr=False)
class Shuffle(Stmt):
    what: Expr


@frozen(eq=False, repr=False)
class Reveal(Stmt):
    what: Expr
    to: Expr | None


@frozen(eq=False, repr=False)
class Set(Stmt):
    target: Expr
    value: Expr


@frozen(eq=False, repr=False)
class Add(Stmt):
    amount: Expr
    target: Expr


@frozen(eq=False, repr=False)
class Subtract(Stmt):
    amount: Expr
    target: Expr


@frozen(eq=False, repr=False)
class Remember(Stmt):
    value: Expr
    name: Name


@frozen(eq=False, repr=False)
class Eliminate(Stmt):
    player: Expr


@frozen(eq=False, repr=False)
class Going(Node):
    """Who or what in turn: `player in L from P where C`; `word` is `player`, `card` or a kind."""

    word: Name
    among: Expr | None
    start: Expr | None
    condition: Expr | None


@frozen(eq=False, repr=False)
class Each(Stmt):
    together: bool
    going: Going
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Repeat(Stmt):
    """`until` is None for ever; `until_pass`: until the optional choice in its body is passed."""

    until: Expr | None
    until_pass: bool
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Do(Stmt):
    step: Expr
    args: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Finish(Stmt):
    step: Name


@frozen(eq=False, repr=False)
class Count(Node):
    """`low` to `high`; `up to N` has low None; `any number` has neither."""

    low: Expr | None
    high: Expr | None


@frozen(eq=False, repr=False)
class Pick(Stmt):
    """`you may discard 1 to 2 from your hand to muck`."""

    who: Expr
    may: bool
    verb: str
    count: Count
    source: Expr
    to: Expr


@frozen(eq=False, repr=False)
class Choose(Stmt):
    who: Expr
    may: bool
    count: Count | None
    name: Name
    domain: Expr | Range
    provided: Expr | None
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Menu(Stmt):
    who: Expr
    may: bool
    options: tuple[Option, ...]


@frozen(eq=False, repr=False)
class Offer(Stmt):
    going: Going
    may: bool
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Announce(Stmt):
    """`on`: its target; `sharing`: remembered names that reactions may read."""

    name: Name
    on: Expr | None
    sharing: tuple[Name, ...]
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Cancel(Stmt):
    pass


@frozen(eq=False, repr=False)
class Property(Stmt):
    condition: Expr


@frozen(eq=False, repr=False)
class Aside(Stmt):
    """A note or a ruling among statements; `doc` is always None."""

    what: Note | Ruling


# ---------------------------------------------------------------- examples
@frozen(eq=False, repr=False)
class Fact(Node):
    name: Name
    value: Expr


@frozen(eq=False, repr=False)
class GivenRow(Node):
    """`of`: a player or a member of a kind; None for the table."""

    of: Name | None
    facts: tuple[Fact, ...]


@frozen(eq=False, repr=False)
class Given(Node):
    rows: tuple[GivenRow, ...]


@frozen(eq=False, repr=False)
class ExampleDo(Node):
    step: Expr
    args: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class MoveText(Node):
    """A move as it is printed, words parted by single spaces."""

    text: str


@frozen(eq=False, repr=False)
class Answers(Node):
    player: Name
    moves: tuple[MoveText, ...]


@frozen(eq=False, repr=False)
class Expect(Node):
    condition: Expr


@frozen(eq=False, repr=False)
class ExpectMay(Node):
    player: Name
    negated: bool
    moves: tuple[MoveText, ...]
    because: Words | None


ExampleLine = Given | ExampleDo | Answers | Expect | ExpectMay | Note


@frozen(eq=False, repr=False)
class Example(Node):
    title: Words
    players: tuple[Name, ...]
    lines: tuple[ExampleLine, ...]


Item = (
    Use | Needs | About | Component | Note | Ruling | Kind | Cards | Zone | Track | Define | Order | Ranking
    | Step | Reaction | Whenever | Enters | Variant | Example
)  # fmt: skip


# ---------------------------------------------------------------- values
@frozen(eq=False, repr=False)
class Expr(Node):
    pass


@frozen(eq=False, repr=False)
class NameRef(Expr):
    """A bare name; its meaning follows the scoping rules."""

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
    """The digits as written: `37.5`, `4`."""

    digits: str


@frozen(eq=False, repr=False)
class Text(Expr):
    text: str


@frozen(eq=False, repr=False)
class CardList(Expr):
    """`[9G 7A]`: the codes, in the order written."""

    codes: tuple[Name, ...]


@frozen(eq=False, repr=False)
class ListOf(Expr):
    items: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class Attr(Expr):
    of: Expr
    name: Name


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
    """`count of L`, `top 5 of deck`, `random of L`; `number` only with first, last, top, bottom, random."""

    function: str
    number: Expr | None
    list: Expr


@frozen(eq=False, repr=False)
class AggBy(Expr):
    """`[all] highest of L by order`."""

    all: bool
    function: str
    list: Expr
    key: Expr


@frozen(eq=False, repr=False)
class Read(Expr):
    """`Layout of hand`, `show of crib`: a ranking or a definition applied to cards."""

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
    """`operator`: = != < > <= >= in, not in."""

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
    """`operator`: + - * /."""

    operator: str
    left: Expr
    right: Expr


@frozen(eq=False, repr=False)
class Negative(Expr):
    value: Expr


