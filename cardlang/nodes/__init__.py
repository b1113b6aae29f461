"""The AST: one frozen class for each grammar rule, close to the source.

Every node has a `span`. Names are stored as `Name` (string and span), so that an error can point at the exact word.
`subject` is None (the table), `"your"` (each player) or a `Name` (each card, each member of a kind, …).

Imports: `source`.
"""

from __future__ import annotations

from cardlang.nodes.base import *  # noqa: F403
from cardlang.nodes.examples import *  # noqa: F403
from cardlang.nodes.expressions import *  # noqa: F403
from cardlang.nodes.file import *  # noqa: F403
from cardlang.nodes.play import *  # noqa: F403
from cardlang.nodes.things import *  # noqa: F403
