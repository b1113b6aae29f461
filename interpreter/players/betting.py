"""Betting policy of playouts: bet by the strength of the hand among possible hands, and by the cost to call.

Against a bet, hands stay in by the minimum defence frequency, plus a little. This is the share that makes a bluff of
that size unprofitable: the pot before the bet, divided by the pot with the bet. The best of these hands raise. If
staying in is free, the best hands bet. A few actions are random. So a large bet in a playout meets mostly hands that
can call it.

A search tries only a few sizes, as people choose them: half the pot, the pot, and all-in if that is little more.

Source: Chen and Ankenman, The Mathematics of Poker, 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from interpreter import stakes
from interpreter.program import Program
from interpreter.stakes import ADD, FOLD, NO_BET, STAY
from interpreter.state import Site, State

DEFENDED = 1.1
"""Factor on the minimum defence frequency."""
RAISED = 0.3
"""Share of raises among the hands that stay in."""
OPENED = 0.35
"""Share of hands that bet if staying in is free."""
TRAPPED = 0.25
"""Probability of a slow play: staying in with a hand that would raise or bet."""
SELDOM = 0.04
"""Probability of an unexpected action."""
DOUBTED = 0.12
"""Assumed probability of an action that does not suit the hand, because people bet in other ways."""
WILD = {FOLD: 0.05, STAY: 0.15, ADD: 0.8}
"""Action probabilities of a player who ignores their hand."""
FEW = 0.05
"""Prior probability that a player ignores their hand."""
MOST, LEAST = 1.0, 0.001
"""Bounds of the odds that a player ignores their hand. They are limited because players change."""
SIZE = 0.6
"""Size of bets and raises in playouts, as a share of the pot."""
SHORT = 1.5
"""Maximum all-in that a search tries, as a multiple of the pot plus the cost to call."""


class Betting:
    """Betting policy for a game with bets (`stakes.is_betting`)."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.roles = [stakes.roles(site) for site in program.sites]
        self.won = stakes.told(program.game)[-1]
        """Name of the value for the part of the pot that can be won."""

    def is_bet(self, site: Site) -> bool:
        return any(self.roles[site.number])

    def role(self, site: Site, code: int) -> int:
        return self.roles[site.number][(code - 1) % len(site.options)] if code > 0 else NO_BET

    def amount(self, site: Site, code: int) -> int:
        return int(self.program.decode(site, code)[1][-1])

    def number(self, name: str, state: State) -> int:
        """Return a number of the current player; 0 if it has no value."""
        value = self.program.of_player(name, state, state.who)
        return int(value) if value is not None else 0

    def winnable(self, state: State) -> int:
        """Return the part of the pot that the current player can win."""
        return self.number(self.won, state)

    def is_vain(self, state: State, code: int) -> bool:
        """Return whether a move folds although staying in is free."""
        site = self.program.site(state)
        stays = any(self.role(site, other) == STAY for other in state.legal)
        return self.role(site, code) == FOLD and stays and self.number(stakes.PRICE, state) <= 0

    # ------------------------------------------------------------ playouts
    def shares(self, state: State) -> tuple[float, float]:
        """Return shares of all hands: the share that stays in, and the share that bets or raises."""
        price, pot = self.number(stakes.PRICE, state), self.winnable(state)
        if price <= 0 or pot <= 0:
            return 1.0, OPENED
        stay = min(max(DEFENDED * (pot - price) / pot, 0.0), 1.0)
        return stay, RAISED * stay

    def wanted(self, state: State, strength: float) -> int:
        """Return the role that suits a hand. `strength`: the share of hands that are weaker."""
        stay, add = self.shares(state)
        return ADD if strength >= 1 - add else STAY if strength >= 1 - stay else FOLD

    def pick(self, state: State, strength: float, random: Random) -> int:
        """Return the code of a bet, call or fold, with some randomness."""
        wanted = self.wanted(state, strength)
        if random.random() < SELDOM:
            wanted = STAY if wanted != STAY else random.choice((FOLD, ADD))
        if wanted == ADD and random.random() < TRAPPED:
            wanted = STAY
        if wanted == FOLD and self.number(stakes.PRICE, state) <= 0:
            wanted = STAY
        return self.code_for(state, wanted)

    def code_for(self, state: State, wanted: int) -> int:
        """Return the code with the wanted role or the nearest available one.

        Of several sizes, take the nearest to `SIZE`.
        """
        site, open_ = self.program.site(state), dict[int, list[int]]()
        for code in state.legal:
            open_.setdefault(self.role(site, code), []).append(code)
        ways = {FOLD: (FOLD, STAY, ADD), STAY: (STAY, ADD, FOLD), ADD: (ADD, STAY, FOLD)}[wanted]
        codes = next(open_[way] for way in ways if way in open_)
        target = SIZE * self.number(stakes.POT, state)
        return codes[0] if len(codes) == 1 else min(codes, key=lambda code: abs(self.amount(site, code) - target))

    def likelihood(self, state: State, code: int, strength: float, wild: float = 0.0) -> float:
        """Return the probability of an action, given the hand.

        strength: the share of the player's possible hands that are weaker.
        wild: the probability that the player ignores their hand.
        """
        role, wanted = self.role(self.program.site(state), code), self.wanted(state, strength)
        if role == wanted:
            likely = 1.0 - TRAPPED * (wanted == ADD)
        else:
            likely = TRAPPED if (role, wanted) == (STAY, ADD) else DOUBTED
        return (1 - wild) * likely + wild * WILD[role]

    # ------------------------------------------------------------ candidate sizes
    def sizes(self, state: State, indices: Sequence[int]) -> list[int]:
        """Return the moves worth trying among moves that differ only in their amount.

        The indices are in ascending order.
        """
        site = self.program.site(state)
        amounts = {index: self.amount(site, state.legal[index]) for index in indices}
        full = self.number(stakes.POT, state) + self.number(stakes.PRICE, state)
        targets = [full / 2, full]
        if amounts[indices[-1]] <= SHORT * full:
            targets.append(amounts[indices[-1]])
        return sorted({min(indices, key=lambda index: abs(amounts[index] - target)) for target in targets})


class Tempers:
    """Estimated odds, by seat, that a player bets without looking at their hand.

    They are updated by Bayes' rule after each public action.
    """

    def __init__(self, betting: Betting) -> None:
        self.betting = betting
        self.odds = [FEW / (1 - FEW)] * betting.program.players

    def see(self, state: State, code: int) -> None:
        """Update the estimate by a move. `state`: the state before it."""
        site = self.betting.program.site(state)
        if not self.betting.is_bet(site):
            return
        stay, add = self.betting.shares(state)
        adds = (1 - TRAPPED) * add
        usual = {FOLD: 1 - stay, STAY: stay - adds, ADD: adds}
        role = self.betting.role(site, code)
        odds = self.odds[state.who] * WILD[role] / max(usual[role], SELDOM)
        self.odds[state.who] = min(max(odds, LEAST), MOST)

    def wild(self, seat: int) -> float:
        """Return the probability that a player ignores their hand."""
        return self.odds[seat] / (1 + self.odds[seat])


def betting_of(program: Program) -> Betting | None:
    """Return the betting policy; None in a game without bets."""
    return Betting(program) if stakes.is_betting(program.game) else None
