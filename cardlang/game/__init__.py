"""The checked model of a game, `Game`: resolved names, typed expressions, immutable objects.

The dictionaries of `Game` find declarations by name; expressions and statements refer to them by name. Nouns (kinds,
card sets, zones, tracks, definitions, orders, rankings) share one name space, verbs (steps, reactions) another.

Values in a match, as the interpreter stores them:

- a number is an integer (or an exact fraction), a flag 0 or 1;
- a player is a seat number, a card its number, a member of a kind its index in the kind, all from 0.

A value may be *absent* (`nothing`, `nobody`, the suit of a dragon): types that allow it have `maybe`. Comparing with an
absent value: `=` no, `!=` yes, `<` no, …

All later stages read this model: the checks, the rule sheet, the cards, the interpreter.

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
