"""Roles that declarations have by their name: pot, call price, fold, shown hand.

- `pot`: the pot
- `your call-price`: the cost to call (nothing if it is free)
- `your winnable`: the player's share of the pot that can be won (all of it if the game does not define it)
- `fold`: an option that makes a decision a bet

Bots bet only in games that show players the reading of their hand, because a bet depends on its strength.
"""

from __future__ import annotations

from cardlang import model as g
from interpreter.runtime.state import DecisionPoint


def find_shown_reading(game: g.Game) -> str | None:
    """Return the name of the player's value that reads their own cards, if the game shows one."""
    define = find_shown_definition(game)
    return None if define is None else define.name


def is_split_shown(game: g.Game) -> bool:
    """Check whether the shown reading is the best split of a hand into groups."""
    define = find_shown_definition(game)
    return define is not None and game.rankings[str(define.type.of)].size == "groups"


def find_shown_definition(game: g.Game) -> g.Define | None:
    for show in game.shows:
        define = game.defines.get(show.define) if show.define is not None else None
        if define is not None and define.subject == "player" and define.type.tag == "reading":
            return define
    return None


CALL_PRICE_NAME, POT_NAME, WINNABLE_NAME = "call-price", "pot", "winnable"
"""Names of the values of a player or the table."""
FOLD_OPTION_NAME = "fold"
NO_BET, FOLD, CALL, RAISE = range(4)
"""Roles of an option: none of these, fold, call, raise."""


def is_betting_game(game: g.Game) -> bool:
    """Check whether bots can compute the costs and gains of bets."""
    return all(has_number(game, name) for name in (CALL_PRICE_NAME, POT_NAME)) and find_shown_reading(game) is not None


def get_call_price_and_pot_names(game: g.Game) -> tuple[str, str, str]:
    """Return the names for the cost to call, the pot, and the part of it that can be won."""
    return CALL_PRICE_NAME, POT_NAME, WINNABLE_NAME if has_number(game, WINNABLE_NAME) else POT_NAME


def has_number(game: g.Game, name: str) -> bool:
    definition = game.defines.get(name) or game.tracks.get(name)
    return definition is not None and definition.type.tag == "number"


def find_option_roles(site: DecisionPoint) -> tuple[int, ...]:
    """Return the role of each option of a decision: `NO_BET` for all if folding is not an option."""
    if all(option.name != FOLD_OPTION_NAME for option in site.options):
        return (NO_BET,) * len(site.options)
    return tuple(find_option_role(option) for option in site.options)


def find_option_role(option: g.Option) -> int:
    if option.name == FOLD_OPTION_NAME:
        return FOLD
    binders = option.binders
    return RAISE if binders and binders[-1][0].type.tag == "number" else CALL
