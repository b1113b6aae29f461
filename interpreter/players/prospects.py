"""Fit of bets to the hand, by its chance to win if no player folds.

Playouts value a move under the betting policy of playouts, but real opponents may differ. So the hand alone decides two
questions. A hand worth a call is not folded. A bet or raise needs a hand that wins at least as often as those of
others, and is profitable even if a player calls. Bluffs are rare exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from attrs import frozen

from interpreter import stakes
from interpreter.errors import RuleError
from interpreter.matches.match import Match
from interpreter.players.betting import Betting, betting_of
from interpreter.players.outcomes import Tried, levels
from interpreter.program import Program
from interpreter.readings import shown_reading
from interpreter.stakes import ADD, FOLD, STAY
from interpreter.state import State

ROUNDS = 100
"""Maximum number of playouts without folds."""
HINT_ROUNDS = 400
"""Number of such playouts for a hint, which shows the share."""
TELLING = 200
"""Minimum number of samples for a share in a hint."""
SURE = 1.96
"""The half-width of a 95 % confidence interval, in standard errors."""
ENOUGH = 1.15
"""Factor on the pot odds above which a hand is not folded. It is above 1 because part of a win is lost again later."""
CLEAR = 1.3
"""Factor on the pot odds above which a bot never folds.

Below it playouts decide, in which others have the hands for their bets.
"""
RISK = 0.7
"""Weight of the stake in the chance to win that a bet needs; an all-in needs the most."""


@frozen
class Prospect:
    """Outlook of a hand.

    share: the average share of the winnable pot that the current player wins if no one folds.
    rivals: the number of others who can win it.
    whole: the amount that the current player has left.
    games: the number of samples.
    """

    share: float
    rivals: int
    whole: float
    games: int = 0

    @property
    def error(self) -> float:
        """Longer side of the 95 % confidence interval of the share (Wilson)."""
        games, squared = max(self.games, 1), SURE**2
        middle = (self.share + squared / (2 * games)) / (1 + squared / games)
        spread = sqrt(self.share * (1 - self.share) / games + squared / (4 * games**2))
        return abs(middle - self.share) + SURE * spread / (1 + squared / games)


def mark_unfit(match: Match, tried: Iterable[Tried], prospect: Prospect, bluffs: bool) -> None:
    """Set for each move whether the hand contradicts it.

    bluffs: allow bets and calls without a hand, and folds of hands that are barely profitable. Bets still need a hand
    in proportion to their risk.
    """
    betting, state = betting_of(match.program), match.state
    assert betting is not None
    for move in tried:
        code = state.legal[move.index]
        role = betting.role(match.program.site(state), code)
        if role == FOLD:
            move.unfit = prospect.share >= (CLEAR if bluffs else ENOUGH) * staying_pays(betting, state)
        elif role == STAY and not bluffs:
            move.unfit = prospect.share * ENOUGH < staying_pays(betting, state)
        elif role == ADD:
            move.unfit = prospect.share < needed(betting, state, code, prospect, bluffs)


def part_won(gained: float, whole: float, staked: float) -> float:
    """Return the share of the winnable amount that was won.

    staked: the pot of the next deal, after its start. A player who gained the rest of the whole has won it all.
    """
    if gained <= 0:
        return 0.0
    return 1.0 if gained + staked >= whole else gained / whole


def staying_pays(betting: Betting, state: State) -> float:
    """Return the minimum share of wins that makes a call profitable."""
    price = max(betting.number(stakes.PRICE, state), 0)
    return price / (price + betting.winnable(state)) if price else 0.0


def needed(betting: Betting, state: State, code: int, prospect: Prospect, bluffs: bool) -> float:
    """Return the minimum share for a bet or raise.

    It is at least an equal share among the rivals and makes the bet profitable, and grows with the risk. A bluff wins
    by folds of others, so only the risk counts.
    """
    least = 0.0 if bluffs else max(1 / (1 + prospect.rivals), adding_pays(betting, state, code))
    risked = put_in(betting, state, code) / max(prospect.whole, 1.0)
    return least + RISK * min(risked, 1.0) * (1 - least)


def put_in(betting: Betting, state: State, code: int) -> int:
    """Return the amount that a bet or raise costs immediately."""
    return max(betting.number(stakes.PRICE, state), 0) + betting.amount(betting.program.site(state), code)


def adding_pays(betting: Betting, state: State, code: int) -> float:
    """Return the minimum share of wins that makes a bet profitable, if one other player calls."""
    added, put = betting.amount(betting.program.site(state), code), put_in(betting, state, code)
    return put / (put + added + betting.winnable(state))


def prospect_of(program: Program, world: State, share: float, games: int) -> Prospect:
    """Return the outlook of the hand. `world`: a sample of the match."""
    return Prospect(share, rivals_of(program, world, world.who), levels(program, world)[world.who], games)


def rounds_of(bluffs: bool) -> int:
    """Return the number of playouts without folds: for a bot, or for a hint, which does not bluff."""
    return ROUNDS if bluffs else HINT_ROUNDS


def rivals_of(program: Program, world: State, seat: int) -> int:
    """Return the number of others who have equally many cards that count, in a sample of the match."""
    name = shown_reading(program.game)
    assert name is not None
    try:
        read = [program.of_player(name, world, each) for each in world.alive]
        own = program.of_player(name, world, seat)
    except RuleError:
        return 1
    if own is None:
        return 1
    return max(1, sum(each is not None and len(each.cards) == len(own.cards) for each in read) - 1)
