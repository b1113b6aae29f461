"""SVG drawings of full-size card faces and backs, with labelled parts.

The view box is 63 by 88, the size of a card in millimetres.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from html import escape

from attrs import frozen

from cardlang.cards.designer_pictures import CardPicture
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR, CardSymbol, split_at_icons
from cardlang.cards.svg_elements import CARD_FONT, CARD_HEIGHT, CARD_WIDTH, SERIF_FONT, draw_centred_text, wrap_in_svg
from cardlang.english.control_characters import remove_invisible_characters

SANS_FONT = "font-family=\"system-ui, 'DejaVu Sans', 'Libertinus Serif', sans-serif\""
PIP_LEFT, FACE_CENTRE_X, PIP_RIGHT = 22.5, 31.5, 40.5
PIP_TOP, PIP_UPPER, PIP_HIGH, FACE_CENTRE_Y = 17.0, 26.0, 35.0, 44.0
PIP_POSITIONS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((FACE_CENTRE_X, FACE_CENTRE_Y),),
    2: ((FACE_CENTRE_X, PIP_TOP), (FACE_CENTRE_X, 71)),
    3: ((FACE_CENTRE_X, PIP_TOP), (FACE_CENTRE_X, FACE_CENTRE_Y), (FACE_CENTRE_X, 71)),
    4: ((PIP_LEFT, PIP_TOP), (PIP_RIGHT, PIP_TOP), (PIP_LEFT, 71), (PIP_RIGHT, 71)),
    5: ((PIP_LEFT, PIP_TOP), (PIP_RIGHT, PIP_TOP), (FACE_CENTRE_X, FACE_CENTRE_Y), (PIP_LEFT, 71), (PIP_RIGHT, 71)),
    6: (
        (PIP_LEFT, PIP_TOP),
        (PIP_RIGHT, PIP_TOP),
        (PIP_LEFT, FACE_CENTRE_Y),
        (PIP_RIGHT, FACE_CENTRE_Y),
        (PIP_LEFT, 71),
        (PIP_RIGHT, 71),
    ),
    7: (
        (PIP_LEFT, PIP_TOP),
        (PIP_RIGHT, PIP_TOP),
        (FACE_CENTRE_X, 30.5),
        (PIP_LEFT, FACE_CENTRE_Y),
        (PIP_RIGHT, FACE_CENTRE_Y),
        (PIP_LEFT, 71),
        (PIP_RIGHT, 71),
    ),
}
PIP_POSITIONS[8] = (*PIP_POSITIONS[7], (FACE_CENTRE_X, 57.5))
PIP_POSITIONS[9] = (
    *((x, y) for x in (PIP_LEFT, PIP_RIGHT) for y in (PIP_TOP, PIP_HIGH, 53.0, 71.0)),
    (FACE_CENTRE_X, FACE_CENTRE_Y),
)
PIP_POSITIONS[10] = (
    *((x, y) for x in (PIP_LEFT, PIP_RIGHT) for y in (PIP_TOP, PIP_HIGH, 53.0, 71.0)),
    (FACE_CENTRE_X, PIP_UPPER),
    (FACE_CENTRE_X, 62.0),
)
"""Standard positions of the symbols on a card, by their number."""


@frozen
class Pip:
    """A symbol in the middle of a card: its centre and size, in millimetres."""

    x: float
    y: float
    size: float
    is_upside_down: bool


@frozen
class CardPassage:
    """A passage of text on a card. `title`: its name, if any.

    `text`: the main text. `details`: the details, or less important text, in smaller letters.
    """

    title: str
    text: str
    details: str = ""


@frozen
class CardBadge:
    """A number on a card: its name, its value and its icon, if one fits the name."""

    name: str
    value: str
    symbol: CardSymbol | None


@frozen
class CardSide:
    """A face of a card.

    - `index`: the string in its corners. `is_index_underlined`: underline it, because upside down it looks like another
      index.
    - `symbol`: the symbol in its corners; `picture`: the large one.
    - `footer`: the type of card, in small letters.
    - `has_text`: the card has text, in addition to index and symbol. `is_second_face`: this is the second face of its
      card.
    - `cost`: the number in its right corner. `badges`: its other numbers, at the bottom.
    - `art`: the designer's picture, in place of the large symbol. `text_icons`: symbols in place of their names in the
      text, when printed.
    """

    title: str
    index: str
    is_index_underlined: bool
    symbol: CardSymbol | None
    picture: CardSymbol
    footer: str
    passages: tuple[CardPassage, ...]
    has_text: bool
    is_second_face: bool = False
    cost: CardBadge | None = None
    badges: tuple[CardBadge, ...] = ()
    art: CardPicture | None = None
    text_icons: tuple[CardSymbol, ...] = ()


@frozen
class CardBack:
    """The back of all cards of a home zone. `game_title` and `home_title`: their titles. `art`: its picture, if any."""

    game_title: str
    home_title: str
    symbol: CardSymbol
    art: CardPicture | None = None


def draw_card_side(side: CardSide, show_title: bool = False) -> str:
    """Return the face of a card as SVG. `show_title`: show its title even if it has an index."""
    return wrap_in_svg_root(draw_side_body(side, show_title))


def draw_side_body(side: CardSide, show_title: bool = False) -> str:
    """Return the content of the SVG of a face, without the root element."""
    name = draw_title_below(side) if show_title else ""
    return draw_card_paper(side.is_second_face) + (
        draw_text_face(side) if side.has_text else draw_textless_face(side) + name
    )


def draw_card_back(back: CardBack) -> str:
    """Return the back of a card as SVG."""
    pattern = draw_art(back.art, 1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2) if back.art else draw_back_pattern(back)
    return wrap_in_svg_root(draw_card_paper(False) + pattern)


def draw_title_below(side: CardSide) -> str:
    """Draw the title of a card below its other content."""
    return "".join(
        draw_bold_text(line, FACE_CENTRE_X, 71 + 8 * row, fit_letter_size(line, 50, 8, 0.56), PLAIN_COLOUR)
        for row, line in enumerate(wrap_text(side.title, 14, 2))
    )


def wrap_in_svg_root(body: str) -> str:
    return wrap_in_svg(f'viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}"', body)


def draw_card_paper(is_second_face: bool) -> str:
    edge = 'stroke="#222" stroke-width="2.5"' if is_second_face else 'stroke="#8a8578" stroke-width=".7"'
    return f'<rect x=".5" y=".5" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="5" fill="#fffdf8" {edge}/>'


def draw_textless_face(side: CardSide) -> str:
    """Draw a card without text: its index and its symbols."""
    colour = side.symbol.colour if side.symbol else PLAIN_COLOUR
    corner = draw_corner_svg(side.index, side.symbol, side.is_index_underlined)
    turned = f'<g transform="rotate(180 {CARD_WIDTH / 2} {CARD_HEIGHT / 2})">{corner}</g>' if corner else ""
    return corner + turned + draw_face_centre(side, colour)


def draw_corner_svg(index: str, symbol: CardSymbol | None, underline: bool) -> str:
    """Draw the index and symbol of one corner, for cards in a fanned hand."""
    if not index:
        return draw_centred_symbol(symbol, 8.5, 10, 9) if symbol else ""
    colour = symbol.colour if symbol else PLAIN_COLOUR
    size = 15 if len(index) == 1 else 13 if len(index) == 2 else 9.5
    under = f'<path d="M5 18.3h7" stroke="{colour}" stroke-width="1"/>' if underline else ""
    return (
        draw_bold_text(index, 8.5, 15, size, colour)
        + under
        + (draw_centred_symbol(symbol, 8.5, 24, 9) if symbol else "")
    )


def draw_face_centre(side: CardSide, colour: str) -> str:
    """Draw the centre of a card: one symbol for each unit of a numeric index.

    Other cards get one large symbol, the index, or the title.
    """
    if side.art:
        return draw_art(side.art, 16, 14, 31, 60)
    if side.symbol and (pips := find_pips(side)):
        return "".join(draw_centred_symbol(side.symbol, pip.x, pip.y, pip.size, pip.is_upside_down) for pip in pips)
    if side.symbol and side.index:
        return (
            f'<rect x="16" y="14" width="31" height="60" rx="3" fill="{colour}" fill-opacity=".09" '
            f'stroke="{colour}" stroke-width=".8"/>' + draw_centred_symbol(side.picture, FACE_CENTRE_X, 44, 27)
        )
    if side.symbol:
        return draw_centred_symbol(side.symbol, FACE_CENTRE_X, 38, 30) + draw_wrapped_title(side.title, 66, colour, 50)
    return (
        draw_bold_text(side.index, FACE_CENTRE_X, 57, 40, colour)
        if side.index
        else draw_wrapped_title(side.title, FACE_CENTRE_Y, colour, 52)
    )


def find_pips(side: CardSide) -> list[Pip]:
    """Return the symbols in the middle of a card with one of the standard suits: as many as its index says."""
    number = int(side.index) if side.index.isdecimal() else 0
    if side.art or side.symbol is None or side.symbol.author or side.has_text or number not in PIP_POSITIONS:
        return []
    size = 24.0 if number == 1 else 11.5
    return [Pip(x, y, size, y > FACE_CENTRE_Y) for x, y in PIP_POSITIONS[number]]


def has_picture(side: CardSide) -> bool:
    """Return whether a card shows its picture. Cards with only an index show that instead."""
    return side.has_text or side.symbol is not None or side.art is not None


ICON_MARKS = "".join(map(chr, range(0xFDD0, 0xFDF0)))
"""Characters that no text contains. Two of them stand for an icon while a text is split into lines."""
ICON_MARK = re.compile(rf"([{ICON_MARKS}])\1")
LETTER_WIDTHS = (
    dict.fromkeys("fijlrtI.,:;!|()[]'’ ", 0.31)
    | dict.fromkeys("mwMW", 0.87)
    | dict.fromkeys("ABCDEFGHKNOPQRSUVXYZ", 0.68)
)
"""Widths of the letters that are narrower or wider than most, relative to their size."""
TEXT_LAYOUTS = ((27, 9, 4.1, 4.9), (32, 11, 3.45, 4.1), (39, 14, 2.85, 3.4))
"""Layouts for the text on a card: letters in a line, maximum number of lines, letter size, line distance."""


def draw_text_face(side: CardSide) -> str:
    """Draw a card with text: a band with its symbol, title and cost, its picture, its text, its type and numbers."""
    colour = side.symbol.colour if side.symbol else side.picture.colour
    start, width, head = get_title_left(side), get_title_width(side), wrap_side_title(side)
    lines, size, step = fit_side_text(side)
    y, large = fit_picture(len(lines) * step)
    parts = [
        f'<rect x="2" y="2" width="59" height="19" rx="4" fill="{colour}"/>',
        draw_band_sign(side, colour),
        *(
            f'<text x="{start}" y="{(13 if len(head) == 1 else 10) + 7 * row}" {SERIF_FONT} font-weight="700" '
            f'font-size="{fit_letter_size(line, width, 6.6, 0.56):.3g}" fill="#fff">{escape(line)}</text>'
            for row, line in enumerate(head)
        ),
        draw_badge(side.cost, 59, 11.5, colour) if side.cost else "",
        draw_text_picture(side, y, large, colour) if large else "",
        *(
            draw_text_line(line, 75 - (len(lines) - row) * step, fit_letter_size(line, 53, size, 0.52), side.text_icons)
            for row, line in enumerate(lines)
        ),
        draw_left_text(*fit_footer(side), "#555"),
        draw_centred_symbol(side.symbol, 8.5, 80, 6) if side.symbol and side.index else "",
        *(draw_badge(badge, 59 - 15 * place, 80.5, colour) for place, badge in enumerate(reversed(side.badges[:3]))),
        draw_coloured_edge(colour),
    ]
    return "".join(parts)


def draw_text_picture(side: CardSide, y: float, size: float, colour: str) -> str:
    """Draw the picture of a card with text in its panel. A designer's picture fills the panel."""
    top, height = y - size / 2 - 1, size + 2
    if side.art:
        return draw_art(side.art, 5, top, 53, height)
    panel = f'<rect x="5" y="{top:.3g}" width="53" height="{height:.3g}" rx="1.5" fill="{colour}" fill-opacity=".12"/>'
    return panel + draw_centred_symbol(side.picture, FACE_CENTRE_X, y, size)


def draw_art(picture: CardPicture, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<svg x="{x:g}" y="{y:.3g}" width="{width:g}" height="{height:.3g}"><image width="100%" height="100%" '
        f'preserveAspectRatio="xMidYMid slice" href="{picture.url}"/></svg>'
    )


def draw_band_sign(side: CardSide, colour: str) -> str:
    """Draw the index of a card with text on a white disc, or its symbol if it has none."""
    if not (side.index or side.symbol):
        return ""
    under = f'<path d="M7 16.2h5" stroke="{colour}" stroke-width=".8"/>' if side.is_index_underlined else ""
    index = draw_bold_text(side.index, 9.5, 14.8, fit_letter_size(side.index, 9, 10, 0.56), colour) + under
    sign = index if side.index else draw_centred_symbol(side.symbol, 9.5, 11.5, 9) if side.symbol else ""
    return f'<circle cx="9.5" cy="11.5" r="6" fill="#fff"/>{sign}'


def draw_badge(badge: CardBadge, right: float, y: float, colour: str) -> str:
    """Draw a number with its icon in a rounded box that ends at `right`."""
    width = get_badge_width(badge)
    icon = draw_centred_symbol(badge.symbol, right - width + 4, y, 4.6) if badge.symbol else ""
    return (
        f'<rect x="{right - width:.4g}" y="{y - 3.2:.4g}" width="{width:.4g}" height="6.4" rx="3" fill="#fff" '
        f'stroke="{colour}" stroke-width=".4"/>'
        + icon
        + f'<text x="{right - 1.8:.4g}" y="{y + 1.7:.4g}" {CARD_FONT} font-size="5" fill="{colour}" text-anchor="end">'
        f"{escape(badge.value)}</text>"
    )


def get_badge_width(badge: CardBadge) -> float:
    return 4.5 + 2.7 * len(badge.value) + (4.5 if badge.symbol else 0)


def draw_left_text(text: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:.3g}" {SANS_FONT} font-size="{size:.3g}" fill="{colour}">{escape(text)}</text>'
        if text
        else ""
    )


def draw_text_line(line: str, y: float, size: float, icons: Sequence[CardSymbol]) -> str:
    """Draw a line of text with its icons. Next to an icon, text has the estimated width in every font."""
    parts, x, drawn = ICON_MARK.split(line), 5.0, []
    if len(parts) == 1:
        return draw_left_text(line, x, y, size, "#222")
    for number, part in enumerate(parts):
        text = part.strip()
        if number % 2:
            drawn.append(
                draw_centred_symbol(icons[ord(part) - ord(ICON_MARKS[0])], x + size / 2, y - 0.36 * size, size)
            )
            x += size
        elif text:
            x += LETTER_WIDTHS[" "] * size * part.startswith(" ")
            width = sum(LETTER_WIDTHS.get(letter, 0.56) for letter in text) * size
            fixed = f'<text textLength="{width:.4g}" lengthAdjust="spacingAndGlyphs"'
            drawn.append(draw_left_text(text, x, y, size, "#222").replace("<text", fixed, 1))
            x += width + LETTER_WIDTHS[" "] * size * part.endswith(" ")
        else:
            x += LETTER_WIDTHS[" "] * size * len(part)
    return "".join(drawn)


def fit_footer(side: CardSide) -> tuple[str, float, float, float]:
    """Return the footer of a card with text: letters, left edge, base line and letter size."""
    text = remove_invisible_characters(side.footer)[:40]
    left = 13.0 if side.symbol and side.index else 5.0
    return text, left, 83.0, fit_letter_size(text, 58 - left - 15 * min(len(side.badges), 3), 3.9, 0.52)


def get_title_left(side: CardSide) -> int:
    """Return the left edge of the title of a card with text."""
    return 17 if side.index or side.symbol else 5


def get_title_width(side: CardSide) -> float:
    """Return the width of the title of a card with text."""
    return 58 - get_title_left(side) - (get_badge_width(side.cost) + 2 if side.cost else 0)


def wrap_side_title(side: CardSide) -> list[str]:
    """Return the lines of the title of a card with text. Words of up to 20 letters stay whole."""
    longest = max(map(len, side.title.split()), default=0)
    return wrap_text(side.title, max(int(get_title_width(side) / 3.1), min(longest, 20)), 2)


def fit_side_text(side: CardSide) -> tuple[list[str], float, float]:
    """Return the text of a card: lines, letter size and line distance, from `fit_text`."""
    text = " ".join(
        f"{passage.title}: {passage.text or passage.details}" if passage.title else passage.text or passage.details
        for passage in side.passages
    )
    marks: dict[CardSymbol | None, str] = dict(zip(side.text_icons, ICON_MARKS, strict=False))
    return fit_text("".join(2 * marks.get(icon, "") or part for part, icon in split_at_icons(text, side.text_icons)))


def fit_picture(text_height: float) -> tuple[float, float]:
    """Return the centre and size of the picture between the title and a text of height `text_height`.

    There is some space above and below it. The size is 0 if there is no room.
    """
    top, bottom = 23.5, 69.5 - text_height
    return (top + bottom) / 2, min(26.0, bottom - top) if bottom - top > 10 else 0.0


def fit_text(text: str) -> tuple[list[str], float, float]:
    """Wrap the text of a card in the largest letters that fit: lines, letter size, line distance."""
    fits = (
        layout
        for layout in TEXT_LAYOUTS
        if len(textwrap.wrap(remove_invisible_characters(text), layout[0])) <= layout[1]
    )
    width, most, size, step = next(fits, TEXT_LAYOUTS[-1])
    return wrap_text(text, width, most), size, step


def fit_letter_size(text: str, width: float, size: float, letter_ratio: float) -> float:
    """Return the letter size in which a line fits a width, at most `size`.

    `letter_ratio`: the average width of a letter, relative to its size.
    """
    return min(size, width / (letter_ratio * max(len(text), 1)))


def draw_coloured_edge(colour: str) -> str:
    return f'<rect x="2" y="2" width="59" height="84" rx="4" fill="none" stroke="{colour}" stroke-width=".8"/>'


def draw_back_pattern(back: CardBack) -> str:
    """Draw the pattern of a card back: small symbols on the colour of the home zone."""
    grid_cells = [(column, row) for row in range(7) for column in range(5)]
    marks = "".join(
        draw_centred_symbol(CardSymbol(back.symbol.path, "#ffffff", ""), 11.5 + 10 * column, 13 + 10.3 * row, 5)
        for column, row in grid_cells
    )
    colour = back.symbol.colour
    return (
        f'<rect x="4" y="4" width="55" height="80" rx="3.5" fill="{colour}"/><g opacity=".55">{marks}</g>'
        '<rect x="6" y="6" width="51" height="76" rx="2.5" fill="none" stroke="#fff" stroke-width=".8" opacity=".8"/>'
    )


def draw_centred_symbol(symbol: CardSymbol, x: float, y: float, size: float, upside_down: bool = False) -> str:
    """Draw a symbol centred at a point."""
    scale = size / 100
    turn = f"rotate(180 {x:.4g} {y:.4g}) " if upside_down else ""
    move = f"{turn}translate({x - size / 2:.4g} {y - size / 2:.4g}) scale({scale:.4g})"
    return f'<path transform="{move}" fill="{symbol.colour}" fill-rule="evenodd" d="{symbol.path}"/>'


def draw_bold_text(text: str, x: float, y: float, size: float, colour: str) -> str:
    """Draw a centred string; `y` is its base line."""
    return draw_centred_text(remove_invisible_characters(text), x, y, size, colour)


def draw_wrapped_title(text: str, y: float, colour: str, width: float) -> str:
    lines = wrap_text(text, 10, 4)
    size = min(13.0, width / (0.56 * max(map(len, lines), default=1)))
    top = y - (len(lines) - 1) * size / 2 + size / 3
    return "".join(
        draw_bold_text(line, FACE_CENTRE_X, top + row * size, size, colour) for row, line in enumerate(lines)
    )


def wrap_text(text: str, width: int, max_lines: int) -> list[str]:
    return textwrap.wrap(remove_invisible_characters(text), width, max_lines=max_lines, placeholder=" …")
