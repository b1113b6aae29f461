"""SVG drawings of cards, suit symbols, tables and diagrams.

No code here depends on a particular game: a symbol belongs to an index in a kind.
"""

from __future__ import annotations

from cardlang.cards.playing_table_pictures import describe_table_plan, draw_table_plan
from cardlang.cards.suit_and_card_drawings import (
    CardSymbol,
    SmallCard,
    SmallCardSet,
    SymbolSet,
    draw_small_card,
    get_shape_path,
)

__all__ = [
    "CardSymbol",
    "SmallCard",
    "SmallCardSet",
    "SymbolSet",
    "describe_table_plan",
    "draw_small_card",
    "draw_table_plan",
    "get_shape_path",
]
