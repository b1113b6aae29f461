"""Intermediate representation of a game: expressions, statements, functions, blocks.

It consists of layout, tables, functions, blocks, frames and sites, with numbers instead of names. Code consists of
frozen expressions and statements. Every expression has the type of its value (`Kind`). The code generators turn it
into Python or C."""

from __future__ import annotations

from interpreter.ir.ir_expressions import *  # noqa: F403
from interpreter.ir.ir_statements import *  # noqa: F403
from interpreter.ir.traversal import walk as walk
