"""Typst program that prints cards, with the pictures that it uses."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Sequence

from attrs import define, evolve, field

from cardlang.cards.card_centre import CORNER_SYMBOL_SIZE, CentreText, Pip, build_centre, compute_corner_size
from cardlang.cards.card_content import CardBack, CardBadge, CardPassage, CardSide
from cardlang.cards.card_places import CardPlaces
from cardlang.cards.card_text_layout import KEYWORD, curl_apostrophes
from cardlang.cards.designer_pictures import CardPicture
from cardlang.cards.icons import OWN_AUTHOR, measure_ink
from cardlang.cards.suit_and_card_drawings import FRAME_PATHS, CardSymbol, split_at_icons
from cardlang.cards.svg_elements import CARD_HEIGHT, CARD_WIDTH
from cardlang.english.control_characters import GENERATED_FILE_MARK, remove_invisible_characters
from cardlang.english.morphology import join_phrases
from cardlang.print_and_play.sheet_layout import SheetLayout
from cardlang.rulebook.plan.card_faces import PrintedCard
from cardlang.rulebook.render.typst_pdf import format_typst_array, quote_typst_piece

MAX_TITLE_LENGTH, MAX_INDEX_LENGTH, MAX_FOOTER_LENGTH, MAX_TEXT_LENGTH = 80, 7, 90, 3000
"""Maximum lengths of strings in characters: more would be illegible on a card."""
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
FRAMED_BOX_SIZE, BOX_SIZE = 138, 106
"""Sizes of the square around a symbol with a frame, and around one without."""
LONG_WORD = re.compile(r"([^\s\u200b]{10})(?=[^\s\u200b]{4})")


def build_sheets(writer: CardTypstWriter, cards: Sequence[PrintedCard], layout: SheetLayout) -> list[str]:
    """Return the Typst code of each page with every copy of the cards, fronts followed by backs."""
    sides = [
        (writer.define_side(card.front), writer.define_side(card.back)) for card in cards for _ in range(card.copies)
    ]
    credits = quote_typst_piece(credit_icons(cards))
    if layout.is_folded:
        pages = layout.split_into_pages([side for pair in sides for side in pair])
        return [f"fronts({format_typst_array(slot or 'none' for slot in page)}, {credits})" for page in pages]
    sheets = []
    for page in layout.split_into_pages(sides):
        sheets.append(f"fronts({format_typst_array(slot[0] if slot else 'none' for slot in page)}, {credits})")
        if layout.backs:
            mirrored = layout.mirror_page(page)
            sheets.append(f"backs({format_typst_array(slot[1] if slot else 'none' for slot in mirrored)})")
    return sheets


def build_program(title: str, writer: CardTypstWriter, sheets: Iterable[str]) -> str:
    """Return the Typst program of some pages, with the definitions of `writer`."""
    head = [
        f'set document(keywords: "{GENERATED_FILE_MARK}")',
        'import "/cards.typ": *',
        f"show: deck.with({quote_shortened(title, MAX_TITLE_LENGTH)})",
    ]
    return "#{\n" + "\n".join([*head, *writer.definitions, "\npagebreak()\n".join(sheets)]) + "\n}\n"


def credit_icons(cards: Iterable[PrintedCard]) -> str:
    """Return the credits of the icons on some cards, as their licence asks; empty if there are none."""
    sides = [side for card in cards for side in (card.front, card.back)]
    symbols: list[CardSymbol | None] = []
    for side in sides:
        if isinstance(side, CardSide):
            symbols += [side.symbol, side.picture, *(badge.symbol for badge in side.values), *side.text_icons]
        else:
            symbols += side.symbols
    return credit_symbols(symbols)


def credit_symbols(symbols: Iterable[CardSymbol | None]) -> str:
    """Return the credits of some icons; empty if they need none."""
    others = {symbol.author for symbol in symbols if symbol} - {"", OWN_AUTHOR}
    authors = sorted(author.replace("-", " ").title() for author in others)
    return f"Icons: {join_phrases(authors)}, game-icons.net, CC BY 3.0" if authors else ""


def quote_shortened(text: str, max_length: int) -> str:
    """Return a sanitised, shortened string as a Typst literal, with break points in long words."""
    return quote_breakable(shorten(text, max_length))


def shorten(text: str, max_length: int) -> str:
    text = remove_invisible_characters(text)
    return text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…"


def quote_breakable(text: str) -> str:
    return quote_typst_piece(LONG_WORD.sub("\\1\u200b", text))


@define
class CardTypstWriter:
    """Typst definitions of the card faces: each face gets a name and one definition.

    `is_grey`: print without colours. `definitions`: the definitions. `files`: the pictures that they use.
    """

    is_grey: bool = False
    files: dict[str, bytes] = field(factory=dict)
    picture_names: dict[CardPicture, str] = field(factory=dict)
    side_names: dict[CardSide | CardBack, str] = field(factory=dict)
    symbol_names: dict[str, str] = field(factory=dict)
    definitions: list[str] = field(factory=list)

    def define_side(self, side: CardSide | CardBack) -> str:
        if side not in self.side_names:
            drawn = self.format_side(side) if isinstance(side, CardSide) else self.format_back(side)
            self.side_names[side] = f"side-{len(self.side_names) + 1}"
            self.definitions.append(f"let {self.side_names[side]} = {drawn}")
        return self.side_names[side]

    def format_side(self, side: CardSide) -> str:
        fields = {
            "title": quote_shortened(side.title, MAX_TITLE_LENGTH),
            "index": quote_shortened(side.index, MAX_INDEX_LENGTH),
            "line": format_boolean(side.is_index_underlined),
            "mark": self.define_symbol(side.symbol, CORNER_SYMBOL_SIZE) if side.symbol else "none",
            "mark-size": f"{compute_corner_size(side.symbol):.3g}" if side.symbol else "0",
            "picture": self.define_symbol(side.large_symbol) if side.has_text else "none",
            "colour": self.quote_colour((side.picture if side.has_text else side.symbol or side.picture).colour),
            "foot": quote_shortened(side.footer, MAX_FOOTER_LENGTH),
            "bold": format_boolean(side.is_footer_bold),
            "said": self.format_passages(side.passages, side.text_icons),
            "longest": self.format_passages(side.longest, side.text_icons),
            "read": format_boolean(side.has_text),
            "dark": format_boolean(side.is_second_face),
            "centre": "none" if side.has_text else self.format_centre(side),
            "costs": format_typst_array([self.format_badge(side.cost)] if side.cost else []),
            "values": format_typst_array(map(self.format_badge, side.badges)),
            "art": self.define_picture(side.art),
            "edge": self.quote_colour(side.edge) if side.edge else "none",
            "places": format_places(side.places) if side.has_text else "none",
        }
        return f"side({', '.join(f'{name}: {value}' for name, value in fields.items())})"

    def format_centre(self, side: CardSide) -> str:
        centre = build_centre(side)
        pips, texts = map(self.format_pip, centre.pips), map(self.format_centre_text, centre.texts)
        return f"({format_boolean(centre.is_framed)}, {format_typst_array(pips)}, {format_typst_array(texts)})"

    def format_pip(self, pip: Pip) -> str:
        """Return a symbol, its offset from the centre of the card, its size, and whether it is upside down."""
        symbol = self.define_symbol(pip.symbol, pip.size)
        x, y = pip.x - CARD_WIDTH / 2, pip.y - CARD_HEIGHT / 2
        return f"({symbol}, {x:.4g}, {y:.4g}, {pip.size:.4g}, {format_boolean(pip.is_upside_down)})"

    def format_centre_text(self, text: CentreText) -> str:
        shown, x, y = quote_shortened(text.text, MAX_TITLE_LENGTH), text.x - CARD_WIDTH / 2, text.y - CARD_HEIGHT / 2
        colour, band, turned = self.quote_colour(text.colour), *map(format_boolean, (text.is_band, text.is_upside_down))
        return f"({shown}, {x:g}, {y:g}, {text.width:g}, {text.height:g}, {colour}, {band}, {turned})"

    def format_badge(self, badge: CardBadge) -> str:
        symbol = badge.symbol.paint("#ffffff") if badge.symbol and badge.is_cost else badge.symbol
        mark = self.define_symbol(symbol) if symbol else "none"
        value, name = (quote_shortened(text, MAX_INDEX_LENGTH * 2) for text in (badge.value, badge.name))
        return f"({value}, {mark}, {name}, {format_boolean(badge.is_cost)})"

    def format_passages(self, passages: Sequence[CardPassage], icons: Sequence[CardSymbol]) -> str:
        return format_typst_array(self.format_passage(passage, icons) for passage in select_fitting_passages(passages))

    def format_passage(self, passage: CardPassage, icons: Sequence[CardSymbol]) -> str:
        texts = (self.format_text(text, icons) for text in (passage.text, passage.details))
        return f"({', '.join([quote_shortened(passage.title, MAX_TITLE_LENGTH), *texts])})"

    def format_text(self, text: str, icons: Sequence[CardSymbol]) -> str:
        """Return a text with its icons; the empty string if there is none."""
        parts = split_at_icons(shorten(text, MAX_TEXT_LENGTH), icons)
        return " + ".join(self.format_icon(icon) if icon else format_words(part) for part, icon in parts) or '""'

    def format_icon(self, icon: CardSymbol) -> str:
        return f"icon({self.define_symbol(icon)}, {quote_typst_piece(icon.name)})"

    def format_back(self, back: CardBack) -> str:
        titles = (quote_shortened(title, MAX_TITLE_LENGTH) for title in (back.game_title, back.title))
        pattern = quote_typst_piece(draw_symbol_pattern(back, "#000000" if back.is_pale else "#ffffff"))
        pattern = pattern.replace("#000000", self.convert_colour(back.colour))
        sign = self.define_symbol(back.symbols[0].paint(back.colour))
        fields = [*titles, pattern, sign, self.quote_colour(back.colour), format_boolean(back.is_pale)]
        return f"back({', '.join(fields)}, art: {self.define_picture(back.art)})"

    def define_picture(self, picture: CardPicture | None) -> str:
        """Return the path of a picture in quotes, or `none`; add it to the files on first use."""
        if picture is None:
            return "none"
        if picture not in self.picture_names:
            path = f"/picture-{len(self.files) + 1}.{picture.media_type.removeprefix('image/').removesuffix('+xml')}"
            is_photo = self.is_grey and picture.media_type != "image/svg+xml"
            self.files[path[1:]] = remove_colours(picture.data) if is_photo else picture.data
            self.picture_names[picture] = quote_typst_piece(path)
        return self.picture_names[picture]

    def quote_colour(self, colour: str) -> str:
        return quote_typst_piece(self.convert_colour(colour))

    def convert_colour(self, colour: str) -> str:
        return convert_to_grey(colour) if self.is_grey else colour

    def define_symbol(self, symbol: CardSymbol, size: float = math.inf) -> str:
        """Return the name of a symbol; define it on first use. `size`: in millimetres. Small or thin icons are bold."""
        stroke = max(0.0, 4.1 - size / 5) + 50 * max(0.0, 0.17 - measure_ink(symbol.path)) if symbol.author else 0
        colours = {
            "colour": self.convert_colour(symbol.colour),
            "fill": symbol.fill and self.convert_colour(symbol.fill),
        }
        box = FRAMED_BOX_SIZE if symbol.path.startswith(FRAME_PATHS[1:]) else BOX_SIZE
        drawn = wrap_symbols(evolve(symbol, **colours).draw(stroke=stroke), box)
        if drawn not in self.symbol_names:
            name = self.symbol_names[drawn] = f"symbol-{len(self.symbol_names) + 1}"
            self.definitions.append(f"let {name} = {quote_typst_piece(drawn)}")
        return self.symbol_names[drawn]


def format_words(text: str) -> str:
    """Return a text with bold keywords, each on a new line: `Tax` in `Tax: take three coins.`"""
    start, *parts = KEYWORD.split(curl_apostrophes(text))
    pieces = [quote_breakable(start)]
    for keyword, rest in zip(parts[::2], parts[1::2], strict=True):
        new_line = ["linebreak()"] if len(pieces) > 1 or start.strip() else []
        pieces += [*new_line, f"strong({quote_typst_piece(keyword)})", quote_breakable(rest)]
    return " + ".join(pieces)


def format_places(places: CardPlaces) -> str:
    parts = (
        f"{part}: (name: {quote_typst_piece(place.name)}, size: {place.size:.4g}mm)"
        for part, place in places.map_parts().items()
    )
    return f"({', '.join(parts)})"


def select_fitting_passages(passages: Sequence[CardPassage]) -> list[CardPassage]:
    """Return the passages that fit on a card."""
    fitting, room = [], MAX_TEXT_LENGTH
    for passage in passages:
        if room > 0:
            fitting.append(passage)
        room -= len(passage.title) + len(passage.text) + len(passage.details)
    return fitting


def format_boolean(value: bool) -> str:
    return "true" if value else "false"


def draw_symbol_pattern(back: CardBack, colour: str) -> str:
    """Return the pattern of 8 × 12 symbols of a card back."""
    content = "".join(
        f'<g transform="translate({column * FRAMED_BOX_SIZE} {row * FRAMED_BOX_SIZE})'
        f'{" rotate(180 50 50)" * is_upside_down}">{symbol.paint(colour).draw()}</g>'
        for symbol, column, row, is_upside_down in back.place_symbols(8, 12)
    )
    return wrap_symbols(content, FRAMED_BOX_SIZE, 8, 12)


def wrap_symbols(content: str, box_size: int, columns: int = 1, rows: int = 1) -> str:
    """Wrap symbols in an SVG element, each in the middle of a square."""
    margin = (100 - box_size) // 2
    size = f"{columns * box_size} {rows * box_size}"
    return f'<svg xmlns="{SVG_NAMESPACE}" viewBox="{margin} {margin} {size}">{content}</svg>'


def convert_to_grey(colour: str) -> str:
    """Return a grey as bright as a colour `#rrggbb`."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return (
        f"#{round(0.3 * red + 0.59 * green + 0.11 * blue):02x}"
        + f"{round(0.3 * red + 0.59 * green + 0.11 * blue):02x}" * 2
    )


def remove_colours(data: bytes) -> bytes:
    from PIL import Image

    target = io.BytesIO()
    with Image.open(io.BytesIO(data)) as picture:
        picture.convert("LA" if picture.format == "PNG" else "L").save(target, picture.format)
    return target.getvalue()
