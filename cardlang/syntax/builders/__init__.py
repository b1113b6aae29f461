"""Builders of AST nodes from parse trees, one function for each grammar rule."""

from __future__ import annotations

from cardlang.syntax.builders import declaration_builders, statement_builders  # noqa: F401  (they register their functions)
from cardlang.syntax.builders.tree_builder import TreeBuilder

__all__ = ["TreeBuilder"]
