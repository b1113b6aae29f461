"""Parse trees to nodes: `tree` walks, the other modules say which node each rule of the grammar becomes."""

from cardlang.building import items, play, values
from cardlang.building.tree import TreeBuilder

__all__ = ["TreeBuilder", "items", "play", "values"]
