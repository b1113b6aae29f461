"""Playout search and Monte Carlo tree search in a native engine.

They work like `interpreter.bots.playout_search`, with many more playouts in the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2
from random import Random
from statistics import stdev

from attrs import evolve

from interpreter.bots.belief_sampler import MatchFollower
from interpreter.bots.betting_model import (
    HandOutlook,
    build_betting_policy,
    build_hand_outlook,
    get_playout_count,
    mark_unfit_moves,
)
from interpreter.bots.candidate_moves import can_moves_have_costs
from interpreter.bots.playout_results import (
    CandidateStatistics,
    prefer_fitting_stake,
    rank_moves,
    set_move_costs,
    split_off_worse_half,
)
from interpreter.bots.playout_search import (
    MAX_CANDIDATES,
    MAX_HORIZON,
    MAX_PRACTICE_DEALS,
    MAX_PRIOR_WEIGHT,
    PlayoutBudget,
    compute_horizon,
    select_moves,
)
from interpreter.bots.solitaire_policy import mark_progress
from interpreter.match.match import Match
from interpreter.narration.display_names import MatchNames
from interpreter.native.engine import NativeEngine
from interpreter.native.playouts import NativePlayouts
from interpreter.program.betting_roles_and_shown_hand import find_shown_reading
from interpreter.runtime.state import State

SOMETIMES, ALWAYS = 1, 2
"""Return values for how often a move gains, as in `clue_safety.h`."""
HINT_BATCHES = 16
"""Number of draws of the possible hands of others for the chance to win in a hint."""
MAX_BATCH_SECONDS = 0.01
"""Approximate maximum time between two looks at the clock, in seconds."""


class NativeFollower(MatchFollower):
    """Follower of a match for one seat that passes the moves to the engine's playouts.

    The engine's memory is for one thread. `policy_source`: a follower for another seat in the same engine, whose
    learned policy this one continues to use.
    """

    def __init__(self, seat: int, engine: NativeEngine, policy_source: NativeFollower | None = None) -> None:
        super().__init__(seat)
        self.engine = engine
        self.playouts: NativePlayouts = (
            NativePlayouts(engine)
            if policy_source is None or policy_source.engine is not engine
            else policy_source.playouts
        )

    def forget_inferences(self) -> None:
        self.playouts.forget_inferences()

    def observe_move(self, names: MatchNames, before: State, code: int) -> None:
        """Pass on a move. In games with secrets, legal moves may depend on secrets, so moves give no evidence."""
        self.playouts.record_move(
            before, code, self.is_move_known(names, before, code), not names.facts.common_knowledge.secrecy.has_secrets
        )


class NativeSearch:
    """Search for one decision of one player. `tried`, `scale`: as in `interpreter.bots.playout_search.CandidateSearch`.

    Raise `ValueError` for a match that does not fit into the engine.
    """

    def __init__(
        self, match: Match, random: Random, follower: NativeFollower, budget: PlayoutBudget,
        max_candidates: int = MAX_CANDIDATES, horizon: int = MAX_HORIZON, bluffs: bool = True,
        sets: Sequence[tuple[int, ...]] = (),
    ) -> None:  # fmt: skip
        assert match.decision is not None
        self.budget, self.playouts = budget, follower.playouts
        self.start_time = budget.clock()
        follower.process_new_moves(match)
        self.tried, self.scale = select_moves(match, max_candidates, random, sets)
        self.statistic_indexes = {(tried.index, tried.rest): position for position, tried in enumerate(self.tried)}
        self.playout_count = 0
        """Number of playouts so far."""
        self.playouts.set_current_state(match.state, match.decision.seat, random.getrandbits(63))
        self.playouts.set_secret_values(match.get_secret_values(match.decision.seat))
        self.playouts.begin_playouts(
            random.getrandbits(63), compute_horizon(match.program, horizon), len(match.program.face) // 2
        )
        self.play_practice_deals()
        self.blind_bet_rates = [follower.get_blind_bet_rate(seat) for seat in range(match.program.players)]
        staying = self.playouts.weigh_hands(self.blind_bet_rates)
        self.outlook = self.estimate_prospect(match, bluffs)
        self.playouts_start_time = budget.clock()
        """Start time of the playouts."""
        if not staying and not self.has_sets:
            self.set_priors()
        for tried, often in zip(
            self.tried, self.playouts.classify_unknown_plays([tried.index for tried in self.tried]), strict=True
        ):
            tried.is_gamble, tried.is_sure = often == SOMETIMES, often == ALWAYS
        world = self.playouts.sample_state()
        if can_moves_have_costs(match.program, match.state) and world is not None:
            set_move_costs(match.program, world, self.tried)
        if match.program.is_solitaire and world is not None:
            mark_progress(match.program, world, self.tried)

    @property
    def has_sets(self) -> bool:
        """True if some of the moves are sets of several picks."""
        return any(tried.rest for tried in self.tried)

    def set_priors(self) -> None:
        """Set the prior of each move from playouts of similar moves in earlier decisions."""
        rows = self.playouts.estimate_leads([tried.index for tried in self.tried])
        for tried, row in zip(self.tried, rows, strict=False):
            tried.prior_lead, tried.prior_variance = row[0], row[1]
            tried.prior_weight = min(int(row[2]), MAX_PRIOR_WEIGHT)

    def sample(self) -> State | None:
        return self.playouts.sample_likely_state()

    def estimate_prospect(self, match: Match, bluffs: bool) -> HandOutlook | None:
        """Estimate the share of the pot that the hand wins if all stay in, and mark moves that do not suit it.

        Return None if the decision is not a bet. A hint draws the possible hands of others several times, because a few
        likely hands decide.
        """
        betting, world = build_betting_policy(match.program), self.playouts.sample_state()
        if betting is None or world is None or not betting.is_bet_decision(match.program.get_site(match.state)):
            return None
        results = [self.playouts.estimate_pot_share(get_playout_count(bluffs))]
        until = self.budget.clock() + (self.budget.seconds or 0) / 5
        while not bluffs and len(results) < HINT_BATCHES and (not self.budget.seconds or self.budget.clock() < until):
            self.playouts.weigh_hands(self.blind_bet_rates)
            results.append(self.playouts.estimate_pot_share(get_playout_count(bluffs)))
        games = sum(played for _, played in results)
        if not games:
            return None
        share = sum(won * played for won, played in results) / games
        spread = stdev(won for won, _ in results) / len(results) ** 0.5 if len(results) > 1 else 0.0
        prospect = evolve(build_hand_outlook(match.program, world, share, games), spread=spread)
        mark_unfit_moves(match, self.tried, prospect, bluffs)
        return prospect

    def play_practice_deals(self) -> None:
        """Train the playout policy on practice deals, in games that grade hands."""
        engine = self.playouts.engine
        if find_shown_reading(engine.program.game) is None:
            return
        until, deals = self.start_time + (self.budget.seconds or 0) / 3, 16
        while (left := MAX_PRACTICE_DEALS - engine.practised_deals) > 0 and (
            (before := self.budget.clock()) < until or self.budget.seconds is None
        ):
            self.playouts.practise(min(deals, left))
            deals = self.get_next_batch_size(deals, before)
        self.playouts.take_over_practice()

    def find_best_move(self) -> CandidateStatistics:
        """Return the best move, by sequential halving.

        All moves share the first part of the playouts equally. The better half shares the next part, and so on.
        Source: Karnin, Koren and Somekh 2013.
        """
        running = self.tried[:]
        stages = max(1, ceil(log2(len(running))))
        for stage in range(1, stages + 1) if len(running) > 1 else ():
            self.play_until_share(running, stage / stages)
            ranked, (running, dropped) = len(running), split_off_worse_half(rank_moves(running, self.scale))
            self.tried[:ranked] = [*running, *dropped]
        self.tried = prefer_fitting_stake(self.tried, self.scale)
        return self.tried[0]

    def play_until_share(self, running: list[CandidateStatistics], share: float) -> None:
        """Play until this share of the budget is used. If there was no playout yet, play each move once in any case."""
        rounds = 1
        while not self.playout_count or (left := self.count_rounds_left(share, len(running))) > 0:
            rounds = min(rounds, left) if self.playout_count else 1
            before, moves = self.budget.clock(), [(tried.index, *tried.rest) for tried in running]
            played = self.playouts.run_playouts(moves, [self.get_statistic_index(tried) for tried in running], rounds)
            self.playout_count += rounds * len(running)
            self.copy_results()
            if not played and not any(tried.games for tried in running):
                return
            rounds = self.get_next_batch_size(rounds, before)

    def get_statistic_index(self, move: CandidateStatistics) -> int:
        """Return the index of a move's statistics in the engine."""
        return self.statistic_indexes[move.index, move.rest]

    def get_next_batch_size(self, count: int, start: float) -> int:
        """Return the size of the next batch: up to double the previous size, within the time limit.

        start: the start of the previous batch.
        """
        now = self.budget.clock()
        most = MAX_BATCH_SECONDS
        if self.budget.seconds is not None:
            most = min(most, self.start_time + self.budget.seconds - now)
        return max(1, min(2 * count, int(count * most / max(now - start, 1e-6))))

    def count_rounds_left(self, share: float, moves: int) -> int:
        """Return the number of samples that the next batches may play, with one playout for each move."""
        left = 1 << 20
        if self.budget.playouts is not None:
            left = (int(share * self.budget.playouts * len(self.tried)) - self.playout_count) // moves
        if self.budget.seconds is not None:
            total_time = self.start_time + self.budget.seconds - self.playouts_start_time
            return left if self.budget.clock() - self.playouts_start_time < share * total_time else 0
        return left

    def copy_results(self) -> None:
        """Copy the results from the engine."""
        rows, self.scale.max_lead, self.scale.max_gain = self.playouts.read_statistics(len(self.tried))
        for tried in self.tried:
            row = rows[self.get_statistic_index(tried)]
            games, tried.first, tried.place, tried.gain, ended, tried.place_sum, *row = row
            tried.ended_lead_sum, tried.lead_sum, tried.squared_lead_sum, tried.lives_lost = row
            tried.games, tried.ended = int(games), int(ended)


EXPLORATION = 1.0
"""Exploration constant of the tree search, in standard deviations of the rewards."""


class TreeSearch(NativeSearch):
    """Information-set Monte Carlo tree search. Moves with better results are tried more often, for each player.

    Sets are compared by plain playouts, as wholes, and so are the moves of solitaires.
    """

    def find_best_move(self) -> CandidateStatistics:
        if len(self.tried) == 1 or self.has_sets or self.playouts.engine.program.is_solitaire:
            return super().find_best_move()
        moves, games = [tried.index for tried in self.tried], 16
        self.playouts.run_playouts([(move,) for move in moves], range(len(moves)), 1)
        self.playout_count = len(moves)
        self.playouts.start_tree()
        while (left := self.count_rounds_left(1.0, 1)) > 0:
            before = self.budget.clock()
            self.playouts.grow_tree(moves, min(games, left), EXPLORATION)
            self.playout_count += min(games, left)
            games = self.get_next_batch_size(games, before)
        self.copy_results()
        ranked = sorted(self.tried, key=lambda tried: (-tried.games, -tried.compute_value(self.scale), tried.index))
        self.tried = prefer_fitting_stake(ranked, self.scale)
        return self.tried[0]
