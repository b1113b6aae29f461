"""Warnings about printed cards: their theme, pictures, and texts that don't fit."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang.cards.card_content import CardSide
from cardlang.cards.theme import THEME_CODE, normalize_name
from cardlang.diagnostics import Diagnostic, Span
from cardlang.english.morphology import format_count, join_phrases
from cardlang.model import Game
from cardlang.print_and_play import CardPrinter

MISFIT_CODE = "W462"
MAX_LISTED = 3
"""Maximum number of cards that a warning names."""


def find_printing_problems(printer: CardPrinter) -> Iterator[Diagnostic]:
    """Yield the findings of the theme and its pictures, and the texts that don't fit on their card."""
    yield from printer.theme.findings
    yield from printer.design.find_picture_problems()
    yield from find_unused_places(printer)
    if printer.theme.places_span:
        yield from find_crowded_places(printer, printer.theme.places_span)
        return
    for (title, part), size in printer.find_misfits().items():
        problem = "does not fit on its card" if size == 0 else f"is printed in letters of only {size:g} points"
        hint = "shorten it, or choose larger cards in the theme"
        span = find_title(printer.game, title)
        yield Diagnostic(MISFIT_CODE, f"the {part} of “{title}” {problem}", span, hint, warning=True)


def find_crowded_places(printer: CardPrinter, span: Span) -> Iterator[Diagnostic]:
    """Yield a warning for each part of cards without enough room in the places of the theme, at `span`."""
    titles: dict[str, list[str]] = {}
    for title, part in printer.find_misfits():
        titles.setdefault(part, []).append(f"“{title}”")
    for part, crowded in titles.items():
        left = len(crowded) - MAX_LISTED
        listed = join_phrases([*crowded[:MAX_LISTED], *([f"{left} more"] if left > 0 else [])])
        reason = f"too little room for the {part} of {format_count(len(crowded), 'card')}: {listed}"
        yield Diagnostic(MISFIT_CODE, reason, span, f"give the {part} more room, or shorten it", warning=True)


def find_unused_places(printer: CardPrinter) -> Iterator[Diagnostic]:
    """Yield a warning if a theme places the parts of cards, but none of these has a text."""
    span, used, names = printer.theme.places_span, set(), {normalize_name(name) for name in printer.game.sets}
    for face, card in zip(printer.game.faces, printer.design.build_cards(), strict=True):
        if any(isinstance(side, CardSide) and side.has_text for side in (card.front, card.back)):
            used.add(normalize_name(face.set))
    for group, places in printer.theme.places.items():
        if span and places and not (used if group == "" else group in used):
            kind = f" in {group.title()}" if group in names else ""
            reason = f"places are for cards with a text, and no card{kind} has one"
            yield Diagnostic(THEME_CODE, reason, span, "remove them", warning=True)


def find_title(game: Game, title: str) -> Span:
    """Return the place of a card's title in the game file, or the card in its spreadsheet or library."""
    face = next((face for face in game.faces if face.title == title), game.faces[0])
    if face.span.source is not game.sources[0]:
        return face.span
    span = game.sets[face.set].origin.span
    start = span.source.text.find(f'"{title}"', span.start)
    return Span(span.source, start, start + len(title) + 2) if start >= 0 else span
