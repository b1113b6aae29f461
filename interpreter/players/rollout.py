"""Bot that chooses moves by playouts."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from time import monotonic

from interpreter.errors import MoveError
from interpreter.matches.match import Match
from interpreter.players.conclusions import Onlooker
from interpreter.players.engines import Engines
from interpreter.players.habits import Habits
from interpreter.players.native import NativeOnlooker, NativeSearch, TreeSearch
from interpreter.players.search import FARTHEST, WIDEST, Budget, Clock, Counsel, Search
from interpreter.stakes import is_betting

PARTS = 3
"""Divisor of the remaining time for each pick of a set."""


class RolloutPlayer:
    """Bot that tries moves in sampled matches and chooses the one with the best results.

    playouts: the average number of playouts for each move; None: until the time is over.
    seconds: the maximum time of a decision; None: no limit.
    candidates: the maximum number of moves to try.
    horizon: the number of decisions after which a playout is scored.
    engines: the provider of native engines; None: play in Python.
    tree: use tree search in the native engine, except in games with bets. In a tree, players would bet as if they saw
    the other hands.
    bluffs: sometimes bet without a hand for it.

    The bot uses only samples of the match. Without `seconds`, its moves depend only on `seed` and on the current
    player's knowledge.
    Raise `ValueError` if neither limit is set, or for fewer than one playout.
    """

    def __init__(
        self, seed: int = 0, playouts: int | None = 8, candidates: int = WIDEST, horizon: int = FARTHEST,
        seconds: float | None = None, clock: Clock = monotonic, engines: Engines | None = None,
        tree: bool = False, bluffs: bool = True,
    ) -> None:  # fmt: skip
        self.random = Random(f"rollout player {seed}")
        self.budget = Budget(playouts, seconds, clock)
        if playouts is None and seconds is None:
            raise ValueError("A bot needs a number of playouts or a time limit.")
        if playouts is not None and playouts < 1:
            raise ValueError(f"A bot needs at least one playout for each move, not {playouts}.")
        self.onlooker: Onlooker | None = None
        self.habits: Habits | None = None
        self.candidates = candidates
        self.horizon = horizon
        self.engines = engines
        self.tree = tree
        self.bluffs = bluffs
        self.native: NativeOnlooker | None = None
        self.until = 0.0
        """Time by which the current choice of a set must be complete."""

    def choose(self, match: Match) -> int:
        if match.decision is None:
            raise MoveError("The match is over.")
        return self.search(match, self.share(match)).run().index

    def share(self, match: Match) -> Budget:
        """Return the budget for one move.

        A choice of a set takes no longer than any other choice: each pick gets a third of the remaining time.
        """
        budget = self.budget
        if budget.seconds is None or not match.program.site(match.state).asks_several:
            return budget
        now = budget.clock()
        if not match.state.picks:
            self.until = now + budget.seconds
        return Budget(budget.playouts, max(0.0, self.until - now) / PARTS, budget.clock)

    def search(self, match: Match, budget: Budget | None = None) -> Counsel:
        """Return the search for the current decision, before its run. `budget`: a replacement for the bot's own."""
        assert match.decision is not None
        seat = match.decision.seat
        engine = self.engines(match.program) if self.engines is not None else None
        if engine is not None:
            if self.native is None or self.native.seat != seat or self.native.engine is not engine:
                self.native = NativeOnlooker(seat, engine, self.native)
            with suppress(ValueError):  # the match does not fit into the native engine
                thinks = TreeSearch if self.tree and not is_betting(match.game) else NativeSearch
                return thinks(match, self.random, self.native, budget or self.budget, *self.limits)
        if self.onlooker is None or self.onlooker.seat != seat:
            self.onlooker = Onlooker(seat)
        if self.habits is None or self.habits.program is not match.program:
            self.habits = Habits(match.program, self.random)
        return Search(match, self.random, self.onlooker, self.habits, budget or self.budget, *self.limits)

    @property
    def limits(self) -> tuple[int, int, bool]:
        """Limits of a search apart from its budget: candidates, horizon and bluffs."""
        return self.candidates, self.horizon, self.bluffs
