"""SVG drawings of full-size card faces and backs, with labelled parts.

The view box is 63 by 88, the size of a card in millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from cardlang.cards.card_centre import (
    CENTRE_X,
    FRAME_HEIGHT,
    FRAME_LEFT,
    FRAME_TOP,
    FRAME_WIDTH,
    CentreText,
    build_centre,
    compute_corner_size,
)
from cardlang.cards.card_content import CardBack, CardSide
from cardlang.cards.card_places import SIDES, PartPlace
from cardlang.cards.card_svg_parts import (
    SANS_FONT,
    draw_art,
    draw_bold_text,
    draw_centred_symbol,
    draw_coloured_edge,
    draw_condensed_text,
    draw_left_text,
    draw_text_line,
    draw_values,
    estimate_width,
    fit_condensed_text,
    turn_around,
)
from cardlang.cards.card_text_layout import (
    fit_icon,
    fit_letter_size,
    wrap_text,
)
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR
from cardlang.cards.svg_elements import CARD_FONT, CARD_HEIGHT, CARD_WIDTH, SERIF_FONT, draw_centred_text, wrap_in_svg
from cardlang.cards.text_face_layout import PartBox, TextFaceLayout, get_badge_width
from cardlang.english.control_characters import remove_invisible_characters

CORNER_SYMBOL_Y, INDEX_X, INDEX_WIDTH, INDEX_SIZE = 22.0, 7.8, 8.8, 12.6
"""Vertical centre of the symbol below an index; centre, largest width and letter size of an index."""


def draw_card_side(side: CardSide, show_title: bool = False) -> str:
    """Return the face of a card as SVG. `show_title`: show its title even if it has an index."""
    return wrap_in_svg_root(draw_side_body(side, show_title))


def draw_side_body(side: CardSide, show_title: bool = False) -> str:
    """Return the content of the SVG of a face, without the root element."""
    name = draw_title_below(side) if show_title else ""
    return draw_card_paper() + (draw_text_face(side) if side.has_text else draw_textless_face(side) + name)


def draw_card_back(back: CardBack) -> str:
    """Return the back of a card as SVG."""
    pattern = draw_art(back.art, 1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2) if back.art else draw_back_pattern(back)
    return wrap_in_svg_root(draw_card_paper() + pattern)


def draw_title_below(side: CardSide) -> str:
    """Draw the title of a card below its other content."""
    return draw_fitted_text(CentreText(side.title, 75, 50, 14))


def wrap_in_svg_root(body: str) -> str:
    return wrap_in_svg(f'viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}"', body)


def draw_card_paper() -> str:
    edge = 'stroke="#8a8578" stroke-width=".7"'
    return f'<rect x=".5" y=".5" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="5" fill="#fffdf8" {edge}/>'


def draw_textless_face(side: CardSide) -> str:
    """Draw a card without text: its index and its symbols."""
    end = draw_corner_svg(side) + draw_footer(side)
    edge = draw_coloured_edge(side.edge) if side.edge else ""
    return edge + end + turn_around(end) + draw_face_centre(side)


def draw_corner_svg(side: CardSide) -> str:
    """Draw the index, symbol and numbers of one corner, for cards in a fanned hand."""
    index, symbol = side.index, side.symbol
    if not index:
        if symbol is None:
            return ""
        title, top = remove_invisible_characters(side.title), 18 + 7 * len(side.values)
        return (
            draw_centred_symbol(symbol, 8.5, 10, 10)
            + draw_values(side.values, 2.5, 20)
            + f'<text transform="translate(6.7 {top}) rotate(90)" {CARD_FONT} fill="{symbol.colour}" '
            f'font-size="{fit_letter_size(title, 62 - top, 5.2, 0.6):.3g}">{escape(title)}</text>'
        )
    colour = (symbol or side.picture).colour
    under = f'<path d="M4.3 17.6h7" stroke="{colour}" stroke-width="1"/>' if side.is_index_underlined else ""
    return (
        draw_condensed_text(index, INDEX_X, 14.6, INDEX_WIDTH, INDEX_SIZE, colour)
        + under
        + (draw_centred_symbol(symbol, INDEX_X, CORNER_SYMBOL_Y, compute_corner_size(symbol)) if symbol else "")
        + draw_values(side.values, 2.5, 32 if symbol else 22)
    )


def draw_face_centre(side: CardSide) -> str:
    """Draw the middle of a card: its picture, or what `build_centre` returns."""
    left, top, width, height = FRAME_LEFT, FRAME_TOP, FRAME_WIDTH, FRAME_HEIGHT
    if side.art:
        return draw_art(side.art, left, top, width, height)
    centre, colour = build_centre(side), (side.symbol or side.picture).colour
    frame = f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="3" fill="{colour}" '
    return (
        (f'{frame}fill-opacity=".09" stroke="{colour}" stroke-width=".8"/>' if centre.is_framed else "")
        + "".join(draw_centred_symbol(pip.symbol, pip.x, pip.y, pip.size, pip.is_upside_down) for pip in centre.pips)
        + "".join(map(draw_fitted_text, centre.texts))
    )


def draw_fitted_text(text: CentreText) -> str:
    """Draw a text in the largest letters that fit its box, on up to four lines."""
    wrapped = [wrap_text(text.text, -(-len(text.text) // count) + 3 * (count > 1), count) for count in range(1, 5)]
    lines = max(wrapped, key=lambda lines: compute_line_size(lines, text))
    size = compute_line_size(lines, text)
    first = text.y - (len(lines) - 1) * size / 2 + 0.33 * size
    band = (
        f'<rect x="{FRAME_LEFT:g}" y="{text.y - 3.5:g}" width="{FRAME_WIDTH:g}" height="7" fill="{text.colour}"/>'
        if text.is_band
        else ""
    )
    colour = "#fff" if text.is_band else text.colour
    drawn = "".join(draw_bold_text(line, text.x, first + row * size, size, colour) for row, line in enumerate(lines))
    return f'<g transform="rotate(180 {text.x:g} {text.y:g})">{drawn}</g>' if text.is_upside_down else band + drawn


def compute_line_size(lines: Sequence[str], text: CentreText) -> float:
    """Return the letter size in which some lines fit the box of a text."""
    longest = max(map(len, lines), default=1)
    return min(text.width / (0.56 * longest), text.height / (1.05 * max(len(lines), 1)))


def draw_text_face(side: CardSide) -> str:
    """Draw a card with text, with its parts where the theme places them."""
    colour, layout = side.picture.colour, TextFaceLayout(side)
    strong = "#222" if side.is_second_face else colour
    band, (left, top) = layout.find_strip(side.places.title.row), layout.text_origin
    height = band.bottom - band.top
    parts = [
        draw_art(side.art, 1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2) if side.art and layout.is_whole_art else "",
        f'<rect x="2" y="{band.top:g}" width="59" height="{height:g}" rx="4" fill="{strong}"/>' if height else "",
        *draw_signs(side, layout, strong),
        *draw_title(layout),
        draw_text_picture(side, layout.art, colour) if layout.art and not layout.is_whole_art else "",
        draw_text_ground(layout) if layout.is_whole_art else "",
        *(
            draw_text_line(line, left, top + row * layout.body.step, letters, side.text_icons)
            for row, (line, letters) in enumerate(fit_lines(layout))
        ),
        draw_footer(side),
        draw_centred_symbol(side.symbol, 8.5, layout.values_y, 7) if side.symbol and side.index else "",
        *draw_all_values(layout),
        draw_upside_down_corner_sign(layout),
        draw_coloured_edge(strong),
    ]
    return "".join(parts)


def fit_lines(layout: TextFaceLayout) -> Iterator[tuple[str, float]]:
    """Yield the lines of a text with their letter size."""
    widest = 1.05 * max(map(estimate_width, layout.body.lines), default=1)
    for line in layout.body.lines:
        yield line, min(layout.body.size, layout.text_width / widest)


def draw_text_ground(layout: TextFaceLayout) -> str:
    """Draw the pale ground of a text on a picture."""
    (left, top), body = layout.text_origin, layout.body
    return (
        f'<rect x="{left - 1:g}" y="{top - body.size:.4g}" width="{layout.text_width + 2:g}" '
        f'height="{body.height + body.size / 2:.4g}" rx="1.5" fill="#fff" fill-opacity=".88"/>'
        if body.lines
        else ""
    )


def draw_title(layout: TextFaceLayout) -> Iterator[str]:
    """Yield the lines of the title on its band."""
    for line, x, y, size in find_title_lines(layout):
        yield (
            f'<text x="{x:.4g}" y="{y:g}" {SERIF_FONT} font-weight="700" '
            f'font-size="{size:.3g}" fill="#fff">{escape(line)}</text>'
        )


def find_title_lines(layout: TextFaceLayout) -> Iterator[tuple[str, float, float, float]]:
    """Yield the lines of the title of a card with text, each with its left edge, base line and letter size."""
    left, right = layout.title_room
    place, count = layout.side.places.title, len(layout.title_lines)
    top = layout.find_strip(place.row).top
    for row, line in enumerate(layout.title_lines):
        size = fit_letter_size(line, right - left, 6.6, 0.56)
        x = align_line(left, right, 0.56 * size * len(line), place)
        yield line, x, top + (11 if count == 1 else 8) + 7 * row, size


def align_line(left: float, right: float, width: float, place: PartPlace) -> float:
    """Return the left edge of a line of some width between two edges, at its place."""
    return left + max(0.0, right - left - width) * {"left": 0, "right": 1}.get(place.side, 0.5)


def draw_signs(side: CardSide, layout: TextFaceLayout, colour: str) -> Iterator[str]:
    """Yield the index or symbol of a card with text in its corner."""
    found = layout.find_corner_part("symbol")
    if found:
        yield draw_band_sign(side, colour, found[0] + 4.5, found[1])
    elif side.places.symbol.side and layout.corner_parts.get("symbol"):
        yield draw_band_sign(side, colour, 9.5 if side.places.symbol.side == "left" else 53.5, layout.values_y + 12)


def draw_all_values(layout: TextFaceLayout) -> Iterator[str]:
    """Yield the numbers of a card with text: in corners, and on both sides of the picture."""
    side, art = layout.side, layout.art
    numbers = {"cost": (side.cost,) if side.cost else (), "values": side.badges}
    for part, badges in numbers.items():
        if found := layout.find_corner_badges(part):
            yield draw_values(badges, *found, False)
    for edge in SIDES:
        column = [
            badge for part, badges in numbers.items() if getattr(side.places, part).name == edge for badge in badges
        ]
        is_column = art is not None and art.bottom - art.top - 2 > 7 * len(column)
        if edge == "left":
            start = (art.left + 0.8 if art else 4) + 9 * bool(side.symbol and side.index)
            yield draw_values(column, start, layout.values_y, is_column)
            continue
        for number, badge in enumerate(column):
            start = (art.right - 0.8 if art else 59) - get_badge_width(badge)
            yield draw_values([badge], start, layout.values_y + 7 * number)


def draw_upside_down_corner_sign(layout: TextFaceLayout) -> str:
    """Draw the symbol, or the index, and the first two numbers of a card with text in a corner, upside down."""
    found = layout.find_corner_part("repeat")
    if not found:
        return ""
    drawn, corner = turn_around(draw_small_sign(layout.side)), CARD_WIDTH - 5.0
    move = found[0] + layout.corner_parts["repeat"] - corner, (found[1] - 81.5)
    return f'<g transform="translate({move[0]:.4g} {move[1]:.4g})">{drawn}</g>' if any(move) else drawn


def draw_small_sign(side: CardSide) -> str:
    """Draw the symbol, or the index, and the first two numbers of a card with text in a row."""
    symbol = draw_centred_symbol(side.symbol, 8, 7, 6) if side.symbol else ""
    index = draw_bold_text(side.index, 15 if symbol else 8, 9, 6, PLAIN_COLOUR) if side.index else ""
    return symbol + index + ("" if side.index else draw_values(side.values[:2], 12, 7, False))


def draw_text_picture(side: CardSide, box: PartBox, colour: str) -> str:
    """Draw the picture of a card with text in its panel. A designer's picture fills the panel."""
    height, size = box.bottom - box.top, min(box.bottom - box.top - 2, box.width - 4)
    if side.art:
        return draw_art(side.art, box.left, box.top, box.width, height)
    panel = (
        f'<rect x="{box.left:g}" y="{box.top:.3g}" width="{box.width:g}" height="{height:.3g}" rx="1.5" '
        f'fill="{colour}" fill-opacity="{"1" if side.is_second_face else ".12"}"/>'
    )
    return panel + draw_centred_symbol(side.large_symbol, (box.left + box.right) / 2, box.middle, fit_icon(side, size))


def draw_band_sign(side: CardSide, colour: str, x: float, y: float) -> str:
    """Draw the index of a card with text on a white disc, or its symbol if it has none, centred at a point."""
    under = f'<path d="M{x - 2.5:g} {y + 4.7:g}h5" stroke="{colour}" stroke-width=".8"/>'
    under = under if side.is_index_underlined else ""
    index = draw_bold_text(side.index, x, y + 3.3, fit_letter_size(side.index, 9, 10, 0.56), colour) + under
    sign = index if side.index else draw_centred_symbol(side.symbol, x, y, 9) if side.symbol else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="#fff"/>{sign}'


def draw_footer(side: CardSide) -> str:
    """Draw the type of a card: centred between the corners at the bottom, or where the theme places it."""
    text, left, y, size = fit_footer(side)
    if text and side.is_footer_bold:
        colour, (_, wide) = side.edge or (side.symbol or side.picture).colour, fit_condensed_text(text, 28, 4.6)
        pill = f'<rect x="{CENTRE_X - wide / 2 - 2:g}" y="{y - 4:g}" width="{wide + 4:g}" height="5.4" rx="2.7" '
        return f'{pill}fill="{colour}"/>' + draw_condensed_text(text, CENTRE_X, y, 28, 4.6, "#fff")
    return (
        draw_left_text(text, left, y, size, "#555")
        if side.has_text
        else draw_centred_text(text, CENTRE_X, y, size, "#555").replace(CARD_FONT, SANS_FONT)
    )


def fit_footer(side: CardSide) -> tuple[str, float, float, float]:
    """Return the footer of a card: letters, left edge, base line and letter size."""
    text, place = remove_invisible_characters(side.footer)[:40], side.places.type
    if not side.has_text:
        return text, 5.0, 83.7, fit_letter_size(text, 32.0, 4.6, 0.6)
    layout = TextFaceLayout(side)
    left, right = layout.find_strip_room(place.row)
    size = fit_letter_size(text, right - left, 3.9, 0.6)
    left = align_line(left, right, 0.6 * size * len(text), place)
    return text if place.row else "", left, layout.find_strip(place.row).middle + 1.5, size


def draw_back_pattern(back: CardBack) -> str:
    """Draw the pattern of a card back: the symbols of its cards in turn."""
    ground, ink = ("#fff", back.colour) if back.is_pale else (back.colour, "#fff")
    marks = "".join(
        draw_centred_symbol(symbol.paint(ink), 11.5 + 10 * column, 12.5 + 9 * row, 5.5, is_upside_down)
        for symbol, column, row, is_upside_down in back.place_symbols(5, 8)
    )
    return (
        f'<rect x="4" y="4" width="55" height="80" rx="3.5" fill="{ground}" stroke="{back.colour}"/>'
        f'<g opacity=".7">{marks}</g>'
        f'<rect x="6" y="6" width="51" height="76" rx="2.5" fill="none" stroke="{ink}" stroke-width=".8" opacity=".8"/>'
    )
