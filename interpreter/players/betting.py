"""How bets are made in trial games: by how good one's hand is among those that one could hold, and by the price.

Facing a bet, as large a share of hands stays in as leaves a bluff of that size nothing to win, and a little more
(the minimum defence frequency: what lay in the middle before the bet, of what lies there with it; Chen and Ankenman,
The Mathematics of Poker, 2006). The best of these raise. Where staying in is free the best bet. Now and then somebody
does something else. So in a trial game a large bet meets the hands that can pay it, and hardly any other.

Tried are a few sizes, as people choose them: half of what lies in the middle, all of it, and everything that one has
where that is little more.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from interpreter import stakes
from interpreter.program import Program
from interpreter.stakes import ADD, FOLD, NO_BET, STAY
from interpreter.state import Site, State

DEFENDED = 1.1
"""So many times the share of hands that leaves a bluff nothing stay in."""
RAISED = 0.3
"""Of those that stay in so many raise."""
OPENED = 0.35
"""So many bet where staying in is free."""
TRAPPED = 0.25
"""So often somebody who would raise or bet does not."""
SELDOM = 0.04
"""So often the unexpected is done."""
DOUBTED = 0.12
"""So likely somebody who looks at their hand is taken to have done what does not suit it: people bet in other ways."""
WILD = {FOLD: 0.05, STAY: 0.15, ADD: 0.8}
"""What somebody does who does not look, and how often."""
FEW = 0.05
"""So many are taken to be of that sort, until they have bet."""
MOST, LEAST = 1.0, 0.001
"""Nobody is taken to be of that sort by higher or lower odds than these: players change."""
SIZE = 0.6
"""Of what lies in the middle so much is bet, or raised by."""
SHORT = 1.5
"""Who has no more than so many times what lies in the middle, with the price, may put in everything."""


class Betting:
    """Of a game in which `stakes.is_betting`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.roles = [stakes.roles(site) for site in program.sites]
        self.won = stakes.told(program.game)[-1]
        """The name of what tells how much can be won."""

    def is_bet(self, site: Site) -> bool:
        return any(self.roles[site.number])

    def role(self, site: Site, code: int) -> int:
        return self.roles[site.number][(code - 1) % len(site.options)] if code > 0 else NO_BET

    def amount(self, site: Site, code: int) -> int:
        return int(self.program.decode(site, code)[1][-1])

    def number(self, name: str, state: State) -> int:
        """Of who is asked; 0 for nothing."""
        value = self.program.of_player(name, state, state.who)
        return int(value) if value is not None else 0

    def winnable(self, state: State) -> int:
        """Of what lies in the middle, by who is asked."""
        return self.number(self.won, state)

    def is_vain(self, state: State, code: int) -> bool:
        """Whether a move gives up where it costs nothing to stay in."""
        site = self.program.site(state)
        stays = any(self.role(site, other) == STAY for other in state.legal)
        return self.role(site, code) == FOLD and stays and self.number(stakes.PRICE, state) <= 0

    # ------------------------------------------------------------ in trial games
    def shares(self, state: State) -> tuple[float, float]:
        """Of all hands, those that stay in and those that bet or raise."""
        price, pot = self.number(stakes.PRICE, state), self.winnable(state)
        if price <= 0 or pot <= 0:
            return 1.0, OPENED
        stay = min(max(DEFENDED * (pot - price) / pot, 0.0), 1.0)
        return stay, RAISED * stay

    def wanted(self, state: State, strength: float) -> int:
        """The role that suits a hand better than such a share of hands."""
        stay, add = self.shares(state)
        return ADD if strength >= 1 - add else STAY if strength >= 1 - stay else FOLD

    def pick(self, state: State, strength: float, random: Random) -> int:
        """The code of a bet, or of what is done instead."""
        wanted = self.wanted(state, strength)
        if random.random() < SELDOM:
            wanted = STAY if wanted != STAY else random.choice((FOLD, ADD))
        if wanted == ADD and random.random() < TRAPPED:
            wanted = STAY
        if wanted == FOLD and self.number(stakes.PRICE, state) <= 0:
            wanted = STAY
        return self.code_for(state, wanted)

    def code_for(self, state: State, wanted: int) -> int:
        """Of what is wanted, by about `SIZE`, or of what is nearest to it."""
        site, open_ = self.program.site(state), dict[int, list[int]]()
        for code in state.legal:
            open_.setdefault(self.role(site, code), []).append(code)
        ways = {FOLD: (FOLD, STAY, ADD), STAY: (STAY, ADD, FOLD), ADD: (ADD, STAY, FOLD)}[wanted]
        codes = next(open_[way] for way in ways if way in open_)
        target = SIZE * self.number(stakes.POT, state)
        return codes[0] if len(codes) == 1 else min(codes, key=lambda code: abs(self.amount(site, code) - target))

    def likelihood(self, state: State, code: int, strength: float, wild: float = 0.0) -> float:
        """How likely somebody does this with a hand that is better than such a share of those they may have. `wild`:
        how likely they do not look at it."""
        role, wanted = self.role(self.program.site(state), code), self.wanted(state, strength)
        if role == wanted:
            likely = 1.0 - TRAPPED * (wanted == ADD)
        else:
            likely = TRAPPED if (role, wanted) == (STAY, ADD) else DOUBTED
        return (1 - wild) * likely + wild * WILD[role]

    # ------------------------------------------------------------ what is tried
    def sizes(self, state: State, indices: Sequence[int]) -> list[int]:
        """Of moves that differ by their amount alone, ascending, those worth trying."""
        site = self.program.site(state)
        amounts = {index: self.amount(site, state.legal[index]) for index in indices}
        full = self.number(stakes.POT, state) + self.number(stakes.PRICE, state)
        targets = [full / 2, full]
        if amounts[indices[-1]] <= SHORT * full:
            targets.append(amounts[indices[-1]])
        return sorted({min(indices, key=lambda index: abs(amounts[index] - target)) for target in targets})


class Tempers:
    """How likely each player, by seat, bets without looking at their hand, by what everybody has seen them do."""

    def __init__(self, betting: Betting) -> None:
        self.betting = betting
        self.odds = [FEW / (1 - FEW)] * betting.program.players

    def see(self, state: State, code: int) -> None:
        """A move, and the state that it was made in."""
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
        return self.odds[seat] / (1 + self.odds[seat])


def betting_of(program: Program) -> Betting | None:
    """None in a game without bets."""
    return Betting(program) if stakes.is_betting(program.game) else None
