"""How cards look: colours and symbols for suit-like kinds."""

from __future__ import annotations

import re
from functools import cached_property

from attrs import define, field
from rich.text import Text

from cardlang.game import Game, Kind
from cardlang.plain_text import visible_lines
from cardlang.suits import Suits

COLOURS = (
    "bright_red",
    "bright_cyan",
    "bright_yellow",
    "bright_green",
    "bright_magenta",
    "bright_blue",
    "orange1",
)
SYMBOLS = "●▲■◆★✚▼"
BACK = "▒▒"
NAMED_COLOURS = {
    "red": "bright_red", "green": "bright_green", "blue": "bright_blue", "white": "bright_white",
    "yellow": "bright_yellow", "black": "bright_black", "purple": "bright_magenta", "orange": "orange1",
    "heart": "bright_red", "diamond": "bright_red", "club": "bright_white", "spade": "bright_white",
}  # fmt: skip
NAMED_SYMBOLS = {"club": "♣", "diamond": "♦", "heart": "♥", "spade": "♠", "sun": "☀", "moon": "☾"}
"""Looks that everybody connects with a word, whatever the game."""


@define(slots=False)
class Paint:
    """Colours and symbols of the cards of a game; without `symbols`, what every terminal has. Suit-like
    kinds share out the palette, so that different suits look different."""

    game: Game
    symbols: bool = True
    suits: Suits = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.suits = Suits(self.game)

    def look(self, kind: Kind, place: int) -> tuple[str, str]:
        """Symbol (may be empty) and colour of a member of a suit-like kind."""
        at = self.suits.offsets.get(kind.name, 0) + place
        name = kind.members[place].name.lower().rstrip("s")
        symbol = NAMED_SYMBOLS.get(name, SYMBOLS[at % len(SYMBOLS)]) if self.symbols else ""
        return symbol, NAMED_COLOURS.get(name, COLOURS[at % len(COLOURS)])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Faces by the code on them."""
        return {face.code: face.number for face in self.game.faces}

    def card(self, face: int | None) -> Text:
        """A card's code in the colour of its suit, with its symbol; a back for a hidden card."""
        if face is None:
            return Text(BACK if self.symbols else "##", style="dim")
        suit = self.suits.by_face[face]
        symbol, colour = self.look(*suit) if suit else ("", "bold")
        return Text(self.game.faces[face].code + symbol, style=colour)

    def backs(self, count: int) -> Text:
        """So many hidden cards."""
        back = self.card(None)
        return back if count == 1 else back.append(f" ×{count}" if self.symbols else f" x{count}", style="not dim")

    def line(self, text: str) -> Text:
        """A line in which the codes in brackets are painted."""
        painted = Text()
        for part in re.split(r"(\[[^\]]*\])", visible_lines(text)):
            painted.append_text(self.codes(part) if part.startswith("[") else Text(part))
        return painted

    def codes(self, text: str) -> Text:
        """`[9G 7A]` with its cards painted; anything else as it is."""
        inside = [code.strip(",") for code in text[1:-1].split()]
        if not inside or any(code not in self.numbers for code in inside):
            return Text(text)
        cards = Text(" ").join(self.card(self.numbers[code]) for code in inside)
        return Text.assemble("[", cards, "]")

    def member(self, name: str, style: str = "") -> Text:
        """The name of a member of a kind with its symbol if it is a suit; any other name in a style."""
        for kind in self.game.kinds.values():
            for place, member in enumerate(kind.members):
                if member.name == name and kind.name in self.suits.offsets:
                    symbol, colour = self.look(kind, place)
                    return Text(f"{name} {symbol}".rstrip(), style=colour)
        return Text(name, style=style)
