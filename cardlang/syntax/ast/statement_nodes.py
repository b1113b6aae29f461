"""AST nodes of steps, statements, choices, reactions and examples."""

from __future__ import annotations

from cardlang.syntax.ast.expression_nodes import CardList, Count, Expr, Name, Node, Number, Words


class Note(Node):
    words: Words


class Ruling(Node):
    """A question about the rules and its answer. `examples` illustrate the answer."""

    question: Words
    answer: tuple[Note, ...]
    examples: tuple[Example, ...]


class Param(Node):
    type: Name
    name: Name


class Step(Node):
    """A step. `body` is None if a user of the library may fill it."""

    your: bool
    name: Name
    params: tuple[Param, ...]
    doc: Words | None
    body: tuple[Stmt, ...] | None


class Whenever(Node):
    condition: Expr
    doc: Words | None
    body: tuple[Stmt, ...]


class Enters(Node):
    """A trigger on cards that enter a zone: `whenever card enters your achievements`."""

    thing: Name
    your: bool
    zone: Name
    doc: Words | None
    body: tuple[Stmt, ...]


class Binder(Node):
    """A variable of an option and its domain. `doc`: its text, if the clause has a line of its own."""

    name: Name
    domain: Expr | Range
    doc: Words | None = None


class Range(Node):
    low: Expr
    high: Expr


class When(Node):
    condition: Expr
    doc: Words | None = None


class Cost(Node):
    amount: Expr
    track: Name
    doc: Words | None = None


Clause = Binder | When | Cost


class Option(Node):
    name: Name
    called: Words | None
    binders: tuple[Binder, ...]
    when: tuple[When, ...]
    costs: tuple[Cost, ...]
    doc: Words | None
    body: tuple[Stmt, ...]


class Reaction(Node):
    name: Name
    called: Words | None
    to: tuple[Name, ...]
    binders: tuple[Binder, ...]
    when: tuple[When, ...]
    costs: tuple[Cost, ...]
    doc: Words | None
    body: tuple[Stmt, ...]


class Stmt(Node):
    """A statement; `doc` is its text for the rulebook."""

    doc: Words | None


class Move(Stmt):
    """A move of cards. `sorted`: "lowest" or "highest" on top, or None.

    `to`: a zone or, after `on` and `under`, a card. `preposition`: to, on or under.
    """

    verb: str
    what: Expr
    to: Expr
    preposition: str
    sorted: str | None


class Shuffle(Stmt):
    what: Expr


class Reveal(Stmt):
    what: Expr
    to: Expr | None


class Hide(Stmt):
    what: Expr


class Set(Stmt):
    target: Expr
    value: Expr


class Add(Stmt):
    amount: Expr
    target: Expr


class Subtract(Stmt):
    amount: Expr
    target: Expr


class Remember(Stmt):
    value: Expr
    name: Name


class Eliminate(Stmt):
    player: Expr


class Going(Node):
    """An iteration over players or values in turn: `player as rival in L from P where C`.

    `word` is `player`, `card` or a kind. `alias` names each of them; without it, a player is `you`.
    """

    word: Name
    alias: Name | None
    among: Expr | None
    start: Expr | None
    condition: Expr | None


class Each(Stmt):
    together: bool
    going: Going
    body: tuple[Stmt, ...]


class Repeat(Stmt):
    """A loop. `until` is None if it has no end condition. `until_pass`: it ends if a player passes the optional choice
    in its body. `most`: the maximum number of rounds."""

    until: Expr | None
    until_pass: bool
    most: Expr | None
    body: tuple[Stmt, ...]


class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


class Do(Stmt):
    step: Expr
    args: tuple[Expr, ...]


class Finish(Stmt):
    step: Name


class Pick(Stmt):
    """A choice of cards to move: `you may discard 1 to 2 from your hand to muck`."""

    who: Expr
    may: bool
    verb: str
    count: Count
    source: Expr
    to: Expr
    otherwise: tuple[Stmt, ...]


class Choose(Stmt):
    who: Expr
    may: bool
    count: Count | None
    name: Name
    domain: Expr | Range
    provided: Expr | None
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


class Menu(Stmt):
    who: Expr
    may: bool
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...]


class Offer(Stmt):
    going: Going
    may: bool
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...]


class Announce(Stmt):
    """An announcement. `on`: its target; `sharing`: remembered names that reactions may read."""

    name: Name
    on: Expr | None
    sharing: tuple[Name, ...]
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


class Cancel(Stmt):
    pass


class Tell(Stmt):
    """A log message: `tell "{you} wins {prize}."`"""

    words: Words


class Property(Stmt):
    condition: Expr


class Aside(Stmt):
    """A note or ruling among statements; `doc` is always None."""

    what: Note | Ruling


# ---------------------------------------------------------------- examples
STATEMENTS = tuple(
    each for each in list(vars().values()) if isinstance(each, type) and issubclass(each, Stmt) and each is not Stmt
)
"""All statement classes, in source order."""


class Fact(Node):
    """A fact in an example: `line for 3 [7R]`. `second`: the member after `for`."""

    name: Name
    second: Name | Number | None
    value: Expr


class GivenRow(Node):
    """One row of a `given` block. `of`: a player, a member of a kind, or cards; None for the table."""

    of: Name | Number | CardList | None
    facts: tuple[Fact, ...]


class Given(Node):
    rows: tuple[GivenRow, ...]


class ExampleDo(Node):
    step: Expr
    args: tuple[Expr, ...]


class MoveText(Node):
    """A move as printed, its words separated by single spaces."""

    text: str


class Answers(Node):
    player: Name
    moves: tuple[MoveText, ...]


class Expect(Node):
    condition: Expr


class ExpectMay(Node):
    player: Name
    negated: bool
    moves: tuple[MoveText, ...]
    because: Words | None


ExampleLine = Given | ExampleDo | Answers | Expect | ExpectMay | Note


class Example(Node):
    title: Words
    players: tuple[Name, ...]
    lines: tuple[ExampleLine, ...]
