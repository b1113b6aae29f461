"""Warnings about characters that no installed font has, for printed cards and rulebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from cardlang import words
from cardlang.game import Game
from cardlang.plain_text import named
from cardlang.rulesheet.faces import printed
from cardlang.rulesheet.model import RuleSheet
from cardlang.rulesheet.pdf import missing_signs
from cardlang.rulesheet.typst_source import source
from cardlang.terminal.telling import tell

MOST = 8
"""Maximum number of characters, and of cards, in the warning."""


def warn_missing(game: Game, *sheets: RuleSheet) -> None:
    """Print a warning with the characters that are printed as boxes, and the cards that have them.

    Check the cards of a game, or `sheets` if given.
    """
    cards = {face.title: " ".join(strings(card)) for face, card in zip(game.faces, printed(game), strict=True)}
    told = (re.sub(r'["\\]', " ", source(sheet, "a4")) for sheet in sheets)
    signs = missing_signs([*told] if sheets else [*cards.values()])
    if not signs:
        return
    on = [title for title, text in cards.items() if set(signs) & set(text)]
    where = f" on {some([f'“{title}”' for title in on])}" if on else ""
    letters = some([f"{sign} {named(sign)}" for sign in signs])
    tell(
        f"Warning: no installed font has {letters}. Boxes are printed instead{where}. Install a font that has them.",
        err=True,
    )


def strings(value: Any) -> Iterator[str]:
    """Yield the strings of a card, all sides."""
    parts: Any = attrs.astuple(value, recurse=False) if attrs.has(type(value)) else value
    if isinstance(parts, str):
        yield parts
    elif isinstance(parts, tuple | list):
        for part in parts:
            yield from strings(part)


def some(names: Sequence[str]) -> str:
    more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
    return words.join([*names[:MOST], *more])
