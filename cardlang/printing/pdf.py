"""The cards of a game as PDF, set by typst."""

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
"""So many sheets are a file: more of them would take hundreds of megabytes to set."""
TEMPLATES = Path(__file__).parent / "templates"


def render(game: Game, paper: str = "a4") -> Iterator[bytes]:
    """All cards of a game, front and back: one file, or one for each `SHEETS` sheets. `paper`: `a4` or
    `letter`."""
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    for cards in portions(printed(game), SHEETS * PER_PAGE):
        yield typeset(source(f"{title}: cards", cards, paper), TEMPLATES)


def portions(cards: Iterable[Card], most: int) -> Iterator[list[Card]]:
    """The cards in portions of so many copies."""
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
