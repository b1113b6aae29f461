"""Parts of the SVG drawings of card faces: symbols, lines of text and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from cardlang.cards.card_content import CardBadge
from cardlang.cards.card_text_layout import (
    BOLD_MARK,
    ICON_MARK,
    ICON_MARKS,
    fit_letter_size,
)
from cardlang.cards.designer_pictures import CardPicture
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR, CardSymbol
from cardlang.cards.svg_elements import CARD_FONT, CARD_HEIGHT, CARD_WIDTH, draw_centred_text
from cardlang.cards.text_face_layout import get_badge_name_width, get_badge_width
from cardlang.english.control_characters import remove_invisible_characters

BOLD_WORDS = re.compile(rf"{BOLD_MARK}\S+(?: {BOLD_MARK}\S+)*")
SANS_FONT = "font-family=\"system-ui, 'DejaVu Sans', 'Libertinus Serif', sans-serif\""
LETTER_WIDTHS = (
    dict.fromkeys("fijlrtI.,:;!|()[]'’ ", 0.35)
    | dict.fromkeys("mwMW", 0.87)
    | dict.fromkeys("ABCDEFGHKNOPQRSUVXYZ", 0.68)
)
"""Widths of the letters that are narrower or wider than most, relative to their size."""


def turn_around(drawn: str) -> str:
    """Draw a part of a card again at the other end, upside down."""
    return f'<g transform="rotate(180 {CARD_WIDTH / 2} {CARD_HEIGHT / 2})">{drawn}</g>' if drawn else ""


def fit_condensed_text(text: str, width: float, size: float) -> tuple[float, float]:
    """Return the letter size and width of a line: narrow letters if it is long, then smaller ones."""
    wide = 0.56 * size * max(len(text), 1)
    return size * min(1.0, width / (0.85 * wide)), min(wide, width)


def draw_condensed_text(text: str, x: float, y: float, width: float, size: float, colour: str) -> str:
    """Draw a centred line in a width. `size`: of its letters if they are not too many."""
    letters, wide = fit_condensed_text(text, width, size)
    drawn = draw_bold_text(text, x, y, letters, colour)
    fixed = f'<text textLength="{wide:.3g}" lengthAdjust="spacingAndGlyphs"'
    return drawn.replace("<text", fixed, 1) if wide == width else drawn


def estimate_width(text: str) -> float:
    """Return the width of a text, relative to its letter size."""
    return sum(LETTER_WIDTHS.get(letter, 0.6) for letter in ICON_MARK.sub("W", text).replace(BOLD_MARK, ""))


def draw_art(picture: CardPicture, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<svg x="{x:g}" y="{y:.3g}" width="{width:g}" height="{height:.3g}"><image width="100%" height="100%" '
        f'preserveAspectRatio="xMidYMid slice" href="{picture.url}"/></svg>'
    )


def draw_values(values: Sequence[CardBadge], left: float, y: float, is_column: bool = True) -> str:
    """Draw numbers with their icons in rounded boxes, below or next to each other. `y`: the middle of the first."""
    drawn = []
    for badge in values:
        width = get_badge_width(badge)
        ink, ground = ("#fff", PLAIN_COLOUR) if badge.is_cost else (PLAIN_COLOUR, "#fff")
        symbol = badge.symbol and badge.symbol.paint(ink)
        icon = draw_centred_symbol(symbol, left + width - 4, y, 4.6) if symbol else ""
        room = get_badge_name_width(badge)
        size, edge = fit_letter_size(badge.name, room, 3.2, 0.56), left + width - 2 - room
        name = draw_left_text(badge.name, edge, y + 1.3, size, ink) if room else ""
        drawn.append(
            f'<rect x="{left:.4g}" y="{y - 3.2:.4g}" width="{width:.4g}" height="6.4" rx="3" fill="{ground}" '
            f'stroke="{PLAIN_COLOUR}" stroke-width=".4"/>{icon}'
            f'<text x="{left + 1.8:.4g}" y="{y + 1.7:.4g}" {CARD_FONT} font-size="5" fill="{ink}">'
            f"{escape(badge.value)}</text>{name}"
        )
        left, y = (left, y + 7) if is_column else (left + width + 1, y)
    return "".join(drawn)


def draw_left_text(text: str, x: float, y: float, size: float, colour: str) -> str:
    """Draw a line of text; its words with a mark are bold."""
    words = BOLD_WORDS.sub(r'<tspan font-weight="700">\g<0></tspan>', escape(text)).replace(BOLD_MARK, "")
    return f'<text x="{x:g}" y="{y:.3g}" {SANS_FONT} font-size="{size:.3g}" fill="{colour}">{words}</text>' * bool(text)


def draw_text_line(line: str, left: float, y: float, size: float, icons: Sequence[CardSymbol]) -> str:
    """Draw a line of text with its icons. Next to an icon, text has the estimated width in every font."""
    parts, x, drawn = ICON_MARK.split(line), left, []
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
            width = estimate_width(text) * size
            fixed = f'<text textLength="{width:.4g}" lengthAdjust="spacingAndGlyphs"'
            drawn.append(draw_left_text(text, x, y, size, "#222").replace("<text", fixed, 1))
            x += width + LETTER_WIDTHS[" "] * size * part.endswith(" ")
        else:
            x += LETTER_WIDTHS[" "] * size * len(part)
    return "".join(drawn)


def draw_coloured_edge(colour: str) -> str:
    return f'<rect x="2" y="2" width="59" height="84" rx="4" fill="none" stroke="{colour}" stroke-width=".8"/>'


def draw_centred_symbol(symbol: CardSymbol, x: float, y: float, size: float, upside_down: bool = False) -> str:
    """Draw a symbol centred at a point."""
    scale = size / 100
    turn = f"rotate(180 {x:.4g} {y:.4g}) " if upside_down else ""
    move = f"{turn}translate({x - size / 2:.4g} {y - size / 2:.4g}) scale({scale:.4g})"
    return symbol.draw(move)


def draw_bold_text(text: str, x: float, y: float, size: float, colour: str) -> str:
    """Draw a centred string; `y` is its base line."""
    return draw_centred_text(remove_invisible_characters(text), x, y, size, colour)
