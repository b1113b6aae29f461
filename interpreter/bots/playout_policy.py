"""Playout policy learned from earlier playouts.

The context of a decision is its rule, the previous option (n-gram selection) and the strength of the hand. The moves
are grouped into classes: options with about equal amounts, numbers by powers of two, and cards by whether they count in
the hand. The policy stores statistics of the results of each class. It chooses the class with the best sample of its
mean (Thompson sampling). So discards are learned from playouts alone, in which each player uses only their own hand. If
the game shows the best split of a hand into groups, the card outside all groups that costs most goes first.

If the game shows each player a reading of their cards, the strength of a hand is its percentile among the hands seen so
far. Bets are not learned: they follow `interpreter.bots.betting_model`.

Sources: Thompson 1933; Tak, Winands and Björnsson 2012.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from random import Random

from attrs import define

from interpreter.bots.betting_model import BettingPolicy, build_betting_policy
from interpreter.bots.playout_results import compute_lead_over_mean, get_player_levels
from interpreter.hands.hand_evaluator import HandReading
from interpreter.program.betting_roles_and_shown_hand import CALL, find_shown_reading
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, DecisionPoint, State

HAND_GRADES = 6
"""Number of grades of hands."""
MAX_GRADING_HANDS = 400
"""Number of hands of each size stored for grading."""
MAX_PAST_WEIGHT = 400
"""Maximum weight of past results, in playouts, because the moves of others change over time."""
PRIOR_VARIANCE_WEIGHT = 2
"""Weight of the common variance of all classes, in playouts.

Two equal results of one class do not prove that it has no variance.
"""
ContextKey = tuple[int, object, int, int]
PlayoutTrail = list[tuple[ContextKey, object, int, float]]


@define
class MoveClassStatistics:
    """Statistics of a class of moves: the number of playouts, the mean gain and the mean squared gain."""

    games: int = 0
    mean: float = 0.0
    square: float = 0.0

    def add_gain(self, gain: float) -> None:
        self.games += 1
        share = 1 / min(self.games, MAX_PAST_WEIGHT)
        self.mean += (gain - self.mean) * share
        self.square += (gain * gain - self.square) * share

    def sample_mean(self, random: Random, square: float) -> float:
        """Return a random plausible mean. `square`: the mean squared gain over all classes of the decision."""
        known = min(self.games, MAX_PAST_WEIGHT)
        spread = (known * self.variance + PRIOR_VARIANCE_WEIGHT * square) / (known + PRIOR_VARIANCE_WEIGHT)
        return random.gauss(self.mean, (spread / known) ** 0.5)

    @property
    def variance(self) -> float:
        """Variance of the gain."""
        return max(self.square - self.mean**2, 0.0)


class LearnedPolicy:
    """Learned playout policy of one player, for a game and player count. It learns from each playout."""

    def __init__(self, program: Program, random: Random) -> None:
        self.program, self.random = program, random
        self.records: dict[ContextKey, dict[object, MoveClassStatistics]] = {}
        self.seen_hands: dict[int, list[tuple[int, ...]]] = {}
        self.compared_hand_size = -1
        """Hand size for which the stored hands are possible hands of others at the current decision."""
        self.hand_reader = build_hand_reader(program)
        self.leftover_costs = program.readings.find_shown_leftover_costs()
        """By face, the cost of a card outside all groups; empty if the game shows no split of a hand into groups."""
        self.betting = build_betting_policy(program)
        self.all_players_stay = False
        """True if all players stay in, regardless of their hands."""
        self.practice_deal_count = 0
        """Number of practice deals played."""
        self.trail: PlayoutTrail = []
        self.previous_class: object = None
        self.total = float("-inf")
        self.classes: dict[tuple[int, int], object] = {}
        """Cache of classes of options, by decision and code."""

    def classify_move(self, site: DecisionPoint, code: int, reading: HandReading | None = None) -> object:
        """Return the class of a move within its decision."""
        if site.asks_number:
            return code and 1 + max(code - 1, 0).bit_length()
        if not site.options:
            return code and (1 if reading is not None and code - 1 in reading.used else 2)
        known = self.classes.get((site.number, code))
        if known is None:
            known = self.classes[site.number, code] = classify_option(self.program, site, code)
        return known

    # ------------------------------------------------------------ playouts
    def begin_playout(self, before: object) -> None:
        """Start a playout after a move of this class."""
        self.trail, self.previous_class = [], before

    def pick_move(self, state: State) -> int:
        """Return the code of a move in a playout."""
        legal = state.legal
        if len(legal) == 1:
            return legal[0]
        site = self.program.get_site(state)
        if self.betting is not None and self.betting.is_bet_decision(site):
            code = self.pick_bet(self.betting, state)
            self.previous_class = self.classify_move(site, code)
            return code
        if not (site.options or site.asks_number or (self.hand_reader is not None and site.kind == "pick")):
            return legal[int(self.random.random() * len(legal))]
        reading = self.read_own_hand(state, state.who)
        classes: dict[object, list[int]] = {}
        for code in legal:
            classes.setdefault(self.classify_move(site, code, reading), []).append(code)
        if self.leftover_costs and 2 in classes and site.kind == "pick" and not site.asks_several:
            return max(classes[2], key=lambda code: self.leftover_costs[self.program.face[code - 1]])
        now = get_player_levels(self.program, state)
        key = (site.number, self.previous_class, self.grade_hand(reading), self.estimate_pot_level(now))
        taken = next(iter(classes)) if len(classes) == 1 else self.select_move_class(key, list(classes))
        if len(classes) > 1:
            self.trail.append((key, taken, state.who, compute_lead_over_mean(now, state.who, self.program.shared)))
        if site.options:
            self.previous_class = taken
        codes = classes[taken]
        if site.picks_freely:  # picks are in ascending order: a later one would leave out the cards before it
            return codes[0]
        return codes[int(self.random.random() * len(codes))]

    def pick_bet(self, betting: BettingPolicy, state: State) -> int:
        if self.all_players_stay:
            return betting.find_code_for_role(state, CALL)
        return betting.pick_bet(state, self.get_hand_strength(self.read_own_hand(state, state.who)), self.random)

    def select_move_class(self, key: ContextKey, classes: list[object]) -> object:
        """Return a class by Thompson sampling. Classes with fewer than two playouts come first."""
        records = self.records.setdefault(key, {})
        fresh = [move_class for move_class in classes if move_class not in records or records[move_class].games < 2]
        if fresh:
            return self.random.choice(fresh)
        known = [records[move_class] for move_class in classes]
        square = sum(record.games * record.square for record in known) / sum(record.games for record in known)
        drawn = [record.sample_mean(self.random, square) for record in known]
        return classes[drawn.index(max(drawn))]

    def build_context_key(self, state: State, before: object, reading: HandReading | None) -> ContextKey:
        now = get_player_levels(self.program, state)
        return self.program.get_site(state).number, before, self.grade_hand(reading), self.estimate_pot_level(now)

    def estimate_pot_level(self, now: list[float]) -> int:
        """Return the approximate pot on a logarithmic scale: the drop of the players' total below its maximum."""
        total = sum(now)
        self.total = max(self.total, total)
        return int(self.total - total).bit_length() // 2

    def find_statistics(self, state: State, code: int, before: object) -> MoveClassStatistics | None:
        """Return the statistics of a class of moves, for a hand as strong as the current player's.

        Return None for bets and for numbers, because the value of a bid depends on more than that.
        """
        site, reading = self.program.get_site(state), self.read_own_hand(state, state.who)
        if site.asks_number or (self.betting is not None and self.betting.is_bet_decision(site)):
            return None
        records = self.records.get(self.build_context_key(state, before, reading), {})
        return records.get(self.classify_move(site, code, reading))

    def get_option_likelihood(self, state: State, code: int, before: object) -> float:
        """Return the probability that a player with this policy takes an option.

        `before`: the class of the previous option.
        """
        site, reading = self.program.get_site(state), self.read_own_hand(state, state.who)
        records = self.records.get(self.build_context_key(state, before, reading))
        if records is None:
            return 1.0
        taken = records.get(self.classify_move(site, code, reading))
        total = sum(record.games for record in records.values())
        return ((taken.games if taken is not None else 0) + 1) / (total + len(records) + 1)

    def get_bet_likelihoods(
        self, states: Sequence[State], code: int, weights: Sequence[float], wild: float
    ) -> list[float]:
        """Return the probability of a bet in each of some possible states of its player.

        weights: the weights of the states. A bet depends on the strength of the hand among all of them, unless the
        player is `wild`.
        """
        assert self.betting is not None
        readings = [self.read_own_hand(state, state.who) for state in states]
        hands = [reading.strength if reading is not None else () for reading in readings]
        shares = compute_weaker_shares(hands, weights)
        return [
            self.betting.get_action_likelihood(state, code, shares[hand], wild)
            for state, hand in zip(states, hands, strict=True)
        ]

    def learn_from_playout(self, ends: list[float]) -> None:
        """Update the statistics after a playout. `ends`: the final level of each player."""
        for key, taken, seat, level in self.trail:
            self.records[key].setdefault(taken, MoveClassStatistics()).add_gain(
                compute_lead_over_mean(ends, seat, self.program.shared) - level
            )

    # ------------------------------------------------------------ hands
    def read_own_hand(self, state: State, seat: int) -> HandReading | None:
        """Return the reading that the game shows a player of their own hand; None if there is none."""
        if self.hand_reader is None:
            return None
        try:
            return self.hand_reader(state, seat)
        except RuleError:
            return None

    def grade_hand(self, reading: HandReading | None) -> int:
        """Return the grade of a hand, from 0 for the weakest; -1 without a reading."""
        return -1 if reading is None else int(HAND_GRADES * self.get_hand_strength(reading))

    def get_hand_strength(self, reading: HandReading | None) -> float:
        """Return the share of hands of equal size that are weaker; -1 without a reading."""
        if reading is None:
            return -1.0
        met = self.seen_hands.setdefault(len(reading.cards), [])
        share = bisect_left(met, reading.strength) / (len(met) + 1)
        if len(met) < MAX_GRADING_HANDS and len(reading.cards) != self.compared_hand_size:
            insort(met, reading.strength)
        return share

    def compare_with_others(self, samples: Iterable[State], seat: int) -> None:
        """Grade hands of the player's size against the hands of others in some samples."""
        self.compared_hand_size = -1
        for number, world in enumerate(samples):
            if number == 0:
                own_reading = self.read_own_hand(world, seat)
                size = -1 if own_reading is None else len(own_reading.cards)
                self.seen_hands[size] = []
            for other in range(self.program.players):
                reading = self.read_own_hand(world, other) if other != seat else None
                if reading is not None and len(reading.cards) == size:
                    self.get_hand_strength(reading)
        self.compared_hand_size = size


def compute_weaker_shares(hands: Sequence[tuple[int, ...]], weights: Sequence[float]) -> dict[tuple[int, ...], float]:
    """Return for each hand the weighted share of weaker hands."""
    total_weight, below, shares = sum(weights), 0.0, dict[tuple[int, ...], float]()
    for hand, weight in sorted(zip(hands, weights, strict=True)):
        shares.setdefault(hand, below / total_weight if total_weight else 0.0)
        below += weight
    return shares


def classify_option(program: Program, site: DecisionPoint, code: int) -> object:
    """Return the option of a move, with its approximate amount."""
    if code == DONE:
        return DONE
    count = len(site.options)
    option = (code - 1) % count
    binders = site.options[option].binders
    if not binders or binders[-1][0].type.tag != "number":
        return 1 + option
    _, values = program.decode_move(site, code)
    return 1 + option, values[-1].bit_length() // 2


def build_hand_reader(program: Program) -> Callable[[State, int], HandReading | None] | None:
    """Return a function for a player's own reading, if the game shows one; else None."""
    name = find_shown_reading(program.game)
    return None if name is None else lambda state, seat: program.evaluate_player_value(name, state, seat)
