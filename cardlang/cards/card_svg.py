"""SVG drawings of full-size card faces and backs, with labelled parts.

The view box is 63 by 88, the size of a card in millimetres.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from attrs import frozen

from cardlang.cards.card_symbols import PLAIN_COLOUR, CardSymbol
from cardlang.cards.svg import CARD_FONT, CARD_HEIGHT, CARD_WIDTH, SERIF_FONT, draw_centred_text, wrap_in_svg
from cardlang.english.control_characters import remove_invisible_characters

SANS_FONT = "font-family=\"system-ui, 'DejaVu Sans', 'Libertinus Serif', sans-serif\""
PIP_LEFT, FACE_CENTRE_X, PIP_RIGHT = 20.5, 31.5, 42.5
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
class CardPassage:
    """A passage of text on a card. `title`: its name, if any.

    `text`: the main text. `details`: the details, or less important text, in smaller letters.
    """

    title: str
    text: str
    details: str = ""


@frozen
class CardSide:
    """A face of a card.

    - `index`: the string in its corners. `is_index_underlined`: underline it, because upside down it looks like another
      index.
    - `symbol`: the symbol in its corners; `picture`: the large one.
    - `footer`: the type of card, in small letters.
    - `has_text`: the card has text, in addition to index and symbol. `is_second_face`: this is the second face of its
      card.
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


@frozen
class CardBack:
    """The back of all cards of a home zone. `game_title` and `home_title`: their titles."""

    game_title: str
    home_title: str
    symbol: CardSymbol


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
    return wrap_in_svg_root(draw_card_paper(False) + draw_back_pattern(back))


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
    corner = draw_corner(side.index, side.symbol, side.is_index_underlined)
    turned = f'<g transform="rotate(180 {CARD_WIDTH / 2} {CARD_HEIGHT / 2})">{corner}</g>' if corner else ""
    return corner + turned + draw_face_centre(side, colour)


def draw_corner(index: str, symbol: CardSymbol | None, underline: bool) -> str:
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
    if side.symbol and side.index.isdecimal() and int(side.index) in PIP_POSITIONS:
        large = 22.0 if int(side.index) == 1 else 11.5
        return "".join(
            draw_centred_symbol(side.symbol, x, y, large, y > FACE_CENTRE_Y) for x, y in PIP_POSITIONS[int(side.index)]
        )
    if side.symbol and side.index:
        return (
            f'<rect x="16" y="14" width="31" height="60" rx="3" fill="{colour}" fill-opacity=".09" '
            f'stroke="{colour}" stroke-width=".8"/>'
            + draw_bold_text(side.index, FACE_CENTRE_X, 43, 30 if len(side.index) == 1 else 18, colour)
            + draw_centred_symbol(side.symbol, FACE_CENTRE_X, 58, 19)
        )
    if side.symbol:
        return draw_centred_symbol(side.symbol, FACE_CENTRE_X, 38, 30) + draw_wrapped_title(side.title, 66, colour, 50)
    return (
        draw_bold_text(side.index, FACE_CENTRE_X, 57, 40, colour)
        if side.index
        else draw_wrapped_title(side.title, FACE_CENTRE_Y, colour, 52)
    )


TEXT_LAYOUTS = ((27, 9, 4.1, 4.9), (32, 11, 3.45, 4.1), (39, 14, 2.85, 3.4))
"""Layouts for the text on a card: letters in a line, maximum number of lines, letter size, line distance."""


def draw_text_face(side: CardSide) -> str:
    """Draw a card with text: its title at the top, its text at the bottom."""
    colour = side.symbol.colour if side.symbol else side.picture.colour
    start = get_title_left(side)
    lines, size, step = fit_side_text(side)
    y, large = fit_picture(len(lines) * step)
    picture = draw_centred_symbol(side.picture, FACE_CENTRE_X, y, large) if large else ""
    texts = "".join(
        f'<text x="5" y="{75 - (len(lines) - row) * step:.3g}" {SANS_FONT} '
        f'font-size="{fit_letter_size(line, 53, size, 0.52):.3g}" '
        f'fill="#222">{escape(line)}</text>'
        for row, line in enumerate(lines)
    )
    base = remove_invisible_characters(side.footer)[:40]
    foot = (
        f'<text x="5" y="83" {SANS_FONT} font-size="{fit_letter_size(base, 53, 3.9, 0.52):.3g}" '
        f'fill="#555">{escape(base)}</text>'
    )
    head = wrap_side_title(side)
    named = "".join(
        f'<text x="{start}" y="{(13 if len(head) == 1 else 10) + 7 * row}" {SERIF_FONT} font-weight="700" '
        f'font-size="{fit_letter_size(line, 58 - start, 6.6, 0.56):.3g}" fill="#222">{escape(line)}</text>'
        for row, line in enumerate(head)
    )
    small = draw_centred_symbol(side.symbol, 9.5, 11, 9) if side.symbol and not side.index else ""
    corner = draw_corner(side.index, side.symbol, side.is_index_underlined) if side.index else small
    rule = '<path d="M5 21h53" stroke="#b5b0a4" stroke-width=".5"/>' if not side.index else ""
    return corner + named + rule + picture + texts + foot + draw_coloured_edge(colour)


def get_title_left(side: CardSide) -> int:
    """Return the left edge of the title of a card with text."""
    return 17 if side.index or side.symbol else 5


def wrap_side_title(side: CardSide) -> list[str]:
    """Return the lines of the title of a card with text."""
    return wrap_text(side.title, 13 if get_title_left(side) > 5 else 17, 2)


def fit_side_text(side: CardSide) -> tuple[list[str], float, float]:
    """Return the text of a card: lines, letter size and line distance, from `fit_text`."""
    return fit_text(
        " ".join(
            f"{passage.title}: {passage.text or passage.details}" if passage.title else passage.text or passage.details
            for passage in side.passages
        )
    )


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


# ---------------------------------------------------------------- parts of a card
TITLE_LETTER_RATIO, TEXT_LETTER_RATIO = 0.56, 0.45
"""Average width of a letter of a title and of the text on a card, relative to its size."""
CAPITAL_HEIGHT_RATIO = 0.66
"""Height of a capital or digit, relative to its size."""


@frozen
class PartBox:
    """A rectangle on a card, in a view box of 63 by 88."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """Vertical centre."""
        return (self.top + self.bottom) / 2


def find_part_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the parts of a face, by their names in `CARD_PARTS`."""
    return (
        find_corner_boxes(side)
        | (find_text_face_boxes(side) if side.has_text else find_plain_face_boxes(side))
        | {"frame": PartBox(61, 19, CARD_WIDTH, 25)}
    )


def find_corner_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the index and symbol in the first corner.

    On a card with text, a symbol without an index is next to the title.
    """
    if not side.index:
        return (
            {"symbol": build_square_box(9.5, 11, 9) if side.has_text else build_square_box(8.5, 10, 9)}
            if side.symbol
            else {}
        )
    size = 15 if len(side.index) == 1 else 13 if len(side.index) == 2 else 9.5
    wide = size * TITLE_LETTER_RATIO * len(side.index)
    index = {"index": PartBox(8.5 - wide / 2, 15 - CAPITAL_HEIGHT_RATIO * size, 8.5 + wide / 2, 15)}
    return index | ({"symbol": build_square_box(8.5, 24, 9)} if side.symbol else {})


def find_text_face_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the parts of a card with text."""
    start, head, (lines, size, step) = get_title_left(side), wrap_side_title(side), fit_side_text(side)
    broad = max(fit_letter_size(line, 58 - start, 6.6, 0.56) * len(line) * TITLE_LETTER_RATIO for line in head)
    first = 13 if len(head) == 1 else 10
    boxes = {"title": PartBox(start, first - 4.4, start + broad, first + 7 * (len(head) - 1))}
    y, large = fit_picture(len(lines) * step)
    if large:
        boxes["picture"] = build_square_box(FACE_CENTRE_X, y, large)
    if lines:
        wide = max(fit_letter_size(line, 53, size, 0.52) * len(line) * TEXT_LETTER_RATIO for line in lines)
        boxes["text"] = PartBox(5, 75 - len(lines) * step - CAPITAL_HEIGHT_RATIO * size, 5 + wide, 75 - step)
    if side.footer:
        wide = fit_letter_size(side.footer[:40], 53, 3.9, 0.52) * len(side.footer[:40]) * TEXT_LETTER_RATIO
        boxes["foot"] = PartBox(5, 80, 5 + wide, 83)
    return boxes


def find_plain_face_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the other parts of a card without text.

    If it has many symbols, return the one on the right that is nearest to the centre.
    """
    if side.symbol and side.index.isdecimal() and int(side.index) in PIP_POSITIONS:
        large = 22.0 if int(side.index) == 1 else 11.5
        x, y = min(PIP_POSITIONS[int(side.index)], key=lambda at: (-at[0], abs(at[1] - FACE_CENTRE_Y)))
        return {"picture": build_square_box(x, y, large)}
    if side.symbol and side.index:
        return {"picture": PartBox(16, 14, 47, 74)}
    if side.symbol:
        return {"picture": build_square_box(FACE_CENTRE_X, 38, 30), "title": PartBox(6, 60, 57, 74)}
    return (
        {"picture": PartBox(11.5, 27, 51.5, 59)}
        if side.index
        else {"title": PartBox(5.5, FACE_CENTRE_Y - 8, 57.5, CARD_HEIGHT / 2 + 8)}
    )


def build_square_box(x: float, y: float, size: float) -> PartBox:
    return PartBox(x - size / 2, y - size / 2, x + size / 2, y + size / 2)


# ---------------------------------------------------------------- labelled cards
LABEL_GAP, LABEL_MARGIN = 7, 2
"""Gap between a card and its labels, and width of the margin."""
LABEL_FONT_SIZE, LABEL_LINE_HEIGHT, MAX_LABEL_LETTERS, LABEL_LETTER_WIDTH = 5.4, 6.3, 12, 2.5
"""Letter size of labels, line distance, letters in a line, and average width of a letter."""
LABEL_COLOUR, LABEL_DOT_RADIUS = "#222", 0.9
"""Colour of the lines that lead to the parts, and radius of the dots at their ends."""
LABEL_FONT = CARD_FONT.replace("700", "400")
CARD_PARTS = ("index", "symbol", "title", "frame", "picture", "text", "foot")
"""Parts that a label can name."""
LEFT_LABEL_PARTS = ("index", "symbol")
"""Parts with their label on the left."""


@frozen
class PartLabel:
    """A part of a card, one of `CARD_PARTS`, and the text that describes it."""

    part: str
    text: str


def draw_labelled_card(side: CardSide, labels: Sequence[PartLabel]) -> tuple[str, float]:
    """Return a card face with its labels as SVG, and the width of the drawing. The card is 63 wide.

    Labels of parts that this face lacks are left out.
    """
    where = find_part_boxes(side)
    lines = {label: wrap_label(label) for label in labels if label.part in where}
    left = {label: label_lines for label, label_lines in lines.items() if label.part in LEFT_LABEL_PARTS}
    right = {label: label_lines for label, label_lines in lines.items() if label.part not in LEFT_LABEL_PARTS}
    start = LABEL_MARGIN + compute_labels_width(left)
    width = start + CARD_WIDTH + compute_labels_width(right) + LABEL_MARGIN
    height = CARD_HEIGHT + 2 * LABEL_MARGIN
    card = f'<g transform="translate({start:g} {LABEL_MARGIN})">{draw_side_body(side)}</g>'
    label_parts = [
        *draw_part_labels(left, where, start, start - LABEL_GAP, "end"),
        *draw_part_labels(right, where, start, start + CARD_WIDTH + LABEL_GAP, "start"),
    ]
    size = f'viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}"'
    return wrap_in_svg(size, card + "".join(label_parts)), width


def wrap_label(label: PartLabel) -> list[str]:
    return textwrap.wrap(remove_invisible_characters(label.text), MAX_LABEL_LETTERS, max_lines=5, placeholder=" …")


def compute_labels_width(lines: Mapping[PartLabel, Sequence[str]]) -> float:
    """Return the width of some labels next to a card, with their gap; 0 if there are none."""
    longest = max((len(text) for label_lines in lines.values() for text in label_lines), default=0)
    return LABEL_GAP + longest * LABEL_LETTER_WIDTH if longest else 0


def draw_part_labels(
    lines: Mapping[PartLabel, Sequence[str]],
    part_boxes: Mapping[str, PartBox],
    card_left: float,
    x: float,
    text_anchor: str,
) -> Iterator[str]:
    """Draw labels next to a card that begins at `card_left`, with lines to the near edge of their parts.

    `text_anchor`: the text anchor of their lines, at `x`. A line is horizontal over the card, so that it crosses no
    other part.
    """
    free = LABEL_MARGIN + LABEL_FONT_SIZE
    for label in sorted(lines, key=lambda label: part_boxes[label.part].middle):
        label_lines, box = lines[label], part_boxes[label.part]
        to_x, to_y = card_left + (box.left if text_anchor == "end" else box.right), LABEL_MARGIN + box.middle
        rest = (len(label_lines) - 1) * LABEL_LINE_HEIGHT
        y = min(max(free, to_y + LABEL_FONT_SIZE / 3 - rest / 2), LABEL_MARGIN + CARD_HEIGHT - rest - 1)
        free = y + rest + LABEL_LINE_HEIGHT + 1.5
        middle, edge = y + rest / 2 - LABEL_FONT_SIZE / 3, x - 1.5 if text_anchor == "start" else x + 1.5
        rim, dot = (
            (card_left, to_x - LABEL_DOT_RADIUS)
            if text_anchor == "end"
            else (card_left + CARD_WIDTH, to_x + LABEL_DOT_RADIUS)
        )
        yield (
            f'<path d="M{edge:g} {middle:g}L{rim:g} {to_y:g}H{to_x:g}" fill="none" stroke="{LABEL_COLOUR}" '
            f'stroke-width=".5"/>'
            f'<circle cx="{dot:g}" cy="{to_y:g}" r="{LABEL_DOT_RADIUS}" fill="{LABEL_COLOUR}"/>'
        )
        for row, text in enumerate(label_lines):
            yield (
                f'<text x="{x:g}" y="{y + row * LABEL_LINE_HEIGHT:g}" {LABEL_FONT} font-size="{LABEL_FONT_SIZE}" '
                f'fill="{LABEL_COLOUR}" '
                f'text-anchor="{text_anchor}">{escape(text)}</text>'
            )
