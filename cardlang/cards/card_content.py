"""Content of the faces and backs of cards, before they are drawn."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cardlang.cards.card_places import LAYOUTS, CardPlaces
from cardlang.cards.designer_pictures import CardPicture
from cardlang.cards.suit_and_card_drawings import CardSymbol


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
    """A number on a card: its name, its value and its icon, if one fits the name. A cost is white on a dark ground."""

    name: str
    value: str
    symbol: CardSymbol | None
    is_cost: bool = False


@frozen
class CardSide:
    """A face of a card.

    - `index`: the string in its corners. `is_index_underlined`: underline it, because upside down it looks like another
      index.
    - `symbol`: the symbol in its corners; `picture`: the large one.
    - `footer`: the type of card, in small letters. `is_footer_bold`: in bold letters on a dark ground.
    - `has_text`: the card has text, in addition to index and symbol. `is_second_face`: this is the second face of its
      card.
    - `pips`: how many of its symbols are in the middle of a card without text; 0 for another middle.
    - `cost`, `badges`: its numbers, below the symbol.
    - `art`: the designer's picture, in place of the large symbol. `text_icons`: symbols in place of their names in the
      text, when printed.
    - `longest`: the longest text of its set. Shorter ones have letters of the same size.
    - `places`: where its parts are, if it has text. `edge`: colour of the frame around a card without text, if its back
      is pale; empty for no frame.
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
    is_footer_bold: bool = False
    pips: int = 0
    cost: CardBadge | None = None
    badges: tuple[CardBadge, ...] = ()
    art: CardPicture | None = None
    text_icons: tuple[CardSymbol, ...] = ()
    longest: tuple[CardPassage, ...] = ()
    places: CardPlaces = LAYOUTS["band"]
    edge: str = ""

    @property
    def large_symbol(self) -> CardSymbol:
        """Symbol in the picture: white on the dark ground of a second face."""
        return self.picture.paint("#ffffff") if self.is_second_face else self.picture

    @property
    def values(self) -> tuple[CardBadge, ...]:
        """All numbers of the card, its cost first."""
        return (self.cost, *self.badges) if self.cost else self.badges


@frozen
class CardBack:
    """The back of all cards that look alike from behind. `title`: of these cards. `art`: its picture, if any.

    `symbols`: the pattern on `colour`. `is_pale`: coloured symbols on white, to tell it from another back in grey.
    """

    game_title: str
    title: str
    symbols: tuple[CardSymbol, ...]
    colour: str
    is_pale: bool = False
    art: CardPicture | None = None

    def place_symbols(self, columns: int, rows: int) -> Iterator[tuple[CardSymbol, int, int, bool]]:
        """Yield the symbols of the pattern with their column, their row, and whether they are upside down.

        The lower half is the upper half turned around, so that a turned card looks the same. `rows`: an even number.
        """
        for row in range(rows // 2):
            for column in range(columns):
                symbol = self.symbols[(column + 2 * row) % len(self.symbols)]
                yield symbol, column, row, False
                yield symbol, columns - 1 - column, rows - 1 - row, True
