"""Parse trees to nodes: `tree` walks, the other modules say which node each rule of the grammar becomes.

Imports: `limits`, `nodes`, `plain_text`, `source`.
"""

from cardlang.reading.building import expressions, items, play
from cardlang.reading.building.tree import TreeBuilder

__all__ = ["TreeBuilder", "expressions", "items", "play"]
