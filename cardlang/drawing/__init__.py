"""Vector drawings of what a game consists of, as SVG: the symbols of its kinds, its cards, the plan of its
table. Nothing here knows a particular game: a symbol belongs to a place in a kind.

Imports: `game`, `plain_text`, `suits`.
"""

from __future__ import annotations

from cardlang.drawing.cards import Look, Looks, card_svg
from cardlang.drawing.symbols import Mark, Marks, shape, symbol
from cardlang.drawing.table import describe, plan_svg

__all__ = ["Look", "Looks", "Mark", "Marks", "card_svg", "describe", "plan_svg", "shape", "symbol"]
