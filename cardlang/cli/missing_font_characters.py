"""Warnings about characters that no installed font has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from cardlang.english import morphology
from cardlang.english.control_characters import describe_character
from cardlang.model import Game
from cardlang.rulebook.model import Rulebook
from cardlang.rulebook.plan.card_faces import build_printed_cards
from cardlang.rulebook.render.typst_pdf import build_typst_program, find_missing_glyphs
from cardlang.ui.terminal.escaped_output import write_line

MAX_LISTED = 8
"""Maximum number of characters, and of cards, in the warning."""


def warn_missing_characters(game: Game, *sheets: Rulebook) -> None:
    """Print a warning with the characters that are printed as boxes, and the cards that have them.

    Check the cards of a game, or `sheets` if given.
    """
    cards = {
        face.title: " ".join(collect_strings(card))
        for face, card in zip(game.faces, build_printed_cards(game), strict=True)
    }
    programs = (re.sub(r'["\\]', " ", build_typst_program(sheet, "a4")) for sheet in sheets)
    signs = find_missing_glyphs([*programs] if sheets else [*cards.values()])
    if not signs:
        return
    on = [title for title, text in cards.items() if set(signs) & set(text)]
    where = f" on {join_first_names([f'“{title}”' for title in on])}" if on else ""
    letters = join_first_names([f"{sign} {describe_character(sign)}" for sign in signs])
    write_line(
        f"Warning: no installed font has {letters}. Boxes are printed instead{where}. Install a font that has them.",
        err=True,
    )


def collect_strings(value: Any) -> Iterator[str]:
    """Yield the strings of a card, all sides, without the texts of other cards that decide the size of its letters."""
    parts: Any = value
    if attrs.has(type(value)):
        parts = attrs.astuple(value, recurse=False, filter=lambda part, _: part.name != "longest")
    if isinstance(parts, str):
        yield parts
    elif isinstance(parts, tuple | list):
        for part in parts:
            yield from collect_strings(part)


def join_first_names(names: Sequence[str]) -> str:
    more = [f"{len(names) - MAX_LISTED} more"] if len(names) > MAX_LISTED else []
    return morphology.join_phrases([*names[:MAX_LISTED], *more])
