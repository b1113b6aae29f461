"""Labelled drawings of card faces: where the parts of a card are, and lines from labels to them.

The view box of a card is 63 by 88.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from attrs import frozen

from cardlang.cards.card_centre import (
    CENTRE_X,
    CENTRE_Y,
    FRAME_HEIGHT,
    FRAME_LEFT,
    FRAME_TOP,
    FRAME_WIDTH,
    build_centre,
    compute_corner_size,
)
from cardlang.cards.card_content import CardSide
from cardlang.cards.card_svg import (
    CORNER_SYMBOL_Y,
    INDEX_SIZE,
    INDEX_WIDTH,
    INDEX_X,
    draw_side_body,
    find_title_lines,
    fit_footer,
    fit_lines,
)
from cardlang.cards.card_svg_parts import fit_condensed_text
from cardlang.cards.card_text_layout import (
    fit_icon,
    fit_letter_size,
)
from cardlang.cards.svg_elements import CARD_FONT, CARD_HEIGHT, CARD_WIDTH, wrap_in_svg
from cardlang.cards.text_face_layout import PartBox, TextFaceLayout, get_badge_width
from cardlang.english.control_characters import remove_invisible_characters

# ---------------------------------------------------------------- parts of a card
TITLE_LETTER_RATIO, TEXT_LETTER_RATIO = 0.56, 0.45
"""Average width of a letter of a title and of the text on a card, relative to its size."""
CAPITAL_HEIGHT_RATIO = 0.66
"""Height of a capital or digit, relative to its size."""


def find_part_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the parts of a face, by their names in `CARD_PARTS`."""
    return (
        find_corner_boxes(side)
        | (find_text_face_boxes(side) if side.has_text else find_plain_face_boxes(side))
        | {"frame": PartBox(61, 19, CARD_WIDTH, 25)}
    )


def find_corner_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the index and symbol in the first corner, or where a card with text has them."""
    if side.has_text:
        return find_sign_boxes(side)
    if not side.index:
        return {"symbol": build_square_box(8.5, 10, 10)} if side.symbol else {}
    size, wide = fit_condensed_text(side.index, INDEX_WIDTH, INDEX_SIZE)
    index = {"index": PartBox(INDEX_X - wide / 2, 14.6 - CAPITAL_HEIGHT_RATIO * size, INDEX_X + wide / 2, 14.6)}
    return index | (
        {"symbol": build_square_box(INDEX_X, CORNER_SYMBOL_Y, compute_corner_size(side.symbol))} if side.symbol else {}
    )


def find_sign_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the index and symbol of a card with text."""
    layout = TextFaceLayout(side)
    found = layout.find_corner_part("symbol")
    boxes = {"symbol": build_square_box(8.5, layout.values_y, 7)} if side.index and side.symbol else {}
    if found and side.index:
        size, (left, middle) = fit_letter_size(side.index, 9, 10, 0.56), found
        x, y, half = left + 4.5, middle + 3.3, size * TITLE_LETTER_RATIO * len(side.index) / 2
        return {"index": PartBox(x - half, y - CAPITAL_HEIGHT_RATIO * size, x + half, y)} | boxes
    return {"symbol": build_square_box(found[0] + 4.5, found[1], 9)} if found else boxes


def find_text_face_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the parts of a card with text."""
    layout = TextFaceLayout(side)
    body, (left, top), boxes = layout.body, layout.text_origin, {}
    lines = [*find_title_lines(layout)]
    if lines:
        x = min(x for _, x, _, _ in lines)
        broad = max(size * len(line) * TITLE_LETTER_RATIO for line, _, _, size in lines)
        boxes["title"] = PartBox(x, lines[0][2] - 4.4, x + broad, lines[-1][2])
    if (art := layout.art) and not layout.is_whole_art:
        size = fit_icon(side, min(art.bottom - art.top - 2, art.width - 4))
        boxes["picture"] = build_square_box((art.left + art.right) / 2, art.middle, size)
    if body.lines:
        wide = max(size * len(line) * TEXT_LETTER_RATIO for line, size in fit_lines(layout))
        last = top + (len(body.lines) - 1) * body.step
        boxes["text"] = PartBox(left, top - CAPITAL_HEIGHT_RATIO * body.size, left + wide, last)
    if side.values and (found := layout.find_first_number()):
        boxes["number"] = PartBox(found[0], found[1] - 3.2, found[0] + get_badge_width(side.values[0]), found[1] + 3.2)
    text, foot_left, bottom, letter = fit_footer(side)
    if text:
        foot_right = foot_left + letter * len(text) * TEXT_LETTER_RATIO
        boxes["foot"] = PartBox(foot_left, bottom - 3, foot_right, bottom)
    return boxes


def find_plain_face_boxes(side: CardSide) -> dict[str, PartBox]:
    """Return the boxes of the other parts of a card without text.

    If it has many symbols, return the one on the right that is nearest to the centre.
    """
    centre = build_centre(side)
    if side.art or (side.index and centre.is_framed):
        return {"picture": PartBox(FRAME_LEFT, FRAME_TOP, FRAME_LEFT + FRAME_WIDTH, FRAME_TOP + FRAME_HEIGHT)}
    if centre.pips:
        pip = min(centre.pips, key=lambda pip: (-pip.x, abs(pip.y - CENTRE_Y)))
        title = {text.text: text for text in centre.texts}.get(side.title)
        return {"picture": build_square_box(pip.x, pip.y, pip.size)} | (
            {"title": PartBox(15.5, title.y - title.height / 2, 47.5, title.y + title.height / 2)} if title else {}
        )
    return {"title": PartBox(5.5, CENTRE_Y - 8, 57.5, CENTRE_Y + 8)}


def build_square_box(x: float, y: float, size: float) -> PartBox:
    return PartBox(x - size / 2, y - size / 2, x + size / 2, y + size / 2)


# ---------------------------------------------------------------- labelled cards
LABEL_GAP, LABEL_MARGIN = 7, 2
"""Gap between a card and its labels, and width of the margin."""
LABEL_FONT_SIZE, LABEL_LINE_HEIGHT, MAX_LABEL_LETTERS, LABEL_LETTER_WIDTH = 5.4, 6.3, 12, 2.5
"""Letter size of labels, line distance, letters in a line, and average width of a letter."""
LABEL_DISTANCE = 1.5
"""Space between labels, in addition to the line distance."""
LABEL_COLOUR, LABEL_DOT_RADIUS = "#222", 0.9
"""Colour of the lines that lead to the parts, and radius of the dots at their ends."""
LABEL_FONT = CARD_FONT.replace("700", "400")
CARD_PARTS = ("index", "symbol", "number", "title", "frame", "picture", "text", "foot")
"""Parts that a label can name."""
LEFT_LABEL_PARTS = ("index", "symbol", "number")
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
    near = {part for part in LEFT_LABEL_PARTS if part in where and where[part].left < CENTRE_X}
    left = {label: label_lines for label, label_lines in lines.items() if label.part in near}
    right = {label: label_lines for label, label_lines in lines.items() if label.part not in near}
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
    in_order = sorted(lines, key=lambda label: part_boxes[label.part].middle)
    for position, label in enumerate(in_order):
        label_lines, box = lines[label], part_boxes[label.part]
        to_x, to_y = card_left + (box.left if text_anchor == "end" else box.right), LABEL_MARGIN + box.middle
        rest = (len(label_lines) - 1) * LABEL_LINE_HEIGHT
        below = sum(len(lines[later]) * LABEL_LINE_HEIGHT + LABEL_DISTANCE for later in in_order[position + 1 :])
        lowest = LABEL_MARGIN + CARD_HEIGHT - 1 - rest - below
        y = max(free, min(to_y + LABEL_FONT_SIZE / 3 - rest / 2, lowest))
        free = y + rest + LABEL_LINE_HEIGHT + LABEL_DISTANCE
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
