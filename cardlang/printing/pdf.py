"""Typeset the cards of a game to PDF with Typst."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import evolve

from cardlang.game import Game
from cardlang.printing.pages import PER_PAGE
from cardlang.printing.typst_source import source
from cardlang.rulesheet.faces import Card, printed
from cardlang.rulesheet.pdf import typeset

SHEETS = 30
"""Maximum number of sheets in a file: more would need hundreds of megabytes of memory."""
TEMPLATES = Path(__file__).parent / "templates"


def render(game: Game, paper: str = "a4") -> Iterator[bytes]:
    """Yield PDFs with all cards of a game, front and back: one for each `SHEETS` sheets.

    `paper`: `a4` or `letter`.
    """
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    for cards in portions(printed(game), SHEETS * PER_PAGE):
        yield typeset(source(f"{title}: cards", cards, paper), TEMPLATES)


def portions(cards: Iterable[Card], most: int) -> Iterator[list[Card]]:
    """Split cards into portions of `most` copies."""
    portion: list[Card] = []
    room = most
    for card in cards:
        copies = card.copies
        while copies:
            taken = min(copies, room)
            portion.append(evolve(card, copies=taken))
            copies, room = copies - taken, room - taken
            if not room:
                yield portion
                portion, room = [], most
    if portion:
        yield portion
