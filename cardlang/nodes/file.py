"""The file: its header and its items."""

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
    """`broken`: the words of lines that could not be read and were left out. A name that cannot be found is not
    reported if it is one of them: its declaration may be what was left out. `game` is among them if the header is
    broken; then its absence is not reported either; `NAMELESS`, if a line gives something whose name is not known."""

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
    """`show pot`; `show your board as grid of 3 beside deck`: `form` is as written. `cells`: by what is kept about each
    card a grid has its rows and columns."""

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
