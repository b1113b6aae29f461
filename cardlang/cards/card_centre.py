"""Middle of cards without text: pips, figures, large letters and titles. Screens and printers draw the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from attrs import evolve, frozen

from cardlang.cards.card_content import CardSide
from cardlang.cards.icons import compute_ink_scale
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR, CardSymbol

CENTRE_X, CENTRE_Y = 31.5, 44.0
PIP_COLUMNS = (21.5, CENTRE_X, 41.5)
PIP_TOP, PIP_HEIGHT = 19.5, 49.0
MAX_PIPS = 10
PIP_SIZES, MAX_PIP_SIZE, ONLY_PIP = {7: 11.4, 8: 11.4, 9: 10.0, 10: 10.0}, 13.5, 40.0
FRAME_LEFT, FRAME_TOP, FRAME_WIDTH, FRAME_HEIGHT = 14.0, 9.0, 35.0, 70.0
CORNER_SYMBOL_SIZE = 5.8
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
    """A text in the middle of a card: its centre and box, in millimetres.

    `is_band`: white letters on a band across the frame. `is_upside_down`: turned around.
    """

    text: str
    y: float
    width: float
    height: float
    colour: str = PLAIN_COLOUR
    is_band: bool = False
    is_upside_down: bool = False
    x: float = CENTRE_X


def compute_corner_size(symbol: CardSymbol) -> float:
    """Return the size of the symbol in a corner, in millimetres."""
    return CORNER_SYMBOL_SIZE * (compute_symbol_scale(symbol) if symbol.author else 1.1)


def compute_symbol_scale(symbol: CardSymbol) -> float:
    return compute_ink_scale(symbol.path) if symbol.author else 1


Part = TypeVar("Part", Pip, CentreText)


@frozen
class CardCentre:
    """Middle of a card. `is_framed`: in a frame with a pale ground."""

    pips: tuple[Pip, ...] = ()
    texts: tuple[CentreText, ...] = ()
    is_framed: bool = False


def build_centre(side: CardSide) -> CardCentre:
    """Return the middle of a card without text. It looks the same from both ends."""
    symbol = side.symbol
    if side.art:
        return CardCentre()
    own = side.picture if side.title != side.index and (side.picture.author or symbol) else None
    if own and not (symbol and side.index):
        return build_figure(side, own.colour, Pip(own, CENTRE_X, 26.5, 26))
    if not side.index:
        return CardCentre(texts=(CentreText(side.title, CENTRE_Y, 52, 40),))
    if symbol and side.pips:
        return CardCentre(tuple(place_pips(symbol, side.pips)))
    if symbol:
        is_named = side.title != f"{side.index} of {symbol.name}"
        if side.index.isdecimal() and not is_named:  # more than pips can show
            number = CentreText(side.index, 20, 33, 20, symbol.colour)
            pip = Pip(side.picture, CENTRE_X, CENTRE_Y, 27 * compute_symbol_scale(side.picture))
            return CardCentre((pip,), (number, turn_around(number)))
        plain = side if is_named else evolve(side, title=f"{side.index} · {symbol.name}")
        return build_figure(plain, symbol.colour, Pip(side.picture, CENTRE_X, 25, 28))
    return build_figure(side, side.picture.colour, number=CentreText(side.index, 27, 31, 24, side.picture.colour))


def build_figure(side: CardSide, colour: str, *pips: Pip, number: CentreText | None = None) -> CardCentre:
    """Return the middle of a court card: its figure in both directions, and the title between them."""
    band = () if side.title == side.index else (CentreText(side.title, CENTRE_Y, 34, 6, colour, True),)
    numbers = (number, turn_around(number)) if number else ()
    pairs = tuple(each for pip in pips for each in (pip, turn_around(pip)))
    return CardCentre(pairs, (*numbers, *band), True)


def turn_around(part: Part) -> Part:
    """Return a part upside down in the other half of the card."""
    return evolve(part, x=2 * CENTRE_X - part.x, y=2 * CENTRE_Y - part.y, is_upside_down=True)


def place_pips(symbol: CardSymbol, count: int) -> Iterator[Pip]:
    """Yield the pips of a number up to `MAX_PIPS`, as on a standard pack. Pictures are upright, to be counted."""
    if count == 1:
        yield Pip(symbol, CENTRE_X, CENTRE_Y, ONLY_PIP)
        return
    size = min(PIP_SIZES.get(count, MAX_PIP_SIZE) * compute_symbol_scale(symbol), MAX_PIP_SIZE + 1)
    outer, inner = STANDARD_COLUMNS[count]
    for x, heights in zip(PIP_COLUMNS, (outer, inner, outer), strict=True):
        for height in heights:
            yield Pip(symbol, x, PIP_TOP + PIP_HEIGHT * height, size, height > 0.5 and not symbol.author)
