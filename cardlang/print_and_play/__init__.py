"""Printable card sheets of a game as PDF, with matching backs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from attrs import define, evolve, field, frozen

from cardlang.cards.card_svg import CardBack, CardBadge, CardPassage, CardSide, Pip, find_pips, has_picture
from cardlang.cards.svg import CARD_HEIGHT, CARD_WIDTH
from cardlang.english.control_characters import remove_invisible_characters
from cardlang.english.morphology import join_phrases
from cardlang.model import Game
from cardlang.rulebook.plan.card_faces import PrintedCard, build_printed_cards
from cardlang.rulebook.render.typst_pdf import compile_typst, format_typst_array, quote_typst_piece

T = TypeVar("T")
MAX_SHEETS_PER_FILE = 30
"""Maximum number of sheets in a file: more would need hundreds of megabytes of memory."""
CARD_TEMPLATES = Path(__file__).parent / "templates"
PAPER_SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of papers in millimetres."""


@frozen
class SheetLayout:
    """Arrangement of cards on pages. Lengths are in millimetres.

    `backs`: each page of fronts is followed by its backs. `bleed`: width of the strip around each card that is cut off.
    """

    columns: int
    rows: int
    page: tuple[float, float]
    card: tuple[float, float] = (CARD_WIDTH, CARD_HEIGHT)
    bleed: float = 0
    backs: bool = True

    @property
    def cards_per_page(self) -> int:
        return self.columns * self.rows

    def split_into_pages(self, cards: Sequence[T]) -> list[tuple[T | None, ...]]:
        """Split cards into pages, row by row. Empty slots of the last page are None."""
        slots = [*cards, *[None] * (-len(cards) % self.cards_per_page)]
        return [tuple(slots[at : at + self.cards_per_page]) for at in range(0, len(slots), self.cards_per_page)]

    def mirror_page(self, page: Sequence[T]) -> tuple[T, ...]:
        """Return the back of a page that is flipped on its long edge: each row from right to left."""
        rows = [page[first : first + self.columns] for first in range(0, len(page), self.columns)]
        return tuple(slot for row in rows for slot in reversed(row))

    def build_inputs(self) -> dict[str, str]:
        """Return the inputs of the Typst template."""
        return {
            "columns": str(self.columns),
            "rows": str(self.rows),
            "page-width": str(self.page[0]),
            "page-height": str(self.page[1]),
            "width": str(self.card[0]),
            "height": str(self.card[1]),
            "bleed": str(self.bleed),
        }


NINE_ON_A4 = SheetLayout(3, 3, PAPER_SIZES["a4"])

# ---------------------------------------------------------------- Typst program
MAX_TITLE_LENGTH, MAX_INDEX_LENGTH, MAX_FOOTER_LENGTH, MAX_TEXT_LENGTH = 80, 7, 90, 900
"""Maximum lengths of strings in characters: more would be illegible on a card."""
SVG_NAMESPACE, SYMBOL_BOX_SIZE = "http://www.w3.org/2000/svg", 138
LONG_WORD = re.compile(r"([^\s\u200b]{10})(?=[^\s\u200b]{4})")


def build_card_program(title: str, cards: Sequence[PrintedCard], layout: SheetLayout) -> str:
    """Return the Typst program that prints every copy of the cards, each page followed by its back."""
    writer = CardTypstWriter()
    slots = [
        (writer.define_side(card.front), writer.define_side(card.back)) for card in cards for _ in range(card.copies)
    ]
    sheets, credits = [], quote_typst_piece(credit_icons(cards))
    for page in layout.split_into_pages(slots):
        sheets.append(f"fronts({format_typst_array(slot[0] if slot else 'none' for slot in page)}, {credits})")
        if layout.backs:
            mirrored = layout.mirror_page(page)
            sheets.append(f"backs({format_typst_array(slot[1] if slot else 'none' for slot in mirrored)})")
    head = f'import "/cards.typ": *\nshow: deck.with({quote_shortened(title, MAX_TITLE_LENGTH)})'
    return (
        "#{\n" + "\n".join([head, *writer.definitions, "pagebreak()\n".join(f"{sheet}\n" for sheet in sheets)]) + "}\n"
    )


def credit_icons(cards: Iterable[PrintedCard]) -> str:
    """Return the credits of the icons on some cards, as their licence asks; empty if there are none."""
    sides = [side for card in cards for side in (card.front, card.back)]
    symbols = [side.symbol for side in sides]
    for side in sides:
        if isinstance(side, CardSide):
            symbols += [side.picture, *(badge.symbol for badge in (side.cost, *side.badges) if badge)]
    authors = sorted({symbol.author.replace("-", " ").title() for symbol in symbols if symbol and symbol.author})
    return f"Icons: {join_phrases(authors)}, game-icons.net, CC BY 3.0" if authors else ""


def quote_shortened(text: str, max_length: int) -> str:
    """Return a sanitised, shortened string as a Typst literal, with break points in long words."""
    text = remove_invisible_characters(text)
    if len(text) > max_length:
        text = text[: max_length - 1].rstrip() + "…"
    return quote_typst_piece(LONG_WORD.sub("\\1\u200b", text))


@define
class CardTypstWriter:
    """Typst definitions of the card faces: each face gets a name and one definition. `definitions`: the definitions."""

    side_names: dict[CardSide | CardBack, str] = field(factory=dict)
    symbol_names: dict[tuple[str, str], str] = field(factory=dict)
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
            "mark": self.define_symbol(side.symbol.path, side.symbol.colour) if side.symbol else "none",
            "picture": self.define_symbol(side.picture.path, side.picture.colour) if has_picture(side) else "none",
            "colour": quote_typst_piece(side.symbol.colour if side.symbol else "#222222"),
            "foot": quote_shortened(side.footer, MAX_FOOTER_LENGTH),
            "said": format_typst_array(
                self.format_passage(passage) for passage in select_fitting_passages(side.passages)
            ),
            "read": format_boolean(side.has_text),
            "dark": format_boolean(side.is_second_face),
            "pips": format_typst_array(map(format_pip, find_pips(side))),
            "cost": self.format_badge(side.cost) if side.cost else "none",
            "stats": format_typst_array(map(self.format_badge, side.badges)),
        }
        return f"side({', '.join(f'{name}: {value}' for name, value in fields.items())})"

    def format_badge(self, badge: CardBadge) -> str:
        mark = self.define_symbol(badge.symbol.path, badge.symbol.colour) if badge.symbol else "none"
        value, name = (quote_shortened(text, MAX_INDEX_LENGTH * 2) for text in (badge.value, badge.name))
        return f"({value}, {mark}, {name})"

    def format_passage(self, passage: CardPassage) -> str:
        texts = (quote_shortened(text, MAX_TEXT_LENGTH) for text in (passage.text, passage.details))
        return f"({', '.join([quote_shortened(passage.title, MAX_TITLE_LENGTH), *texts])})"

    def format_back(self, back: CardBack) -> str:
        titles = (quote_shortened(title, MAX_TITLE_LENGTH) for title in (back.game_title, back.home_title))
        symbol = map(quote_typst_piece, (draw_symbol_pattern(back.symbol.path), back.symbol.colour))
        return f"back({', '.join([*titles, *symbol])})"

    def define_symbol(self, path: str, colour: str) -> str:
        """Return the name of a symbol in a colour; define it on first use."""
        if (path, colour) not in self.symbol_names:
            name = self.symbol_names[path, colour] = f"symbol-{len(self.symbol_names) + 1}"
            self.definitions.append(f"let {name} = {quote_typst_piece(wrap_symbols(draw_symbol_path(path, colour)))}")
        return self.symbol_names[path, colour]


def select_fitting_passages(passages: Sequence[CardPassage]) -> list[CardPassage]:
    """Return the passages that fit on a card."""
    fitting, room = [], MAX_TEXT_LENGTH
    for passage in passages:
        if room > 0:
            fitting.append(passage)
        room -= len(passage.title) + len(passage.text) + len(passage.details)
    return fitting


def format_pip(pip: Pip) -> str:
    """Return the offset of a symbol from the centre of a card, its size, and whether it is upside down."""
    x, y = pip.x - CARD_WIDTH / 2, pip.y - CARD_HEIGHT / 2
    return f"({x:g}, {y:g}, {pip.size:g}, {format_boolean(pip.is_upside_down)})"


def format_boolean(value: bool) -> str:
    return "true" if value else "false"


def draw_symbol_pattern(path: str) -> str:
    """Return a pattern of 8 × 12 white symbols for a card back."""
    drawn = draw_symbol_path(path, "#ffffff")
    places = ((column * SYMBOL_BOX_SIZE, row * SYMBOL_BOX_SIZE) for row in range(12) for column in range(8))
    return wrap_symbols("".join(f'<g transform="translate({x} {y})">{drawn}</g>' for x, y in places), 8, 12)


def draw_symbol_path(path: str, colour: str) -> str:
    return f'<path fill="{colour}" fill-rule="evenodd" d="{path}"/>'


def wrap_symbols(content: str, columns: int = 1, rows: int = 1) -> str:
    """Wrap symbols in an SVG element. The view box leaves room for the frame around them."""
    size = f"{columns * SYMBOL_BOX_SIZE} {rows * SYMBOL_BOX_SIZE}"
    return f'<svg xmlns="{SVG_NAMESPACE}" viewBox="-19 -19 {size}">{content}</svg>'


def render_card_pdfs(game: Game, layout: SheetLayout = NINE_ON_A4) -> Iterator[bytes]:
    """Yield PDFs with all cards of a game, front and back: one for each `MAX_SHEETS_PER_FILE` sheets."""
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    inputs = layout.build_inputs() | {"letters": "1", "font": "Libertinus Serif"}
    for cards in split_by_copies(build_printed_cards(game), MAX_SHEETS_PER_FILE * layout.cards_per_page):
        yield compile_typst(build_card_program(f"{title}: cards", cards, layout), CARD_TEMPLATES, inputs)


def split_by_copies(cards: Iterable[PrintedCard], max_copies: int) -> Iterator[list[PrintedCard]]:
    """Split cards into portions of `max_copies` copies."""
    portion: list[PrintedCard] = []
    room = max_copies
    for card in cards:
        copies = card.copies
        while copies:
            taken = min(copies, room)
            portion.append(evolve(card, copies=taken))
            copies, room = copies - taken, room - taken
            if not room:
                yield portion
                portion, room = [], max_copies
    if portion:
        yield portion
