"""Draw small cards as SVG: an index and a symbol, or a title.

The view box is 63 by 88, the size of a card in millimetres.
"""

from __future__ import annotations

import textwrap
from html import escape

from attrs import define, field, frozen

from cardlang.drawing.symbols import PLAIN, Mark, Marks
from cardlang.game import Face, Game, Member
from cardlang.plain_text import harmless
from cardlang.suits import counts

WIDTH, HEIGHT = 63, 88
FONT = "font-family=\"'Libertinus Serif', Georgia, 'Times New Roman', serif\" font-weight=\"700\""
PAPER = (
    f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="6" fill="#fff" stroke="#222" stroke-width="2"/>'
)
LINES = 4


@frozen
class Look:
    """Content of a small card. `index`: the string in its corner; empty if the card shows its title."""

    title: str
    index: str
    mark: Mark | None

    @property
    def body(self) -> str:
        """Content of the SVG, without the root element."""
        if not self.index:
            return PAPER + titled(self.title, self.mark)
        if self.mark is None:
            return PAPER + line(self.index, WIDTH / 2, 58, 40, PLAIN)
        return PAPER + line(self.index, WIDTH / 2, 38, 34, self.mark.colour) + drawn(self.mark, 17, 46, 29)

    def svg(self, width: float, unit: str = "mm") -> str:
        """Return the whole SVG, of a width in `px` or `mm`."""
        height = width * HEIGHT / WIDTH
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{width:g}{unit}" height="{height:g}{unit}">{self.body}</svg>'
        )


@define
class Looks:
    """Looks of the cards of a game."""

    game: Game
    marks: Marks = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.marks = Marks(self.game)

    def of(self, face: Face) -> Look:
        return Look(face.title, self.index(face), self.marks.on(face))

    def index(self, face: Face) -> str:
        """Return the member of an ordered kind that the card has in addition to its suit.

        Return its name if that has fewer than three characters, otherwise its code; the empty string if there is none.
        """
        found = (self.member(name, face) for name in self.game.columns)
        return next((member.name if len(member.name) < 3 else member.code for member in found if member), "")

    def member(self, column: str, face: Face) -> Member | None:
        """Return the member of an ordered kind that a card has in a column, if any. Its suit is no such member."""
        said = self.game.columns[column]
        kind = self.game.kinds.get(said.type.of or "")
        place = said.place(face.number)
        suit = self.marks.suits.by_face[face.number]
        if kind is None or place is None or not counts(kind) or (suit is not None and kind is suit[0]):
            return None
        return kind.members[place]


def card_svg(game: Game, face: Face, width: float, unit: str = "mm") -> str:
    """Return the SVG of one small card, of a width in `px` or `mm`. To draw many cards, create `Looks` once."""
    return Looks(game).of(face).svg(width, unit)


def titled(title: str, mark: Mark | None) -> str:
    """Draw a card without an index: its symbol above its title."""
    lines = textwrap.wrap(harmless(title), 9, max_lines=LINES, placeholder=" …") or [""]
    size = min(14.0, 58 / (0.56 * max(map(len, lines))))
    top = (62 if mark else HEIGHT / 2 + 4) - (len(lines) - 1) * size / 2
    colour = mark.colour if mark else PLAIN
    texts = [line(text, WIDTH / 2, top + place * size, size, colour) for place, text in enumerate(lines)]
    return (drawn(mark, 18, 8, 27) if mark else "") + "".join(texts)


def drawn(mark: Mark, x: float, y: float, size: float) -> str:
    """Draw a symbol as part of a larger drawing."""
    return (
        f'<path transform="translate({x} {y}) scale({size / 100})" fill="{mark.colour}" '
        f'fill-rule="evenodd" d="{mark.path}"/>'
    )


def line(text: str, x: float, y: float, size: float, colour: str) -> str:
    """Draw a centred line of text; `y` is its base line."""
    return (
        f'<text x="{x:g}" y="{y:g}" {FONT} font-size="{size:.3g}" fill="{colour}" text-anchor="middle">'
        f"{escape(text)}</text>"
    )
