"""Players of a match: protocol, random bot, scripted bot, and search bots by level."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Protocol

from attrs import frozen

from cardlang.model import Game
from interpreter.bots.belief_sampler import BeliefSampler
from interpreter.bots.candidate_moves import list_sets
from interpreter.bots.native_search import NativeFollower, NativeSearch, TreeSearch
from interpreter.bots.playout_policy import LearnedPolicy
from interpreter.bots.playout_search import (
    MAX_CANDIDATES,
    MAX_HORIZON,
    MAX_SETS,
    CandidateSearch,
    Clock,
    PlayoutBudget,
    PlayoutSearch,
)
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import EngineProvider, get_engine_if_ready, wait_for_engine
from interpreter.program.betting_roles_and_shown_hand import is_betting_game, is_split_shown
from interpreter.runtime.errors import MoveError
from interpreter.runtime.state import State


class Player(Protocol):
    """Decision maker of a match."""

    def choose(self, match: Match) -> int:
        """Return the index of a legal move."""


PICK_TIME_DIVISOR = 3
"""Divisor of the remaining time for each pick of a set."""


class PlayoutPlayer:
    """Bot that tries moves in sampled matches and chooses the one with the best results.

    playouts: the average number of playouts for each move; None: until the time is over.
    seconds: the maximum time of a decision; None: no limit.
    candidates: the maximum number of moves to try.
    horizon: the number of decisions after which a playout is scored.
    engines: the provider of native engines; None: play in Python.
    tree: use tree search in the native engine, in games that suit it.
    bluffs: sometimes bet without a hand for it.

    The bot uses only samples of the match. Without `seconds`, its moves depend only on `seed` and on the current
    player's knowledge.
    Raise `ValueError` if neither limit is set, or for fewer than one playout.
    """

    def __init__(
        self, seed: int = 0, playouts: int | None = 8, candidates: int = MAX_CANDIDATES, horizon: int = MAX_HORIZON,
        seconds: float | None = None, clock: Clock = monotonic, engines: EngineProvider | None = None,
        tree: bool = False, bluffs: bool = True,
    ) -> None:  # fmt: skip
        self.random = Random(f"rollout player {seed}")
        self.budget = PlayoutBudget(playouts, seconds, clock)
        if playouts is None and seconds is None:
            raise ValueError("A bot needs a number of playouts or a time limit.")
        if playouts is not None and playouts < 1:
            raise ValueError(f"A bot needs at least one playout for each move, not {playouts}.")
        self.sampler: BeliefSampler | None = None
        self.policy: LearnedPolicy | None = None
        self.candidates = candidates
        self.horizon = horizon
        self.engines = engines
        self.tree = tree
        self.bluffs = bluffs
        self.native: NativeFollower | None = None
        self.plan: list[int] = []
        """Codes of all picks of the set that the bot is choosing."""
        self.set_deadline = 0.0
        """Time by which the current choice of a set must be complete."""

    def choose(self, match: Match) -> int:
        if match.decision is None:
            raise MoveError("The match is over.")
        state = match.state
        planned = self.get_planned_pick(state)
        if planned in state.legal:
            return state.legal.index(planned)
        best = self.build_search(match, self.get_move_budget(match)).find_best_move()
        self.plan = [*(pick + 1 for pick in state.picks), state.legal[best.index], *best.rest] if best.rest else []
        return best.index

    def get_planned_pick(self, state: State) -> int | None:
        """Return the code of the next pick of the set that the bot is choosing; None if it chooses none."""
        made = [pick + 1 for pick in state.picks]
        return self.plan[len(made)] if made and made == self.plan[: len(made)] and len(made) < len(self.plan) else None

    def get_move_budget(self, match: Match) -> PlayoutBudget:
        """Return the budget for one move.

        A choice of a set takes no longer than any other choice. If the sets are too many to compare as wholes, each
        pick gets a third of the remaining time.
        """
        budget, program, state = self.budget, match.program, match.state
        if budget.seconds is None or not program.get_site(state).asks_several:
            return budget
        if not state.picks and list_sets(program, state, MAX_SETS):
            return budget
        now = budget.clock()
        if not match.state.picks:
            self.set_deadline = now + budget.seconds
        return PlayoutBudget(budget.playouts, max(0.0, self.set_deadline - now) / PICK_TIME_DIVISOR, budget.clock)

    def build_search(
        self, match: Match, budget: PlayoutBudget | None = None, sets: Sequence[tuple[int, ...]] = ()
    ) -> CandidateSearch:
        """Return the search for the current decision, before its run.

        budget: a replacement for the bot's own.
        sets: the sets of picks to try, if not all.
        """
        assert match.decision is not None
        seat = match.decision.seat
        engine = self.engines(match.program) if self.engines is not None else None
        if engine is not None:
            if self.native is None or self.native.seat != seat or self.native.engine is not engine:
                self.native = NativeFollower(seat, engine, self.native)
            with suppress(ValueError):  # the match does not fit into the native engine
                thinks = TreeSearch if self.tree and suits_tree_search(match.game) else NativeSearch
                return thinks(match, self.random, self.native, budget or self.budget, *self.search_limits, sets)
        if self.sampler is None or self.sampler.seat != seat:
            self.sampler = BeliefSampler(seat)
        if self.policy is None or self.policy.program is not match.program:
            self.policy = LearnedPolicy(match.program, self.random)
        return PlayoutSearch(
            match, self.random, self.sampler, self.policy, budget or self.budget, *self.search_limits, sets
        )

    @property
    def search_limits(self) -> tuple[int, int, bool]:
        """Limits of a search apart from its budget: candidates, horizon and bluffs."""
        return self.candidates, self.horizon, self.bluffs


def suits_tree_search(game: Game) -> bool:
    """Return whether tree search suits a game.

    With bets, players in a tree would bet as if they saw the other hands. With groups of cards, a tree would play well
    after an open card but at random after each of the many hidden ones, so it would take too many open cards.
    """
    return not is_betting_game(game) and not is_split_shown(game)


class RandomPlayer:
    """Player that chooses each legal move with equal probability."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(f"random player {seed}")

    def choose(self, match: Match) -> int:
        return self.random.randrange(len(match.state.legal))


@frozen
class BotLevel:
    """Strength of a bot.

    playouts: the playouts for each move, without a time limit.
    seconds: with a time limit, the maximum time of a decision.
    max_playouts: with a time limit, the maximum playouts for each move; None: no limit.
    """

    playouts: int
    seconds: float | None
    max_playouts: int | None
    description: str
    uses_tree_search: bool = False
    """True for tree search, if there is a native engine."""


SEARCH_BOT_LEVELS = {
    "easy": BotLevel(1, 0.3, 1, "for a first game; it makes mistakes"),
    "steady": BotLevel(8, 0.3, None, "plays well and fast"),
    "sharp": BotLevel(32, 1.0, None, "thinks longer; harder to beat"),
    "search": BotLevel(64, 0.5, None, "plans several turns ahead; hard to beat", uses_tree_search=True),
    "rollout": BotLevel(8, None, 8, "8 playouts for each move, without a time limit"),
}
"""Bots that search, by name."""
BOT_NAMES = (*SEARCH_BOT_LEVELS, "random")
"""Names of all bots."""
DEFAULT_BOT = "steady"
"""Default opponent."""


def make_bot(name: str, seed: int, timed: bool = False, native: bool = False) -> Player:
    """Return a bot by its name, with its own random number generator.

    timed: use the time limit of its level, and the native engine as soon as it is built. Otherwise the bot counts
    playouts, and plays identically on every machine.
    native: wait for the native engine, if it can be built.
    Raise `KeyError` for a name that is not in `BOT_NAMES`.
    """
    if name == "random":
        return RandomPlayer(seed)
    level = SEARCH_BOT_LEVELS[name]
    if timed:
        engines = wait_for_engine if native else get_engine_if_ready
        return PlayoutPlayer(
            seed, level.max_playouts, seconds=level.seconds, engines=engines, tree=level.uses_tree_search
        )
    return PlayoutPlayer(seed, level.playouts, engines=wait_for_engine if native else None, tree=level.uses_tree_search)
