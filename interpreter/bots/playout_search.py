"""Monte Carlo search: playouts of candidate moves in sampled matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import ceil, log2, prod
from random import Random
from typing import Protocol

from attrs import define

from interpreter.bots.belief_sampler import BeliefSampler, ObservedMove, WeightedSamples, weigh_samples
from interpreter.bots.betting_model import (
    BettingPolicy,
    HandOutlook,
    build_hand_outlook,
    compute_won_share,
    get_playout_count,
    mark_unfit_moves,
)
from interpreter.bots.candidate_moves import can_moves_have_costs, has_amounts, list_sets, select_candidates
from interpreter.bots.clue_inference import CautiousPolicy, drop_uninformative_moves
from interpreter.bots.playout_policy import LearnedPolicy
from interpreter.bots.playout_results import (
    CandidateStatistics,
    ValueScale,
    compute_lead_over_mean,
    evaluate_playout,
    get_player_levels,
    mark_broken_hands,
    prefer_fitting_stake,
    rank_moves,
    set_move_costs,
    split_off_worse_half,
    sum_cooperative_life_shares,
)
from interpreter.bots.solitaire_policy import mark_progress, play_solitaire
from interpreter.match.match import Match
from interpreter.program.betting_roles_and_shown_hand import is_split_shown
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.rng import count_drawn_words
from interpreter.runtime.state import ChanceSource, State

MAX_CANDIDATES = 24
"""Maximum number of moves to try."""
MAX_SETS = 64
"""Maximum number of sets of picks to try as wholes. If there are more, each pick is a decision."""
MAX_HORIZON = 400
"""Number of decisions after which a playout is scored."""
SAMPLES_PER_PLAYOUT = 4
"""Number of samples to weigh against each other for each one that is played."""
MAX_PRIOR_WEIGHT = 32
"""Maximum weight of learned results for a move, in playouts."""
MAX_ROUNDS = 3
"""Number of rounds after which a playout is scored in cooperative games, and in games that score cards left in hand.

The gains of a move are visible by then. Later, all moves come to similar results.
"""
TURN_DECISIONS = 3
"""Number of decisions of a turn in games that score cards left in hand: draw, discard, and whether to end the deal."""
MAX_PRACTICE_DEALS = 20_000
"""Maximum number of practice deals."""
Clock = Callable[[], float]


@define
class PlayoutBudget:
    """Limits of a decision. At least one of them is set.

    playouts: the number of playouts for each move to try, on average; None: no limit.
    seconds: measured by `clock`; None: no limit.
    """

    playouts: int | None
    seconds: float | None
    clock: Clock


def count_practice_deals(budget: PlayoutBudget, moves: int) -> int:
    """Return the number of practice deals before a decision: half the number of playouts."""
    return MAX_PRACTICE_DEALS if budget.playouts is None else budget.playouts * moves // 2


class CandidateSearch(Protocol):
    """Result of a search.

    tried: the moves with their results; after `find_best_move`, best first.
    scale: the scale for the values of moves.
    outlook: the outlook of the hand, if the decision is a bet.
    """

    tried: list[CandidateStatistics]
    scale: ValueScale
    outlook: HandOutlook | None

    def find_best_move(self) -> CandidateStatistics:
        """Return the best move."""

    def sample(self) -> State | None:
        """Return a sampled match; None if there is none."""


def compute_horizon(program: Program, horizon: int) -> int:
    """Return the number of decisions after which a playout of this game is scored."""
    if is_split_shown(program.game):
        return min(horizon, MAX_ROUNDS * TURN_DECISIONS * program.players)
    return min(horizon, MAX_ROUNDS * program.players) if program.shared and program.players > 1 else horizon


def select_moves(
    match: Match, max_candidates: int, random: Random, sets: Sequence[tuple[int, ...]]
) -> tuple[list[CandidateStatistics], ValueScale]:
    """Return the moves to try, and the scale for their values. `sets`: the sets of picks to try, if not all."""
    program, state = match.program, match.state
    if sets := sets or list_sets(program, state, MAX_SETS):
        moves = [CandidateStatistics(state.legal.index(first), rest=tuple(rest)) for first, *rest in sets]
    else:
        indices = drop_uninformative_moves(match, select_candidates(program, state, max_candidates, random))
        moves = list(map(CandidateStatistics, indices))
    mark_broken_hands(program, state, moves)
    return moves, ValueScale(program.shared, is_split_shown(program.game), has_amounts(program, state))


class PlayoutSearch:
    """Search for one decision of one player, in Python.

    tried: the moves with their results; after `find_best_move`, best first.
    scale: the scale for the values of moves.
    """

    def __init__(
        self, match: Match, random: Random, sampler: BeliefSampler, policy: LearnedPolicy, budget: PlayoutBudget,
        max_candidates: int = MAX_CANDIDATES, horizon: int = MAX_HORIZON, bluffs: bool = True,
        sets: Sequence[tuple[int, ...]] = (),
    ) -> None:  # fmt: skip
        assert match.decision is not None
        self.match, self.random, self.budget = match, random, budget
        self.program: Program = match.program
        self.seat = match.decision.seat
        self.horizon = compute_horizon(match.program, horizon)
        self.start_time = 0.0 if budget.seconds is None else budget.clock()
        self.deadline = None if budget.seconds is None else self.start_time + budget.seconds
        self.sampler, self.policy = sampler, policy
        sampler.process_new_moves(match)
        self.tried, self.scale = select_moves(match, max_candidates, random, sets)
        self.cautious_policy = CautiousPolicy(match.names, random) if self.program.shared else None
        self.start_levels: list[float] = []
        """Level of each player at the start of the current sample."""
        self.start_lives = 0.0
        """Shared lives left in the current sample."""
        self.start_random_state: int | ChanceSource = 0
        """Random state at the start of the playout."""
        self.chosen: list[tuple[ObservedMove, object]] = []
        self.last_option_class: object = None
        """Class of the last option taken."""
        self.policy.all_players_stay = False
        self.supposed: WeightedSamples | None = None
        self.outlook: HandOutlook | None = None
        self.bluffs = bluffs
        self.collect_past_options()

    def find_best_move(self) -> CandidateStatistics:
        """Return the best move.

        Moves that do worse after a few playouts are dropped, so that most playouts compare the closest moves.
        """
        running = self.tried[:]
        if len(running) == 1:
            return running[0]
        self.play_practice_deals()
        self.weigh_and_grade_hands()
        left = None if self.budget.playouts is None else self.budget.playouts * len(running)
        stage, length = 1, self.compute_stage_length(len(running))
        playouts_start_time = self.start_time if self.deadline is None else self.budget.clock()
        while not self.is_late() and (left is None or left >= len(running)):
            self.play_candidates(self.draw_likely_sample(), running)
            left = None if left is None else left - len(running)
            spent = running[0].games if self.budget.playouts else self.budget.clock() - playouts_start_time
            if spent >= stage * length and len(running) > 2:
                ranked, (running, dropped) = len(running), split_off_worse_half(rank_moves(running, self.scale))
                self.tried[:ranked] = [*running, *dropped]
                stage = 2 * stage if self.budget.playouts else stage + 1
        self.tried[: len(running)] = rank_moves(running, self.scale)
        self.tried = prefer_fitting_stake(self.tried, self.scale)
        return self.tried[0]

    def compute_stage_length(self, moves: int) -> float:
        """Return the first number of playouts, or the seconds, after which the worse half of the moves is dropped.

        If time is the limit, all stages take equally long, as in sequential halving: after a few playouts alone, luck
        would decide.
        """
        if self.budget.playouts is not None:
            return max(1, self.budget.playouts // 2)
        assert self.deadline is not None
        return (self.deadline - self.budget.clock()) / ceil(log2(moves))

    def sample(self) -> State | None:
        return self.draw_likely_sample()

    def play_practice_deals(self) -> None:
        """Train the playout policy on the first deals of random matches, in games that grade hands.

        Training comes before the search, so that the policy reflects all hands equally.
        """
        deals = count_practice_deals(self.budget, len(self.tried))
        until = self.start_time + (self.budget.seconds or 0) / 3
        while (
            self.policy.hand_reader is not None and deals > 0 and self.policy.practice_deal_count < MAX_PRACTICE_DEALS
        ):
            if self.budget.seconds is not None and self.budget.clock() >= until:
                return
            deals, self.policy.practice_deal_count = deals - 1, self.policy.practice_deal_count + 1
            with suppress(RuleError):
                state = self.program.start(self.random.getrandbits(60))
                self.start_levels = get_player_levels(self.program, state)
                self.policy.begin_playout(None)
                self.run_playout(state)

    def weigh_and_grade_hands(self) -> None:
        """Weigh samples by the moves of others in betting games, and grade the hand among the hands they may have.

        So a player who has bet with a good hand continues with it.
        """
        betting = self.policy.betting
        if betting is None:
            return
        is_bet = betting.is_bet_decision(self.program.get_site(self.match.state))
        self.policy.all_players_stay = not is_bet and self.has_hand()
        if not (is_bet or self.chosen):
            return
        self.supposed = weigh_samples(self.sampler, self.match, self.policy, self.random)
        if is_bet:
            self.policy.compare_with_others(self.supposed.samples, self.seat)
            self.estimate_outlook(betting)

    def has_hand(self) -> bool:
        """Return whether the player has cards that count.

        If such a player makes a decision that is not a bet, all players stay in during playouts. Then the value of the
        hand counts, not the bets of others.
        """
        reading = self.policy.read_own_hand(self.match.state, self.seat)
        return reading is not None and len(reading.cards) > 0

    def estimate_outlook(self, betting: BettingPolicy) -> None:
        """Estimate the share of the pot that the hand wins if all stay in, and mark moves that do not suit it."""
        rounds = get_playout_count(self.bluffs)
        if self.bluffs and self.budget.playouts is not None:
            rounds = min(rounds, 4 * self.budget.playouts)
        until = self.start_time + (self.budget.seconds or 0) / 2
        won, played, winnable = 0.0, 0, betting.get_winnable_amount(self.match.state)
        self.policy.all_players_stay = True
        for _ in range(rounds if winnable > 0 else 0):
            if self.deadline is not None and self.budget.clock() >= until:
                break
            with suppress(RuleError):  # skip a sample in which a rule fails
                part = self.play_without_folds(betting, self.draw_likely_sample())
                if self.is_late():  # do not count an unfinished playout
                    break
                won, played = won + part, played + 1
        self.policy.all_players_stay = False
        if played:
            self.outlook = build_hand_outlook(self.program, self.draw_likely_sample(), won / played, played)
            mark_unfit_moves(self.match, self.tried, self.outlook, self.bluffs)

    def play_without_folds(self, betting: BettingPolicy, sample: State) -> float:
        """Return the share of the pot won in one playout without folds. Raise `RuleError` if a rule fails."""
        price, winnable = betting.get_call_price(sample), betting.get_winnable_amount(sample)
        self.start_levels = get_player_levels(self.program, sample)
        self.policy.begin_playout(self.last_option_class)
        self.run_playout(sample)
        gain = get_player_levels(self.program, sample)[self.seat] - self.start_levels[self.seat]
        return compute_won_share(gain + price, winnable + price, betting.get_pot(sample) if sample.who >= 0 else 0)

    def collect_past_options(self) -> None:
        """Collect the options that were taken openly, each with the class of the option before it."""
        names, now, graded = self.match.names, self.match.state, self.policy.hand_reader is not None
        for move in self.sampler.observed_moves:
            site = self.program.get_site(move.before)
            is_own = move.before.who == self.seat
            if site.options and (is_own or self.sampler.is_openly_made(names, move, now)):
                if graded and self.sampler.is_hand_evidence(names, move, now):
                    self.chosen.append((move, self.last_option_class))
                self.last_option_class = self.policy.classify_move(site, move.code)

    def set_priors(self, sample: State) -> None:
        """Set the prior of each move from earlier playouts."""
        ahead = compute_lead_over_mean(self.start_levels, self.seat, self.program.shared)
        for tried in self.tried:
            record = self.policy.find_statistics(sample, sample.legal[tried.index], self.last_option_class)
            if record is not None and record.games and not tried.rest and not self.policy.all_players_stay:
                tried.prior_lead, tried.prior_variance = ahead + record.mean, record.variance
                tried.prior_weight = min(record.games, MAX_PRIOR_WEIGHT)

    def draw_likely_sample(self) -> State:
        """Return one of several samples, drawn by the likelihood of the other players' moves."""
        if self.supposed is not None:
            return self.supposed.draw_sample(self.program, self.random)
        worlds, weights = [], []
        for _ in range(SAMPLES_PER_PLAYOUT if self.chosen and self.cautious_policy is None else 1):
            worlds.append(self.sampler.sample(self.match, self.random.getrandbits(63)))
            pasts = (
                (self.sampler.rebuild_past_state(self.match.names, move), move.code, before)
                for move, before in self.chosen
            )
            weights.append(prod(self.policy.get_option_likelihood(*past) for past in pasts))
        return self.random.choices(worlds, weights)[0]

    def play_candidates(self, sample: State, moves: list[CandidateStatistics]) -> None:
        """Play each of some moves in one sample.

        If the time is over before all are played, discard the results, unless no move has any yet.
        """
        self.start_levels, ends = get_player_levels(self.program, sample), []
        self.start_lives = sum_cooperative_life_shares(self.program, sample)
        if not moves[0].games and not moves[0].prior_weight:
            self.set_priors(sample)
            if can_moves_have_costs(self.program, sample):
                set_move_costs(self.program, sample, moves)
            if self.program.is_solitaire:
                mark_progress(self.program, sample, moves)
            for move in moves if self.cautious_policy is not None else ():
                self.build_cautious_policy().assess_move(sample, move)
        for move in moves:
            state = self.play_on(sample, move)
            if self.is_late() and moves[0].games:
                return
            ends.append(state)
        for move, state in zip(moves, ends, strict=True):
            self.count_result(move, state)

    def count_result(self, move: CandidateStatistics, state: State) -> None:
        try:
            result = evaluate_playout(
                self.program, state, self.seat, self.start_levels, self.compute_end_levels(state), self.start_lives
            )
        except RuleError:
            return
        self.scale.update_scale(result)
        move.add_result(result)

    def play_on(self, sample: State, move: CandidateStatistics) -> State:
        """Return the state at the end of a playout: after the match, the deal, the horizon or the time limit."""
        state, habits = self.program.clone(sample), self.policy
        code, site = state.legal[move.index], self.program.get_site(state)
        if self.cautious_policy is not None:
            self.build_cautious_policy()
        habits.begin_playout(habits.classify_move(site, code) if site.options else self.last_option_class)
        with suppress(RuleError):  # a sample may be impossible by the rules: score its current state
            self.run_playout(state, (code, *move.rest))
        return state

    def run_playout(self, state: State, codes: Sequence[int] = ()) -> None:
        """Play until the end of the match, the next deal, the horizon or the time limit. Then update the policy.

        codes: the first moves, if they are fixed. Raise `RuleError` if a rule fails.
        """
        self.start_random_state = state.rng
        apply = self.cautious_policy.apply_move if self.cautious_policy is not None else self.program.apply
        for code in codes:
            apply(state, code)
        if self.program.is_solitaire:
            return play_solitaire(self.program, state, self.random, self.horizon, self.is_late)
        for _ in range(self.horizon):
            if state.who < 0 or self.is_late():
                break
            if not self.is_same_deal(state) and get_player_levels(self.program, state) != self.start_levels:
                break
            apply(state, self.choose_playout_move(state))
        if not self.is_late() and not self.policy.all_players_stay:
            self.policy.learn_from_playout(self.compute_end_levels(state))

    def is_same_deal(self, state: State) -> bool:
        return count_drawn_words(self.start_random_state, state.rng) < len(self.program.face) // 2

    def compute_end_levels(self, state: State) -> list[float]:
        """Return the level of each player at the end of a playout.

        In the middle of a deal, subtract half of the cost of the cards that the best split leaves. Raise `RuleError` if
        a rule fails.
        """
        now = get_player_levels(self.program, state)
        if self.scale.split and state.who >= 0 and self.is_same_deal(state):
            for seat, reading in enumerate(self.policy.read_own_hand(state, seat) for seat in range(len(now))):
                now[seat] += reading.strength[0] / 2 if reading is not None else 0
        return now

    def choose_playout_move(self, state: State) -> int:
        """Return the code of a move in a playout."""
        if self.cautious_policy is not None and len(state.legal) > 1:
            sure = self.cautious_policy.find_sure_move(state)
            if sure is not None:
                return sure
            self.cautious_policy.remove_gambles(state)
        return self.policy.pick_move(state)

    def build_cautious_policy(self) -> CautiousPolicy:
        """Return the cooperative policy, with the public knowledge from marks about the cards of the last sample."""
        assert self.cautious_policy is not None
        renaming = self.sampler.permutation
        self.cautious_policy.possible_faces = {
            renaming[card] if renaming else card: faces for card, faces in self.sampler.possible_faces.items()
        }
        return self.cautious_policy

    def is_late(self) -> bool:
        return self.deadline is not None and self.budget.clock() >= self.deadline
