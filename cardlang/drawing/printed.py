"""Draw printed cards as SVG: an index in two corners, symbols or a picture between them, and the card's text.

The view box is 63 by 88.
"""

from __future__ import annotations

import textwrap
from html import escape

from attrs import frozen

from cardlang.drawing.symbols import PLAIN, Mark
from cardlang.plain_text import harmless

WIDTH, HEIGHT = 63, 88
SERIF = "font-family=\"'Libertinus Serif', Georgia, 'Times New Roman', serif\""
SANS = "font-family=\"system-ui, 'DejaVu Sans', 'Libertinus Serif', sans-serif\""
LEFT, MIDDLE, RIGHT = 20.5, 31.5, 42.5
TOP, UPPER, HIGH, CENTRE = 17.0, 26.0, 35.0, 44.0
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((MIDDLE, CENTRE),),
    2: ((MIDDLE, TOP), (MIDDLE, 71)),
    3: ((MIDDLE, TOP), (MIDDLE, CENTRE), (MIDDLE, 71)),
    4: ((LEFT, TOP), (RIGHT, TOP), (LEFT, 71), (RIGHT, 71)),
    5: ((LEFT, TOP), (RIGHT, TOP), (MIDDLE, CENTRE), (LEFT, 71), (RIGHT, 71)),
    6: ((LEFT, TOP), (RIGHT, TOP), (LEFT, CENTRE), (RIGHT, CENTRE), (LEFT, 71), (RIGHT, 71)),
    7: ((LEFT, TOP), (RIGHT, TOP), (MIDDLE, 30.5), (LEFT, CENTRE), (RIGHT, CENTRE), (LEFT, 71), (RIGHT, 71)),
}
PIPS[8] = (*PIPS[7], (MIDDLE, 57.5))
PIPS[9] = (*((x, y) for x in (LEFT, RIGHT) for y in (TOP, HIGH, 53.0, 71.0)), (MIDDLE, CENTRE))
PIPS[10] = (*((x, y) for x in (LEFT, RIGHT) for y in (TOP, HIGH, 53.0, 71.0)), (MIDDLE, UPPER), (MIDDLE, 62.0))
"""Standard positions of the symbols on a card, by their number."""


@frozen
class Passage:
    """A passage of text on a card. `title`: its name, if any.

    `said`: the main text. `more`: the details, or less important text, in smaller letters.
    """

    title: str
    said: str
    more: str = ""


@frozen
class Side:
    """A face of a card.

    - `index`: the string in its corners. `line`: underline it, because upside down it looks like another index.
    - `mark`: the symbol in its corners; `picture`: the large one.
    - `foot`: the type of card, in small letters.
    - `read`: the card has text, in addition to index and symbol. `dark`: this is the second face of its card.
    """

    title: str
    index: str
    line: bool
    mark: Mark | None
    picture: Mark
    foot: str
    passages: tuple[Passage, ...]
    read: bool
    dark: bool = False


@frozen
class Back:
    """The back of all cards of a home zone. `game` and `home`: their titles."""

    game: str
    home: str
    mark: Mark


def side_svg(side: Side, named: bool = False) -> str:
    """Return the face of a card as SVG. `named`: show its title even if it has an index."""
    return whole(side_body(side, named))


def side_body(side: Side, named: bool = False) -> str:
    """Return the content of the SVG of a face, without the root element."""
    name = title_below(side) if named else ""
    return paper(side.dark) + (spoken(side) if side.read else plain(side) + name)


def back_svg(back: Back) -> str:
    """Return the back of a card as SVG."""
    return whole(paper(False) + patterned(back))


def title_below(side: Side) -> str:
    """Draw the title of a card below its other content."""
    return "".join(
        letters(each, MIDDLE, 71 + 8 * row, fitting(each, 50, 8, 0.56), PLAIN)
        for row, each in enumerate(wrapped(side.title, 14, 2))
    )


def whole(body: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</svg>'


def paper(dark: bool) -> str:
    edge = 'stroke="#222" stroke-width="2.5"' if dark else 'stroke="#8a8578" stroke-width=".7"'
    return f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="5" fill="#fffdf8" {edge}/>'


def plain(side: Side) -> str:
    """Draw a card without text: its index and its symbols."""
    colour = side.mark.colour if side.mark else PLAIN
    corner = corner_of(side.index, side.mark, side.line)
    turned = f'<g transform="rotate(180 {WIDTH / 2} {HEIGHT / 2})">{corner}</g>' if corner else ""
    return corner + turned + middle(side, colour)


def corner_of(index: str, mark: Mark | None, line: bool) -> str:
    """Draw the index and symbol of one corner, for cards in a fanned hand."""
    if not index:
        return symbol(mark, 8.5, 10, 9) if mark else ""
    colour = mark.colour if mark else PLAIN
    size = 15 if len(index) == 1 else 13 if len(index) == 2 else 9.5
    under = f'<path d="M5 18.3h7" stroke="{colour}" stroke-width="1"/>' if line else ""
    return letters(index, 8.5, 15, size, colour) + under + (symbol(mark, 8.5, 24, 9) if mark else "")


def middle(side: Side, colour: str) -> str:
    """Draw the centre of a card: one symbol for each unit of a numeric index.

    Other cards get one large symbol, the index, or the title.
    """
    if side.mark and side.index.isdecimal() and int(side.index) in PIPS:
        large = 22.0 if int(side.index) == 1 else 11.5
        return "".join(symbol(side.mark, x, y, large, y > CENTRE) for x, y in PIPS[int(side.index)])
    if side.mark and side.index:
        return (
            f'<rect x="16" y="14" width="31" height="60" rx="3" fill="{colour}" fill-opacity=".09" '
            f'stroke="{colour}" stroke-width=".8"/>'
            + letters(side.index, MIDDLE, 43, 30 if len(side.index) == 1 else 18, colour)
            + symbol(side.mark, MIDDLE, 58, 19)
        )
    if side.mark:
        return symbol(side.mark, MIDDLE, 38, 30) + title(side.title, 66, colour, 50)
    return letters(side.index, MIDDLE, 57, 40, colour) if side.index else title(side.title, CENTRE, colour, 52)


SETTINGS = ((27, 9, 4.1, 4.9), (32, 11, 3.45, 4.1), (39, 14, 2.85, 3.4))
"""Layouts for the text on a card: letters in a line, maximum number of lines, letter size, line distance."""


def spoken(side: Side) -> str:
    """Draw a card with text: its title at the top, its text at the bottom."""
    colour = side.mark.colour if side.mark else side.picture.colour
    start = start_of(side)
    lines, size, step = told_on(side)
    y, large = pictured(len(lines) * step)
    picture = symbol(side.picture, MIDDLE, y, large) if large else ""
    texts = "".join(
        f'<text x="5" y="{75 - (len(lines) - row) * step:.3g}" {SANS} font-size="{fitting(each, 53, size, 0.52):.3g}" '
        f'fill="#222">{escape(each)}</text>'
        for row, each in enumerate(lines)
    )
    base = harmless(side.foot)[:40]
    foot = f'<text x="5" y="83" {SANS} font-size="{fitting(base, 53, 3.9, 0.52):.3g}" fill="#555">{escape(base)}</text>'
    head = headed(side)
    named = "".join(
        f'<text x="{start}" y="{(13 if len(head) == 1 else 10) + 7 * row}" {SERIF} font-weight="700" '
        f'font-size="{fitting(each, 58 - start, 6.6, 0.56):.3g}" fill="#222">{escape(each)}</text>'
        for row, each in enumerate(head)
    )
    small = symbol(side.mark, 9.5, 11, 9) if side.mark and not side.index else ""
    corner = corner_of(side.index, side.mark, side.line) if side.index else small
    rule = '<path d="M5 21h53" stroke="#b5b0a4" stroke-width=".5"/>' if not side.index else ""
    return corner + named + rule + picture + texts + foot + edge_of(colour)


def start_of(side: Side) -> int:
    """Return the left edge of the title of a card with text."""
    return 17 if side.index or side.mark else 5


def headed(side: Side) -> list[str]:
    """Return the lines of the title of a card with text."""
    return wrapped(side.title, 13 if start_of(side) > 5 else 17, 2)


def told_on(side: Side) -> tuple[list[str], float, float]:
    """Return the text of a card: lines, letter size and line distance, from `set_small`."""
    return set_small(
        " ".join(
            f"{each.title}: {each.said or each.more}" if each.title else each.said or each.more
            for each in side.passages
        )
    )


def pictured(high: float) -> tuple[float, float]:
    """Return the centre and size of the picture between the title and a text of height `high`.

    There is some space above and below it. The size is 0 if there is no room.
    """
    top, bottom = 23.5, 69.5 - high
    return (top + bottom) / 2, min(26.0, bottom - top) if bottom - top > 10 else 0.0


def set_small(said: str) -> tuple[list[str], float, float]:
    """Wrap the text of a card in the largest letters that fit: lines, letter size, line distance."""
    fits = (each for each in SETTINGS if len(textwrap.wrap(harmless(said), each[0])) <= each[1])
    width, most, size, step = next(fits, SETTINGS[-1])
    return wrapped(said, width, most), size, step


def fitting(text: str, width: float, size: float, broad: float) -> float:
    """Return the letter size in which a line fits a width, at most `size`.

    `broad`: the average width of a letter, relative to its size.
    """
    return min(size, width / (broad * max(len(text), 1)))


def edge_of(colour: str) -> str:
    return f'<rect x="2" y="2" width="59" height="84" rx="4" fill="none" stroke="{colour}" stroke-width=".8"/>'


def patterned(back: Back) -> str:
    """Draw the pattern of a card back: small symbols on the colour of the home zone."""
    places = [(column, row) for row in range(7) for column in range(5)]
    marks = "".join(
        symbol(Mark(back.mark.path, "#ffffff", ""), 11.5 + 10 * column, 13 + 10.3 * row, 5) for column, row in places
    )
    colour = back.mark.colour
    return (
        f'<rect x="4" y="4" width="55" height="80" rx="3.5" fill="{colour}"/><g opacity=".55">{marks}</g>'
        '<rect x="6" y="6" width="51" height="76" rx="2.5" fill="none" stroke="#fff" stroke-width=".8" opacity=".8"/>'
    )


def symbol(mark: Mark, x: float, y: float, size: float, turned: bool = False) -> str:
    """Draw a symbol centred at a point."""
    scale = size / 100
    turn = f"rotate(180 {x:.4g} {y:.4g}) " if turned else ""
    move = f"{turn}translate({x - size / 2:.4g} {y - size / 2:.4g}) scale({scale:.4g})"
    return f'<path transform="{move}" fill="{mark.colour}" fill-rule="evenodd" d="{mark.path}"/>'


def letters(text: str, x: float, y: float, size: float, colour: str) -> str:
    """Draw a centred string; `y` is its base line."""
    return (
        f'<text x="{x:g}" y="{y:g}" {SERIF} font-weight="700" font-size="{size:.3g}" fill="{colour}" '
        f'text-anchor="middle">{escape(harmless(text))}</text>'
    )


def title(said: str, y: float, colour: str, width: float) -> str:
    lines = wrapped(said, 10, 4)
    size = min(13.0, width / (0.56 * max(map(len, lines), default=1)))
    top = y - (len(lines) - 1) * size / 2 + size / 3
    return "".join(letters(each, MIDDLE, top + row * size, size, colour) for row, each in enumerate(lines))


def wrapped(text: str, width: int, most: int) -> list[str]:
    return textwrap.wrap(harmless(text), width, max_lines=most, placeholder=" …")
