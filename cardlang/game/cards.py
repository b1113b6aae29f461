"""Cards: card sets, faces, columns, and the rules printed on cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import field, frozen

from cardlang.game.definitions import BorneBody
from cardlang.game.expressions import Value
from cardlang.game.origin import Origin
from cardlang.game.statements import Note, Ruling
from cardlang.game.steps import BorneStepBody
from cardlang.game.types import Type
from cardlang.game.vocabulary import FaceNumber, KindName, Name, SetName, ZoneName
from cardlang.source import Span

Borne = BorneBody | BorneStepBody | Note | Ruling


OTHER_FACE = "-title"
"""Suffix of the name of a column that holds the titles of the cards' other faces."""


@frozen(eq=False, repr=False)
class Column:
    """A column of the cards. `values`: by face number; None for cards without a value."""

    name: Name
    type: Type
    values: tuple[Value, ...]

    @property
    def other_face(self) -> str:
        """Name of the other faces whose titles this column holds: `altered`, for `altered-title`.

        Empty if it holds no titles.
        """
        return self.name.removesuffix(OTHER_FACE) if self.name.endswith(OTHER_FACE) else ""

    def place(self, face: int) -> int | None:
        """Return the index of the member that a face has in a column of members; None if it has none."""
        value = self.values[face]
        return value if isinstance(value, int) else None


@frozen(eq=False, repr=False)
class Face:
    """The face of `copies` equal cards. Cards are numbered face by face; `first` is the first of these."""

    number: int
    set: SetName
    title: str
    code: str
    copies: int
    first: int
    span: Span = field(eq=False, repr=False)


def find_copies(faces: Sequence[Face], numbers: Iterable[int]) -> tuple[int, ...]:
    """Return a card for each face number. A repeated number gets the next copy, as long as there is one."""
    met: Counter[int] = Counter()
    cards = []
    for number in numbers:
        face = faces[number]
        cards.append(face.first + max(min(met[number], face.copies - 1), 0))
        met[number] += 1
    return tuple(cards)


@frozen(eq=False, repr=False)
class Product:
    """A product of kinds: `2 of each Value, Suit`."""

    count: int
    kinds: tuple[KindName, ...]


@frozen(eq=False, repr=False)
class Row:
    """A row of equal cards: `4 of "Tuna Drawing" (Tuna), Feline, 1`.

    `code`: as written; empty if it is made from the title. `values`: by the columns of the set, as in `Column`, with
    their types. `face`: None if there are no such cards. `bears`: the rules of these cards alone.
    """

    count: int
    title: str
    code: str
    values: tuple[tuple[Type, Value], ...]
    face: FaceNumber | None
    bears: tuple[Borne, ...]
    doc: str


@frozen(eq=False, repr=False)
class CardSet:
    """A set of cards. `bears`: the rules of its cards, unless their row overrides them."""

    name: Name
    home: ZoneName
    columns: tuple[str, ...]
    products: tuple[Product, ...]
    rows: tuple[Row, ...]
    bears: tuple[Borne, ...]
    doc: str
    origin: Origin = field(eq=False, repr=False)
