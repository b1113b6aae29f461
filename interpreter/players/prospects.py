"""What suits a hand where players bet, by how often it wins if everybody stays in to the end.

Trial games say what a move brings if others bet as they do there. Nobody is sure to do so, and two things are left to
the hand itself. One that pays for staying in is not given up. And a bet or a raise has a hand for it: one that wins no
less often than those of others, and pays even if somebody stays in. Only now and then somebody bets without.
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
"""In so many samples everybody stays in to the end, at most."""
HINT_ROUNDS = 400
"""Samples for a hint, which tells the share."""
TELLING = 200
"""From fewer samples no share is told."""
SURE = 1.96
"""The half-width of a 95 % confidence interval, in standard errors."""
ENOUGH = 1.15
"""Who wins so many times as often as pays for staying in does not give up: part of what is won later is lost again."""
CLEAR = 1.3
"""A bot gives up no hand that wins so many times as often: below that trial games decide, in which others have the
hands for their bets."""
RISK = 0.7
"""Who puts in all they have needs a hand that loses so much less often."""


@frozen
class Prospect:
    """`share`: of what can be won, on average, that comes to who is asked if everybody stays in to the end; `rivals`:
    so many others can win it; `whole`: what who is asked has left; `games`: how many samples the share is from."""

    share: float
    rivals: int
    whole: float
    games: int = 0

    @property
    def error(self) -> float:
        """Half of the 95 % confidence interval of the share (Wilson): its longer side."""
        games, squared = max(self.games, 1), SURE**2
        middle = (self.share + squared / (2 * games)) / (1 + squared / games)
        spread = sqrt(self.share * (1 - self.share) / games + squared / (4 * games**2))
        return abs(middle - self.share) + SURE * spread / (1 + squared / games)


def mark_unfit(match: Match, tried: Iterable[Tried], prospect: Prospect, bluffs: bool) -> None:
    """Says of each move whether the hand speaks against it. `bluffs`: bets may be made without one, but for what they
    risk, and calls; and hands that pay by little may be given up."""
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
    """Of what could be won. `staked`: what lies in the middle by now, since another deal has begun; who has gained the
    whole but for that has won it all."""
    if gained <= 0:
        return 0.0
    return 1.0 if gained + staked >= whole else gained / whole


def staying_pays(betting: Betting, state: State) -> float:
    """From this share of wins on."""
    price = max(betting.number(stakes.PRICE, state), 0)
    return price / (price + betting.winnable(state)) if price else 0.0


def needed(betting: Betting, state: State, code: int, prospect: Prospect, bluffs: bool) -> float:
    """For a bet or a raise: no smaller a share than the others', one that pays, and more where much is risked; for a
    bluff, which wins as others give up, the last alone."""
    least = 0.0 if bluffs else max(1 / (1 + prospect.rivals), adding_pays(betting, state, code))
    risked = put_in(betting, state, code) / max(prospect.whole, 1.0)
    return least + RISK * min(risked, 1.0) * (1 - least)


def put_in(betting: Betting, state: State, code: int) -> int:
    """What a bet or a raise takes at once."""
    return max(betting.number(stakes.PRICE, state), 0) + betting.amount(betting.program.site(state), code)


def adding_pays(betting: Betting, state: State, code: int) -> float:
    """From this share of wins on, if one other stays in."""
    added, put = betting.amount(betting.program.site(state), code), put_in(betting, state, code)
    return put / (put + added + betting.winnable(state))


def prospect_of(program: Program, world: State, share: float, games: int) -> Prospect:
    """`world`: a match that could be the real one."""
    return Prospect(share, rivals_of(program, world, world.who), levels(program, world)[world.who], games)


def rounds_of(bluffs: bool) -> int:
    """In how many samples everybody stays in, for a bot, or for a hint, which makes no bluffs."""
    return ROUNDS if bluffs else HINT_ROUNDS


def rivals_of(program: Program, world: State, seat: int) -> int:
    """How many others hold as many cards that count, in a match that could be the real one."""
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
