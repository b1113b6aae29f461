"""Model of a checked game: all names resolved, all expressions typed.

The dictionaries of `Game` find declarations by name; expressions and statements refer to them by name. Nouns (kinds,
card sets, zones, tracks, definitions, orders, rankings) share one name space, verbs (steps, reactions) another.

Values in a match, as the interpreter stores them:

- a number is an integer (or an exact fraction), a flag 0 or 1;
- a player is a seat number, a card its number, a member of a kind its index in the kind, all from 0.

A value may be *absent* (`nothing`, `nobody`, the suit of a dragon): types that allow it have `maybe`. Comparing with an
absent value: `=` no, `!=` yes, `<` no, …

All later stages read this model: lint rules, rulebook, card drawings, interpreter.
"""

from __future__ import annotations

from cardlang.model.declarations import *  # noqa: F403
from cardlang.model.expressions import *  # noqa: F403
from cardlang.model.game import *  # noqa: F403
from cardlang.model.statements import *  # noqa: F403
from cardlang.model.types import *  # noqa: F403
