"""AST nodes of examples: a position, actions, the players' moves, expectations."""

from __future__ import annotations

from attrs import frozen

from cardlang.nodes.base import Name, Node, Words
from cardlang.nodes.expressions import CardList, Expr
from cardlang.nodes.play import Note


@frozen(eq=False, repr=False)
class Fact(Node):
    name: Name
    value: Expr


@frozen(eq=False, repr=False)
class GivenRow(Node):
    """One row of a `given` block. `of`: a player, a member of a kind, or cards; None for the table."""

    of: Name | CardList | None
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
    """A move as printed, its words separated by single spaces."""

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
