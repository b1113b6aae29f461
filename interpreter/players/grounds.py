"""Reasons for a move in a player's words: the chance to win with the hand, and whether a card wins the trick.

Both are estimated from samples, with a new deal of the cards that the current player cannot see.
"""

from __future__ import annotations

from contextlib import suppress
from math import ceil

from interpreter.errors import RuleError
from interpreter.players.betting import betting_of
from interpreter.players.prospects import ENOUGH, TELLING, Prospect, staying_pays
from interpreter.players.tricks import told_of_trick
from interpreter.players.worlds import Worlds
from interpreter.stakes import FOLD, STAY


def grounds(worlds: Worlds, code: int) -> list[str]:
    """Return sentences about a move, given by its code. The list is empty if none apply."""
    found = []
    with suppress(RuleError):
        if worlds.prospect is not None and worlds.prospect.games >= TELLING:
            found.append(odds_told(worlds.prospect, price_of_staying(worlds)))
        found += told_of_trick(worlds, code)
    return found


def is_close(share: float, pays: float) -> bool:
    """Return whether the chance to win is close to the pot odds."""
    return pays / ENOUGH <= share < pays * ENOUGH


def evenly(worlds: Worlds) -> frozenset[int]:
    """Return the indices of the moves that fold or call, if the pot odds are close; else an empty set."""
    if worlds.prospect is None or not is_close(worlds.prospect.share, price_of_staying(worlds)):
        return frozenset()
    betting = betting_of(worlds.program)
    assert betting is not None
    roles = [betting.role(worlds.site, code) for code in worlds.states[0].legal]
    return frozenset(index for index, role in enumerate(roles) if role in (FOLD, STAY))


def price_of_staying(worlds: Worlds) -> float:
    """Return the pot odds: the minimum share of wins that makes a call profitable; 0 if it is free."""
    betting = betting_of(worlds.program)
    return staying_pays(betting, worlds.states[0]) if betting is not None and worlds.states else 0.0


def odds_told(prospect: Prospect, pays: float) -> str:
    """Say how often a hand wins, with the error, and the pot odds; say so if the two are close."""
    share, error = prospect.share, ceil(100 * prospect.error)
    chance = f"about {100 * share:.0f} % (± {error}) if no one folds"
    if not pays:
        return f"Your chance to win is {chance}."
    close = " That is close." if is_close(share, pays) else ""
    return f"You need {100 * pays:.0f} % to call; you have {chance}.{close}"
