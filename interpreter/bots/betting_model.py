"""Betting model: bet policy of playouts, bet sizes, pot odds.

Policy: against a bet, a share of the hands slightly above the minimum defence frequency stays in. That share makes a
bluff of this size unprofitable: the pot before the bet, divided by the pot with the bet. The best of these hands raise.
If staying in is free, the best hands bet. A few actions are random. So a large bet in a playout meets mostly hands that
can call it.

Sizes: a search tries only a few, which people also choose: half the pot, the pot, and all-in if that is little more.

Limits: playouts value a move under this policy, but real opponents may differ. So the hand alone decides two questions.
A hand worth a call is not folded. A bet or raise needs a hand that wins at least as often as the hands of others, and
is profitable even if a player calls. Bluffs are rare exceptions.

Source: Chen and Ankenman, The Mathematics of Poker, 2006.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random

from attrs import frozen

from interpreter.bots.playout_results import CandidateStatistics, get_player_levels
from interpreter.match.match import Match
from interpreter.program.betting_roles_and_shown_hand import (
    CALL,
    FOLD,
    NO_BET,
    RAISE,
    find_option_roles,
    find_shown_reading,
    get_betting_numbers,
    is_betting_game,
)
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DecisionPoint, State

DEFENCE_FACTOR = 1.1
"""Factor on the minimum defence frequency."""
RAISE_SHARE = 0.3
"""Share of raises among the hands that stay in."""
OPEN_BET_SHARE = 0.35
"""Share of hands that bet if staying in is free."""
SLOW_PLAY_PROBABILITY = 0.25
"""Probability of a slow play: staying in with a hand that would raise or bet."""
SURPRISE_PROBABILITY = 0.04
"""Probability of an unexpected action."""
MISFIT_PROBABILITY = 0.12
"""Assumed probability of an action that does not suit the hand, because people bet in other ways."""
WILD_ROLE_PROBABILITIES = {FOLD: 0.05, CALL: 0.15, RAISE: 0.8}
"""Action probabilities of a player who ignores their hand."""
BLIND_BET_PRIOR = 0.05
"""Prior probability that a player ignores their hand."""
MAX_WILD_ODDS, MIN_WILD_ODDS = 1.0, 0.001
"""Bounds of the odds that a player ignores their hand. They are limited because players change."""
PLAYOUT_BET_SIZE = 0.6
"""Size of bets and raises in playouts, as a share of the pot."""
MAX_ALL_IN_SIZE = 1.5
"""Maximum all-in that a search tries, as a multiple of the pot plus the cost to call."""


class BettingPolicy:
    """Betting policy for a game with bets (see `is_betting_game`)."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.option_roles = [find_option_roles(program.game, site) for site in program.sites]
        self.price_name, self.pot_name, self.winnable_name = get_betting_numbers(program.game)

    def is_bet_decision(self, site: DecisionPoint) -> bool:
        return any(self.option_roles[site.number])

    def get_role(self, site: DecisionPoint, code: int) -> int:
        return self.option_roles[site.number][(code - 1) % len(site.options)] if code > 0 else NO_BET

    def get_amount(self, site: DecisionPoint, code: int) -> int:
        return int(self.program.decode_move(site, code)[1][-1])

    def evaluate_number(self, name: str, state: State) -> int:
        """Return a number of the current player; 0 if it has no value."""
        value = self.program.evaluate_player_value(name, state, state.who)
        return int(value) if value is not None else 0

    def get_call_price(self, state: State) -> int:
        """Return the cost to call for the current player; 0 if it is free."""
        return max(self.evaluate_number(self.price_name, state), 0)

    def get_pot(self, state: State) -> int:
        return self.evaluate_number(self.pot_name, state)

    def get_winnable_amount(self, state: State) -> int:
        """Return the part of the pot that the current player can win."""
        return self.evaluate_number(self.winnable_name, state)

    def is_needless_fold(self, state: State, code: int) -> bool:
        """Return whether a move folds although staying in is free."""
        site = self.program.get_site(state)
        stays = any(self.get_role(site, other) == CALL for other in state.legal)
        return self.get_role(site, code) == FOLD and stays and not self.get_call_price(state)

    # ------------------------------------------------------------ playouts
    def compute_hand_shares(self, state: State) -> tuple[float, float]:
        """Return shares of all hands: the share that stays in, and the share that bets or raises."""
        price, pot = self.get_call_price(state), self.get_winnable_amount(state)
        if price <= 0 or pot <= 0:
            return 1.0, OPEN_BET_SHARE
        stay = min(max(DEFENCE_FACTOR * (pot - price) / pot, 0.0), 1.0)
        return stay, RAISE_SHARE * stay

    def find_suitable_role(self, state: State, strength: float) -> int:
        """Return the role that suits a hand. `strength`: the share of hands that are weaker."""
        stay, add = self.compute_hand_shares(state)
        return RAISE if strength >= 1 - add else CALL if strength >= 1 - stay else FOLD

    def pick_bet(self, state: State, strength: float, random: Random) -> int:
        """Return the code of a bet, call or fold, with some randomness."""
        role = self.find_suitable_role(state, strength)
        if random.random() < SURPRISE_PROBABILITY:
            role = CALL if role != CALL else random.choice((FOLD, RAISE))
        if role == RAISE and random.random() < SLOW_PLAY_PROBABILITY:
            role = CALL
        if role == FOLD and not self.get_call_price(state):
            role = CALL
        return self.find_code_for_role(state, role)

    def find_code_for_role(self, state: State, role: int) -> int:
        """Return the code with the wanted role or the nearest available one.

        Of several sizes, take the nearest to `PLAYOUT_BET_SIZE`.
        """
        site, open_ = self.program.get_site(state), dict[int, list[int]]()
        for code in state.legal:
            open_.setdefault(self.get_role(site, code), []).append(code)
        preferences = {FOLD: (FOLD, CALL, RAISE), CALL: (CALL, RAISE, FOLD), RAISE: (RAISE, CALL, FOLD)}[role]
        codes = next(open_[preferred] for preferred in preferences if preferred in open_)
        target = PLAYOUT_BET_SIZE * self.get_pot(state)
        return codes[0] if len(codes) == 1 else min(codes, key=lambda code: abs(self.get_amount(site, code) - target))

    def get_action_likelihood(self, state: State, code: int, strength: float, wild: float = 0.0) -> float:
        """Return the probability of an action, given the hand.

        strength: the share of the player's possible hands that are weaker.
        wild: the probability that the player ignores their hand.
        """
        role = self.get_role(self.program.get_site(state), code)
        suitable_role = self.find_suitable_role(state, strength)
        if role == suitable_role:
            likely = 1.0 - SLOW_PLAY_PROBABILITY * (suitable_role == RAISE)
        else:
            likely = SLOW_PLAY_PROBABILITY if (role, suitable_role) == (CALL, RAISE) else MISFIT_PROBABILITY
        return (1 - wild) * likely + wild * WILD_ROLE_PROBABILITIES[role]

    # ------------------------------------------------------------ candidate sizes
    def select_bet_sizes(self, state: State, indices: Sequence[int]) -> list[int]:
        """Return the moves worth trying among moves that differ only in their amount.

        The indices are in ascending order.
        """
        site = self.program.get_site(state)
        amounts = {index: self.get_amount(site, state.legal[index]) for index in indices}
        full = self.get_pot(state) + self.get_call_price(state)
        targets = [full / 2, full]
        if amounts[indices[-1]] <= MAX_ALL_IN_SIZE * full:
            targets.append(amounts[indices[-1]])
        return sorted({min(indices, key=lambda index: abs(amounts[index] - target)) for target in targets})


class BlindBettorEstimates:
    """Estimated odds, by seat, that a player bets without looking at their hand.

    They are updated by Bayes' rule after each public action.
    """

    def __init__(self, betting: BettingPolicy) -> None:
        self.betting = betting
        self.odds = [BLIND_BET_PRIOR / (1 - BLIND_BET_PRIOR)] * betting.program.players

    def update_estimate(self, state: State, code: int) -> None:
        """Update the estimate by a move. `state`: the state before it."""
        site = self.betting.program.get_site(state)
        if not self.betting.is_bet_decision(site):
            return
        stay, add = self.betting.compute_hand_shares(state)
        adds = (1 - SLOW_PLAY_PROBABILITY) * add
        usual = {FOLD: 1 - stay, CALL: stay - adds, RAISE: adds}
        role = self.betting.get_role(site, code)
        odds = self.odds[state.who] * WILD_ROLE_PROBABILITIES[role] / max(usual[role], SURPRISE_PROBABILITY)
        self.odds[state.who] = min(max(odds, MIN_WILD_ODDS), MAX_WILD_ODDS)

    def get_blind_bet_rate(self, seat: int) -> float:
        """Return the probability that a player ignores their hand."""
        return self.odds[seat] / (1 + self.odds[seat])


def build_betting_policy(program: Program) -> BettingPolicy | None:
    """Return the betting policy; None in a game without bets."""
    return BettingPolicy(program) if is_betting_game(program.game) else None


BOT_ROUNDS = 100
"""Maximum number of playouts without folds."""
HINT_ROUNDS = 400
"""Number of such playouts for a hint, which shows the share."""
MIN_HINT_SAMPLES = HINT_ROUNDS
"""Minimum number of samples for a share in a hint. With fewer, the hint uses words."""
CONFIDENCE_FACTOR = 1.96
"""The half-width of a 95 % confidence interval, in standard errors."""
CALL_FACTOR = 1.15
"""Factor on the pot odds above which a hand is not folded. It is above 1 because part of a win is lost again later."""
SURE_CALL_FACTOR = 1.3
"""Factor on the pot odds above which a bot never folds.

Below it playouts decide, in which others have the hands for their bets.
"""
STAKE_RISK_WEIGHT = 0.7
"""Weight of the stake in the chance to win that a bet needs; an all-in needs the most."""


@frozen
class HandOutlook:
    """Outlook of a hand.

    share: the average share of the winnable pot that the current player wins if no one folds.
    rivals: the number of others who can win it.
    stack: the amount that the current player has left.
    games: the number of samples.
    spread: the standard error of the share between draws of the others' possible hands; 0 if there was only one draw.
    """

    share: float
    rivals: int
    stack: float
    games: int = 0
    spread: float = 0.0

    @property
    def share_error(self) -> float:
        """Longer side of the 95 % confidence interval of the share (Wilson, or by draws if wider)."""
        games, squared = max(self.games, 1), CONFIDENCE_FACTOR**2
        middle = (self.share + squared / (2 * games)) / (1 + squared / games)
        spread = sqrt(self.share * (1 - self.share) / games + squared / (4 * games**2))
        longer_side = abs(middle - self.share) + CONFIDENCE_FACTOR * spread / (1 + squared / games)
        return max(longer_side, CONFIDENCE_FACTOR * self.spread)


def mark_unfit_moves(match: Match, moves: Iterable[CandidateStatistics], outlook: HandOutlook, bluffs: bool) -> None:
    """Set for each move whether the hand contradicts it.

    bluffs: allow bets and calls without a hand, and folds of hands that are barely profitable. Bets still need a hand
    in proportion to their risk.
    """
    betting, state = build_betting_policy(match.program), match.state
    assert betting is not None
    for move in moves:
        code = state.legal[move.index]
        role = betting.get_role(match.program.get_site(state), code)
        if role == FOLD:
            move.is_unfit = outlook.share >= (SURE_CALL_FACTOR if bluffs else CALL_FACTOR) * compute_min_call_share(
                betting, state
            )
        elif role == CALL and not bluffs:
            move.is_unfit = outlook.share * CALL_FACTOR < compute_min_call_share(betting, state)
        elif role == RAISE:
            move.is_unfit = outlook.share < compute_min_bet_share(betting, state, code, outlook, bluffs)


def compute_won_share(gained: float, stack: float, staked: float) -> float:
    """Return the share of the winnable amount that was won.

    staked: the pot of the next deal, after its start. A player who gained the rest of the whole has won it all.
    """
    if gained <= 0:
        return 0.0
    return 1.0 if gained + staked >= stack else gained / stack


def compute_min_call_share(betting: BettingPolicy, state: State) -> float:
    """Return the minimum share of wins that makes a call profitable."""
    price = betting.get_call_price(state)
    return price / (price + betting.get_winnable_amount(state)) if price else 0.0


def compute_min_bet_share(
    betting: BettingPolicy, state: State, code: int, prospect: HandOutlook, bluffs: bool
) -> float:
    """Return the minimum share for a bet or raise.

    It is at least an equal share among the rivals and makes the bet profitable, and grows with the risk. A bluff wins
    by folds of others, so only the risk counts.
    """
    least = 0.0 if bluffs else max(1 / (1 + prospect.rivals), compute_min_called_share(betting, state, code))
    risked = get_bet_cost(betting, state, code) / max(prospect.stack, 1.0)
    return least + STAKE_RISK_WEIGHT * min(risked, 1.0) * (1 - least)


def get_bet_cost(betting: BettingPolicy, state: State, code: int) -> int:
    """Return the amount that a bet or raise costs immediately."""
    return betting.get_call_price(state) + betting.get_amount(betting.program.get_site(state), code)


def compute_min_called_share(betting: BettingPolicy, state: State, code: int) -> float:
    """Return the minimum share of wins that makes a bet profitable, if one other player calls."""
    added, put = betting.get_amount(betting.program.get_site(state), code), get_bet_cost(betting, state, code)
    return put / (put + added + betting.get_winnable_amount(state))


def build_hand_outlook(program: Program, sample: State, share: float, games: int) -> HandOutlook:
    """Return the outlook of the hand. `sample`: a sample of the match."""
    return HandOutlook(
        share, count_rivals(program, sample, sample.who), get_player_levels(program, sample)[sample.who], games
    )


def get_playout_count(bluffs: bool) -> int:
    """Return the number of playouts without folds: for a bot, which may bluff, or for a hint."""
    return BOT_ROUNDS if bluffs else HINT_ROUNDS


def count_rivals(program: Program, sample: State, seat: int) -> int:
    """Return the number of others with the same number of cards that count, in a sample of the match."""
    name = find_shown_reading(program.game)
    assert name is not None
    try:
        readings = [program.evaluate_player_value(name, sample, player) for player in sample.alive]
        own_reading = program.evaluate_player_value(name, sample, seat)
    except RuleError:
        return 1
    if own_reading is None:
        return 1
    return max(1, sum(reading is not None and len(reading.cards) == len(own_reading.cards) for reading in readings) - 1)
