"""What a game file says, as it says it: one frozen class for each rule of the grammar, each with its span.

Every node has `span`; names are kept as `Name` (text and span), so that an error can point at the very word.
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
