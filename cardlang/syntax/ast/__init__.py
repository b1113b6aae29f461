"""Abstract syntax tree: one frozen class for each grammar rule.

Every node has a `span`. Names are stored as `Name` (string and span), so that an error can point at the exact word.
`subject` is None (the table), `"your"` (each player) or a `Name` (each card, each member of a kind, …).
"""

from __future__ import annotations

from cardlang.syntax.ast.declaration_nodes import *  # noqa: F403
from cardlang.syntax.ast.expression_nodes import *  # noqa: F403
from cardlang.syntax.ast.statement_nodes import *  # noqa: F403
