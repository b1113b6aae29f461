"""Middle of cards without text: pips, figures, large letters and titles. Screens and printers draw the same."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from cardlang.cards.card_side import CardSide
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR, CardSymbol

CENTRE_X, CENTRE_Y = 31.5, 44.0
PIP_COLUMNS = (23.0, CENTRE_X, 40.0)
PIP_TOP, PIP_HEIGHT = 17.0, 54.0
MAX_PIPS = 10
PIP_SIZES, MAX_SUIT_SIZE, ONLY_PIP = {7: 12.0, 8: 12.0, 9: 9.6, 10: 9.6}, 11.5, 36.0
FRAME_LEFT, FRAME_TOP, FRAME_WIDTH, FRAME_HEIGHT = 14.0, 9.0, 35.0, 70.0
STANDARD_COLUMNS: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = {
    2: ((), (0, 1)),
    3: ((), (0, 0.5, 1)),
    4: ((0, 1), ()),
    5: ((0, 1), (0.5,)),
    6: ((0, 0.5, 1), ()),
    7: ((0, 0.5, 1), (0.25,)),
    8: ((0, 0.5, 1), (0.25, 0.75)),
    9: ((0, 1 / 3, 2 / 3, 1), (0.5,)),
    10: ((0, 1 / 3, 2 / 3, 1), (1 / 6, 5 / 6)),
}
"""Heights of the pips in both outer columns and in the middle, from 0 at the top to 1, by their number."""


@frozen
class Pip:
    """A symbol in the middle of a card: its centre and size, in millimetres."""

    symbol: CardSymbol
    x: float
    y: float
    size: float
    is_upside_down: bool = False


@frozen
class CentreText:
    """A text in the middle of a card: its vertical centre and box, in millimetres.

    `is_band`: white letters on a band across the frame.
    """

    text: str
    y: float
    width: float
    height: float
    colour: str = PLAIN_COLOUR
    is_band: bool = False


@frozen
class CardCentre:
    """Middle of a card. `is_framed`: in a frame with a pale ground."""

    pips: tuple[Pip, ...] = ()
    texts: tuple[CentreText, ...] = ()
    is_framed: bool = False


def build_centre(side: CardSide) -> CardCentre:
    """Return the middle of a card without text."""
    symbol, title = side.symbol, CentreText(side.title, 66, 32, 13)
    if side.art:
        return CardCentre()
    own = side.picture if side.title != side.index and (side.picture.author or symbol) else None
    if own and not (symbol and side.index):
        return CardCentre((Pip(own, CENTRE_X, 37, 31),), (title,), True)
    if symbol is None:
        number = CentreText(side.index, 42, 50, 34, side.picture.colour)
        named = (title,) if side.title != side.index else ()
        return CardCentre(texts=(number, *named) if side.index else (evolve(title, y=CENTRE_Y, width=52, height=40),))
    if side.pips:
        return CardCentre(tuple(place_pips(symbol, side.pips)))
    if side.picture.path != symbol.path:
        return build_figure(side, symbol)
    ends = mirror(Pip(symbol, CENTRE_X, 20.5, 17))
    return CardCentre(ends, (CentreText(side.index, CENTRE_Y, 33, 26, symbol.colour),), True)


def build_figure(side: CardSide, symbol: CardSymbol) -> CardCentre:
    """Return the middle of a court card: a figure with its suit, in both directions, and the title between them."""
    figures = (*mirror(Pip(side.picture, 34, 26.5, 26)), *mirror(Pip(symbol, 18.2, 13.2, 6.5)))
    title = f"{side.title} · {side.worth}" if side.worth else side.title
    return CardCentre(figures, (CentreText(title, CENTRE_Y, 34, 6, symbol.colour, True),), True)


def mirror(pip: Pip) -> tuple[Pip, Pip]:
    """Return a pip and its mirror image in the other half of the card."""
    return pip, evolve(pip, x=2 * CENTRE_X - pip.x, y=2 * CENTRE_Y - pip.y, is_upside_down=True)


def place_pips(symbol: CardSymbol, count: int) -> Iterator[Pip]:
    """Yield the pips of a number up to `MAX_PIPS`, as on a standard pack."""
    if count == 1:
        yield Pip(symbol, CENTRE_X, CENTRE_Y, ONLY_PIP)
        return
    size = min(PIP_SIZES.get(count, 13.5), 13.5 if symbol.author else MAX_SUIT_SIZE)
    outer, inner = STANDARD_COLUMNS[count]
    for x, heights in zip(PIP_COLUMNS, (outer, inner, outer), strict=True):
        for height in heights:
            yield Pip(symbol, x, PIP_TOP + PIP_HEIGHT * height, size, height > 0.5)
