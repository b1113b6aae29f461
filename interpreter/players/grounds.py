"""What speaks for a move in words that a player uses: how good the hand is, whether the card takes the trick.

Both are counted over matches that could be the real one, with the cards that the player asked cannot see dealt anew.
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
    """Sentences about a move, by its code; none where nothing of the sort can be said."""
    found = []
    with suppress(RuleError):
        if worlds.prospect is not None and worlds.prospect.games >= TELLING:
            found.append(odds_told(worlds.prospect, price_of_staying(worlds)))
        found += told_of_trick(worlds, code)
    return found


def is_close(share: float, pays: float) -> bool:
    """Whether a hand wins about as often as pays for staying in."""
    return pays / ENOUGH <= share < pays * ENOUGH


def evenly(worlds: Worlds) -> frozenset[int]:
    """Of the moves, by their number, those that give up or stay in, where the hand speaks for neither."""
    if worlds.prospect is None or not is_close(worlds.prospect.share, price_of_staying(worlds)):
        return frozenset()
    betting = betting_of(worlds.program)
    assert betting is not None
    roles = [betting.role(worlds.site, code) for code in worlds.states[0].legal]
    return frozenset(index for index, role in enumerate(roles) if role in (FOLD, STAY))


def price_of_staying(worlds: Worlds) -> float:
    """From which share of wins on it pays to stay in: the price of what then lies in the middle; 0 where that is
    free."""
    betting = betting_of(worlds.program)
    return staying_pays(betting, worlds.states[0]) if betting is not None and worlds.states else 0.0


def odds_told(prospect: Prospect, pays: float) -> str:
    """Say how often a hand wins, with the error, and the pot odds; say so where the two are close."""
    share, error = prospect.share, ceil(100 * prospect.error)
    chance = f"about {100 * share:.0f} % (± {error}) if no one folds"
    if not pays:
        return f"Your chance to win is {chance}."
    close = " That is close." if is_close(share, pays) else ""
    return f"You need {100 * pays:.0f} % to call; you have {chance}.{close}"
