"""Parts that all SVG drawings share: the size of a card, text and the root element."""

from __future__ import annotations

from html import escape

CARD_WIDTH, CARD_HEIGHT = 63, 88
"""Size of a card in millimetres."""
SERIF_FONT = "font-family=\"'Libertinus Serif', Georgia, 'Times New Roman', serif\""
CARD_FONT = f'{SERIF_FONT} font-weight="700"'


def draw_centred_text(text: str, x: float, y: float, size: float, colour: str) -> str:
    """Draw a centred line of text; `y` is its base line."""
    return (
        f'<text x="{x:g}" y="{y:g}" {CARD_FONT} font-size="{size:.3g}" fill="{colour}" text-anchor="middle">'
        f"{escape(text)}</text>"
    )


def wrap_in_svg(attributes: str, body: str) -> str:
    """Return an SVG document with the given attributes of its root element."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>'
