"""`Game`: what a checked file means. Every name is resolved, every expression typed; nothing here changes.

Declarations are found by name in the dictionaries of `Game`; expressions and statements refer to them by name.
Nouns (kinds, card sets, zones, tracks, definitions, orders, rankings) share one name space, verbs (steps,
reactions) another.

Values at play time, as the interpreter keeps them:
a number is an integer (or an exact fraction), a flag 0 or 1, a player the number of the seat (from 0), a member
of a kind its place in the kind (from 0), a card its number. Something may be *absent* (`nothing`, `nobody`, the
suit of a dragon): types that allow it have `maybe`. Comparing with something absent: `=` no, `!=` yes, `<` no, …

Every reader of meaning reads this: the checks, the rule sheet, the cards, the interpreter.

Imports: `codec`, `playing`, `source`.
"""

from __future__ import annotations

from cardlang.game.cards import *  # noqa: F403
from cardlang.game.definitions import *  # noqa: F403
from cardlang.game.expressions import *  # noqa: F403
from cardlang.game.game import *  # noqa: F403
from cardlang.game.kinds import *  # noqa: F403
from cardlang.game.origin import *  # noqa: F403
from cardlang.game.rankings import *  # noqa: F403
from cardlang.game.statements import *  # noqa: F403
from cardlang.game.steps import *  # noqa: F403
from cardlang.game.texts import *  # noqa: F403
from cardlang.game.tracks import *  # noqa: F403
from cardlang.game.types import *  # noqa: F403
from cardlang.game.zones import *  # noqa: F403
