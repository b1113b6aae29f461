"""Printable card sheets of a game as PDF, with matching backs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from attrs import define, evolve, field

from cardlang.cards.card_svg import CardBack, CardPassage, CardSide
from cardlang.english.control_characters import remove_invisible_characters
from cardlang.model import Game
from cardlang.rulebook.plan.card_faces import PrintedCard, build_printed_cards
from cardlang.rulebook.render.typst_pdf import TYPST_PAPERS, compile_typst, format_typst_array, quote_typst_piece

PAGE_COLUMNS, PAGE_ROWS = 3, 3
CARDS_PER_PAGE = PAGE_COLUMNS * PAGE_ROWS
T = TypeVar("T")


def split_into_pages(cards: Sequence[T]) -> list[tuple[T | None, ...]]:
    """Split cards into pages, row by row. Empty slots of the last page are None."""
    rest = -len(cards) % CARDS_PER_PAGE
    slots = [*cards, *[None] * rest]
    return [tuple(slots[first : first + CARDS_PER_PAGE]) for first in range(0, len(slots), CARDS_PER_PAGE)]


def mirror_page(page: Sequence[T]) -> tuple[T, ...]:
    """Return the back of a page that is flipped on its long edge: each row from right to left."""
    rows = [page[first : first + PAGE_COLUMNS] for first in range(0, len(page), PAGE_COLUMNS)]
    return tuple(slot for row in rows for slot in reversed(row))


# ---------------------------------------------------------------- Typst program
MAX_TITLE_LENGTH, MAX_INDEX_LENGTH, MAX_FOOTER_LENGTH, MAX_TEXT_LENGTH = 80, 7, 90, 900
"""Maximum lengths of strings in characters: more would be illegible on a card."""
SVG_NAMESPACE, SYMBOL_BOX_SIZE = "http://www.w3.org/2000/svg", 138
LONG_WORD = re.compile(r"([^\s\u200b]{10})(?=[^\s\u200b]{4})")


def build_card_program(title: str, cards: Iterable[PrintedCard], paper: str) -> str:
    """Return the Typst program that prints every copy of the cards, each page followed by its back."""
    writer = CardTypstWriter()
    slots = [
        (writer.define_side(card.front), writer.define_side(card.back)) for card in cards for _ in range(card.copies)
    ]
    sheets = []
    for page in split_into_pages(slots):
        sheets.append(f"fronts({format_typst_array(slot[0] if slot else 'none' for slot in page)})")
        sheets.append(f"backs({format_typst_array(slot[1] if slot else 'none' for slot in mirror_page(page))})")
    head = (
        f'import "/cards.typ": *\nshow: deck.with({quote_shortened(title, MAX_TITLE_LENGTH)}, "{TYPST_PAPERS[paper]}")'
    )
    return (
        "#{\n" + "\n".join([head, *writer.definitions, "pagebreak()\n".join(f"{sheet}\n" for sheet in sheets)]) + "}\n"
    )


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
            "picture": self.define_symbol(side.picture.path, side.picture.colour),
            "colour": quote_typst_piece(side.symbol.colour if side.symbol else "#222222"),
            "foot": quote_shortened(side.footer, MAX_FOOTER_LENGTH),
            "said": format_typst_array(
                self.format_passage(passage) for passage in select_fitting_passages(side.passages)
            ),
            "read": format_boolean(side.has_text),
            "dark": format_boolean(side.is_second_face),
        }
        return f"side({', '.join(f'{name}: {value}' for name, value in fields.items())})"

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


MAX_SHEETS_PER_FILE = 30
"""Maximum number of sheets in a file: more would need hundreds of megabytes of memory."""
CARD_TEMPLATES = Path(__file__).parent / "templates"


def render_card_pdfs(game: Game, paper: str = "a4") -> Iterator[bytes]:
    """Yield PDFs with all cards of a game, front and back: one for each `MAX_SHEETS_PER_FILE` sheets.

    `paper`: `a4` or `letter`.
    """
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    for cards in split_by_copies(build_printed_cards(game), MAX_SHEETS_PER_FILE * CARDS_PER_PAGE):
        yield compile_typst(build_card_program(f"{title}: cards", cards, paper), CARD_TEMPLATES)


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
