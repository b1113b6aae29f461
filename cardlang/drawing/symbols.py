"""Assign a symbol and a colour to each member of suit-like kinds. The shapes differ without colours."""

from __future__ import annotations

from attrs import define, field, frozen

from cardlang.game import Face, Game, Kind
from cardlang.suits import Suits

SHAPES = (
    "M50 5A45 45 0 1 1 50 95A45 45 0 1 1 50 5Z",  # disc
    "M35 6H65V35H94V65H65V94H35V65H6V35H35Z",  # cross
    "M50 2L90 50L50 98L10 50Z",  # rhombus
    "M66 5A46 46 0 1 0 95 66A36 36 0 1 1 66 5Z",  # crescent
    "M50 7L97 91H3Z",  # triangle
    "M50 5A45 45 0 1 1 50 95A45 45 0 1 1 50 5ZM50 29A21 21 0 1 0 50 71A21 21 0 1 0 50 29Z",  # ring
    "M60 2L14 58H44L36 98L86 38H55Z",  # bolt
    "M50 3L61.8 33.8L94.7 35.5L69 56.2L77.6 88L50 70L22.4 88L31 56.2L5.3 35.5L38.2 33.8Z",  # star
    "M8 6H92L60 50L92 94H8L40 50Z",  # hourglass
    "M10 10H90V90H10ZM34 34V66H66V34Z",  # frame
    "M50 8L97 55L77 76L50 49L23 76L3 55Z",  # chevron
    "M7 14H93V42H7ZM7 58H93V86H7Z",  # bars
    "M27 8H73L97 50L73 92H27L3 50Z",  # hexagon
    "M50 2C88 26 88 74 50 98C12 74 12 26 50 2ZM50 24C42 40 42 60 50 76C58 60 58 40 50 24Z",  # leaf
)
"""Path data in a view box of 100 by 100, for the fill rule `evenodd`."""

SIGNS = "●✚◆☾▲○ϟ★⧗▣⌃≡⬢❦"
"""Characters of the shapes, in the same order, for terminals."""

FRAMES = ("", "M0 0H100V100H0Z", "M50 -18A68 68 0 1 1 50 118A68 68 0 1 1 50 -18Z")
"""Frames around the shapes when they repeat: first a dark square, then a dark disc."""

COLOURS = ("#176639", "#7a2a8c", "#b3261e", "#0b57a4", "#855400", "#404040", "#0c666c", "#a3155b")
"""Colours of symbols, dark enough to be legible on white."""

PLAIN = "#333333"
"""Colour of all kinds but the first: their members are distinguished by shape."""

COLOURED = {
    "heart": COLOURS[2], "diamond": COLOURS[2], "club": "#222222", "spade": "#222222", "black": "#222222",
    "red": COLOURS[2], "green": COLOURS[0], "blue": COLOURS[3], "yellow": "#7d6600", "white": "#5c6670",
    "purple": COLOURS[1], "violet": COLOURS[1], "orange": "#a34700", "pink": COLOURS[7], "brown": COLOURS[4],
}  # fmt: skip
"""Colours of members with certain words in their names: colour names and common suits."""


@frozen
class Mark:
    """A symbol: path data (view box of 100 by 100, `evenodd`) and its colour. `name`: the noun that it represents."""

    path: str
    colour: str
    name: str


def shape(number: int) -> str:
    """Return the path data of the symbol with this number. They repeat after three rounds of the shapes."""
    lap, place = divmod(number, len(SHAPES))
    return FRAMES[lap % len(FRAMES)] + SHAPES[place]


NAMED = {
    "heart": "M50 94C22 70 4 52 4 31A23 23 0 0 1 50 24A23 23 0 0 1 96 31C96 52 78 70 50 94Z",
    "diamond": "M50 3L86 50L50 97L14 50Z",
    "club": "M50 4A21 21 0 0 1 67 37A21 21 0 1 1 56 66L62 95H38L44 66A21 21 0 1 1 33 37A21 21 0 0 1 50 4Z",
    "spade": "M50 3C72 26 95 42 95 62A20 20 0 0 1 57 71L63 96H37L43 71A20 20 0 0 1 5 62C5 42 28 26 50 3Z",
}
"""Shapes of members with certain names, in the singular."""


def symbol(kind: Kind, place: int, before: int = 0) -> Mark:
    """Return the symbol of the member at index `place` of a kind.

    `before`: the number of symbols that other kinds use.
    """
    noun = kind.members[place].noun.singular
    colour = named_colour(noun) or (PLAIN if before else COLOURS[place % len(COLOURS)])
    return Mark(NAMED.get(noun.lower().removesuffix("s"), shape(before + place)), colour, noun)


def named_colour(noun: str) -> str:
    """Return the colour for a word of a name; empty if no word has one."""
    spoken = noun.lower().replace("-", " ").split()
    return next((COLOURED[word.removesuffix("s")] for word in spoken if word.removesuffix("s") in COLOURED), "")


@define(slots=False)
class Marks:
    """Symbols of a game: of its suit-like kinds, all different."""

    game: Game
    suits: Suits = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.suits = Suits(self.game)

    def of(self, kind: str, place: int) -> Mark | None:
        """Return the symbol of a member; None if its kind has no symbols."""
        before = self.suits.offsets.get(kind)
        return None if before is None else symbol(self.game.kinds[kind], place, before)

    def size(self, kind: str) -> int:
        """Return the number of members of a kind with a symbol."""
        return len(self.game.kinds[kind].members) if kind in self.suits.offsets else 0

    def on(self, face: Face) -> Mark | None:
        """Return the symbol on a card; None if it has no suit."""
        suit = self.suits.by_face[face.number]
        return None if suit is None else self.of(suit[0].name, suit[1])

    def ink(self, face: Face) -> str:
        """Return the colour of the print on a card: a colour named in its title, or that of its suit."""
        mark = self.on(face)
        return named_colour(face.title) or (mark.colour if mark is not None else PLAIN)
