"""Where players bet, by what a game says: its `pot` is what lies in the middle, `your call-price` what it costs to stay
in (nothing, where that is free), `your winnable` how much of the pot that can win (all of it, where the game says
nothing of the kind), and who may `fold` decides about a bet. Hands must be read to their players, as a bet
is about how good they are."""

from __future__ import annotations

from cardlang import game as g
from interpreter.readings import shown_reading
from interpreter.state import Site

PRICE, POT, WINNABLE = "call-price", "pot", "winnable"
"""What players have, and what all have, by these names."""
FOLDING = "fold"
NO_BET, FOLD, STAY, ADD = range(4)
"""What an option does: nothing of the kind, give up, stay in for the price, put in more than that."""


def is_betting(game: g.Game) -> bool:
    """Whether bots can tell what bets cost and bring."""
    return all(is_number(game, name) for name in (PRICE, POT)) and shown_reading(game) is not None


def told(game: g.Game) -> tuple[str, str, str]:
    """The names of what tells the price, what lies in the middle, and what of it can be won."""
    return PRICE, POT, WINNABLE if is_number(game, WINNABLE) else POT


def is_number(game: g.Game, name: str) -> bool:
    kept = game.defines.get(name) or game.tracks.get(name)
    return kept is not None and kept.type.tag == "number"


def roles(site: Site) -> tuple[int, ...]:
    """What each option of a decision does: `NO_BET` for all where nobody can fold."""
    if all(option.name != FOLDING for option in site.options):
        return (NO_BET,) * len(site.options)
    return tuple(role(option) for option in site.options)


def role(option: g.Option) -> int:
    if option.name == FOLDING:
        return FOLD
    binders = option.binders
    return ADD if binders and binders[-1][0].type.tag == "number" else STAY
