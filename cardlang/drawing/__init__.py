"""Draw components of a game as SVG: suit symbols, cards, the plan of the table.

No code here depends on a particular game: a symbol belongs to an index in a kind.

Imports: `game`, `plain_text`, `suits`.
"""

from __future__ import annotations

from cardlang.drawing.cards import Look, Looks, card_svg
from cardlang.drawing.symbols import Mark, Marks, shape, symbol
from cardlang.drawing.table import describe, plan_svg

__all__ = ["Look", "Looks", "Mark", "Marks", "card_svg", "describe", "plan_svg", "shape", "symbol"]
