"""Parse trees to nodes: `tree` walks, the other modules say which node each rule of the grammar becomes."""

from cardlang.reading.building import items, play, values
from cardlang.reading.building.tree import TreeBuilder

__all__ = ["TreeBuilder", "items", "play", "values"]
