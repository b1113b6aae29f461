"""Generate a Typst program of the cards. All strings from the game are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import define, field

from cardlang.drawing.printed import Back, Passage, Side
from cardlang.plain_text import harmless
from cardlang.printing.pages import mirrored, pages
from cardlang.rulesheet.faces import Card
from cardlang.rulesheet.typst_source import PAPERS, array, quote_piece

TITLE, INDEX, FOOT, TEXT = 80, 7, 90, 900
"""Maximum lengths of strings in characters: more would be illegible on a card."""

SVG, BOX = "http://www.w3.org/2000/svg", 138

LONG_WORD = re.compile(r"([^\s\u200b]{10})(?=[^\s\u200b]{4})")


def source(title: str, cards: Iterable[Card], paper: str) -> str:
    """Return the Typst program that prints every copy of the cards, each page followed by its back."""
    writer = Writer()
    slots = [(writer.name(card.front), writer.name(card.back)) for card in cards for _ in range(card.copies)]
    sheets = []
    for page in pages(slots):
        sheets.append(f"fronts({array(slot[0] if slot else 'none' for slot in page)})")
        sheets.append(f"backs({array(slot[1] if slot else 'none' for slot in mirrored(page))})")
    head = f'import "/cards.typ": *\nshow: deck.with({quote(title, TITLE)}, "{PAPERS[paper]}")'
    return "#{\n" + "\n".join([head, *writer.lines, "pagebreak()\n".join(f"{sheet}\n" for sheet in sheets)]) + "}\n"


def quote(text: str, most: int) -> str:
    """Return a sanitised string as a Typst literal, of at most `most` characters, with break points in long words."""
    text = harmless(text)
    if len(text) > most:
        text = text[: most - 1].rstrip() + "…"
    return quote_piece(LONG_WORD.sub("\\1\u200b", text))


@define
class Writer:
    """Typst definitions of the card faces: each face gets a name and one definition. `lines`: the definitions."""

    names: dict[Side | Back, str] = field(factory=dict)
    symbols: dict[tuple[str, str], str] = field(factory=dict)
    lines: list[str] = field(factory=list)

    def name(self, side: Side | Back) -> str:
        if side not in self.names:
            drawn = self.side(side) if isinstance(side, Side) else self.back(side)
            self.names[side] = f"side-{len(self.names) + 1}"
            self.lines.append(f"let {self.names[side]} = {drawn}")
        return self.names[side]

    def side(self, side: Side) -> str:
        fields = {
            "title": quote(side.title, TITLE),
            "index": quote(side.index, INDEX),
            "line": boolean(side.line),
            "mark": self.symbol(side.mark.path, side.mark.colour) if side.mark else "none",
            "picture": self.symbol(side.picture.path, side.picture.colour),
            "colour": quote_piece(side.mark.colour if side.mark else "#222222"),
            "foot": quote(side.foot, FOOT),
            "said": array(self.passage(passage) for passage in fitting(side.passages)),
            "read": boolean(side.read),
            "dark": boolean(side.dark),
        }
        return f"side({', '.join(f'{name}: {value}' for name, value in fields.items())})"

    def passage(self, passage: Passage) -> str:
        return f"({quote(passage.title, TITLE)}, {quote(passage.said, TEXT)}, {quote(passage.more, TEXT)})"

    def back(self, back: Back) -> str:
        shown = f"{quote(back.game, TITLE)}, {quote(back.home, TITLE)}"
        return f"back({shown}, {quote_piece(pattern(back.mark.path))}, {quote_piece(back.mark.colour)})"

    def symbol(self, path: str, colour: str) -> str:
        """Return the name of a symbol in a colour; define it on first use."""
        if (path, colour) not in self.symbols:
            name = self.symbols[path, colour] = f"symbol-{len(self.symbols) + 1}"
            self.lines.append(f"let {name} = {quote_piece(svg(path, colour))}")
        return self.symbols[path, colour]


def fitting(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages that fit on a card."""
    kept, room = [], TEXT
    for passage in passages:
        if room > 0:
            kept.append(passage)
        room -= len(passage.title) + len(passage.said) + len(passage.more)
    return kept


def boolean(value: bool) -> str:
    return "true" if value else "false"


def svg(path: str, colour: str) -> str:
    """Return a symbol as SVG. The view box leaves room for the frame around it."""
    return f'<svg xmlns="{SVG}" viewBox="-19 -19 {BOX} {BOX}">{drawn(path, colour)}</svg>'


def pattern(path: str) -> str:
    """Return a pattern of 8 × 12 white symbols for a card back."""
    places = [(column * BOX, row * BOX) for row in range(12) for column in range(8)]
    all_of_them = "".join(f'<g transform="translate({x} {y})">{drawn(path, "#ffffff")}</g>' for x, y in places)
    return f'<svg xmlns="{SVG}" viewBox="-19 -19 {8 * BOX} {12 * BOX}">{all_of_them}</svg>'


def drawn(path: str, colour: str) -> str:
    return f'<path fill="{colour}" fill-rule="evenodd" d="{path}"/>'
