"""Roles that a game gives to its declarations, and the hand that it shows.

Bots bet only in games that show players the reading of their hand, because a bet depends on its strength. An option
with the role `fold` makes a decision a bet.
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


NO_BET, FOLD, CALL, RAISE = range(4)
"""Roles of an option: none of these, fold, call, raise."""


def find_role(game: g.Game, role: str) -> str | None:
    """Return the name of the number or option that has a role."""
    return next((each.name for each in game.roles if each.role == role), None)


def is_betting_game(game: g.Game) -> bool:
    """Check whether bots can compute the costs and gains of bets."""
    return None not in (find_role(game, "call-price"), find_role(game, "pot"), find_shown_reading(game))


def get_betting_numbers(game: g.Game) -> tuple[str, str, str]:
    """Return the names for the cost to call, the pot, and the part of it that can be won, in a game with bets."""
    price, pot = str(find_role(game, "call-price")), str(find_role(game, "pot"))
    return price, pot, find_role(game, "winnable") or pot


def find_option_roles(game: g.Game, site: DecisionPoint) -> tuple[int, ...]:
    """Return the role of each option of a decision: `NO_BET` for all if folding is not an option."""
    fold = find_role(game, "fold")
    if all(option.name != fold for option in site.options):
        return (NO_BET,) * len(site.options)
    return tuple(FOLD if each.name == fold else find_bet_role(each) for each in site.options)


def find_bet_role(option: g.Option) -> int:
    """Return the role of an option other than folding: only a raise has an amount."""
    return RAISE if option.binders and option.binders[-1][0].type.tag == "number" else CALL
