"""Recognize betting games by their names.

- `pot`: the pot
- `your call-price`: the cost to call (nothing if it is free)
- `your winnable`: the player's share of the pot that can be won (all of it if the game does not define it)
- `fold`: an option that makes a decision a bet

Hands must be read to their players, because a bet depends on their strength."""

from __future__ import annotations

from cardlang import game as g
from interpreter.readings import shown_reading
from interpreter.state import Site

PRICE, POT, WINNABLE = "call-price", "pot", "winnable"
"""Names of the values of a player or the table."""
FOLDING = "fold"
NO_BET, FOLD, STAY, ADD = range(4)
"""Roles of an option: none of these, fold, call, raise."""


def is_betting(game: g.Game) -> bool:
    """Check whether bots can compute the costs and gains of bets."""
    return all(is_number(game, name) for name in (PRICE, POT)) and shown_reading(game) is not None


def told(game: g.Game) -> tuple[str, str, str]:
    """Return the names for the cost to call, the pot, and the part of it that can be won."""
    return PRICE, POT, WINNABLE if is_number(game, WINNABLE) else POT


def is_number(game: g.Game, name: str) -> bool:
    kept = game.defines.get(name) or game.tracks.get(name)
    return kept is not None and kept.type.tag == "number"


def roles(site: Site) -> tuple[int, ...]:
    """Return the role of each option of a decision: `NO_BET` for all if folding is not an option."""
    if all(option.name != FOLDING for option in site.options):
        return (NO_BET,) * len(site.options)
    return tuple(role(option) for option in site.options)


def role(option: g.Option) -> int:
    if option.name == FOLDING:
        return FOLD
    binders = option.binders
    return ADD if binders and binders[-1][0].type.tag == "number" else STAY
