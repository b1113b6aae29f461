"""Lay out the cards of a checked `Game` for printing: card faces, double-sided pages, and the PDF.

Imports: `drawing`, `game`, `plain_text`, `rulesheet`.
"""

from __future__ import annotations

from cardlang.drawing.printed import Back, Passage, Side
from cardlang.printing.pages import PER_PAGE, mirrored, pages
from cardlang.printing.pdf import SHEETS, render
from cardlang.rulesheet.faces import Card, printed

__all__ = ["PER_PAGE", "SHEETS", "Back", "Card", "Passage", "Side", "mirrored", "pages", "printed", "render"]
