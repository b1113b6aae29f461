"""AST nodes of a file: its header and its items."""

from __future__ import annotations

from attrs import frozen

from cardlang.nodes.base import Name, Node, Subject, Words
from cardlang.nodes.examples import Example
from cardlang.nodes.play import Enters, Note, Reaction, Ruling, Step, Whenever
from cardlang.nodes.things import Cards, Define, Kind, Order, Ranking, Track, Zone

NAMELESS = ""


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
    """The root of the AST.

    `broken` holds the words of lines that the parser could not read and left out. An unknown name among them is not
    reported, because its declaration may be one of those lines. If the header is broken, `broken` contains `game`, and
    a missing header is not reported. It contains `NAMELESS` if a broken line declares an unknown name.
    """

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
class Show(Node):
    """A display hint: `show pot`; `show your board as grid of 3 beside deck`.

    `form` is as written. `cells`: the two tracks of a card that give its row and column in a grid.
    """

    subject: Subject
    name: Name
    form: Name | None
    cells: tuple[Name, Name] | None
    beside: Name | None
    doc: Words | None


Item = (
    Use | Needs | About | Component | Note | Ruling | Show | Kind | Cards | Zone | Track | Define | Order | Ranking
    | Step | Reaction | Whenever | Enters | Variant | Example
)  # fmt: skip
