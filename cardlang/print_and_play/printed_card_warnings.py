"""Warnings about printed cards: their theme, pictures, and texts that don't fit."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang.diagnostics import Diagnostic, Span
from cardlang.model import Game
from cardlang.print_and_play import CardPrinter

MISFIT_CODE = "W462"


def find_printing_problems(printer: CardPrinter) -> Iterator[Diagnostic]:
    """Yield the findings of the theme and its pictures, and the texts that don't fit on their card."""
    yield from printer.theme.findings
    yield from printer.design.find_picture_problems()
    for title, size in printer.find_misfits().items():
        problem = "does not fit on its card" if size == 0 else f"is printed in letters of only {size:g} points"
        hint = "shorten it, or choose larger cards in the theme"
        span = find_title(printer.game, title)
        yield Diagnostic(MISFIT_CODE, f"the text of “{title}” {problem}", span, hint, warning=True)


def find_title(game: Game, title: str) -> Span:
    """Return the place of a card's title in the game file, or the card in its spreadsheet or library."""
    face = next((face for face in game.faces if face.title == title), game.faces[0])
    if face.span.source is not game.sources[0]:
        return face.span
    span = game.sets[face.set].origin.span
    start = span.source.text.find(f'"{title}"', span.start)
    return Span(span.source, start, start + len(title) + 2) if start >= 0 else span
