"""Builders of AST nodes from parse trees, one function for each grammar rule."""

from __future__ import annotations

from cardlang.syntax.builders import (  # they register their functions
    declaration_builders,  # noqa: F401
    expression_builders,  # noqa: F401
    statement_builders,  # noqa: F401
)
from cardlang.syntax.builders.tree_builder import TreeBuilder

__all__ = ["TreeBuilder"]
