"""AST builder: `tree` traverses parse trees, and the other modules map each grammar rule to a node.

Imports: `limits`, `nodes`, `plain_text`, `source`."""

from cardlang.reading.building import expressions, items, play  # noqa: F401  (they register their builders)
from cardlang.reading.building.tree import TreeBuilder

__all__ = ["TreeBuilder"]
