"""A player who tries moves out."""

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


class RolloutPlayer:
    """Tries moves out in matches that could be the real one, and takes the one that ends best.

    `playouts`: so many trial games for each move, on average; None: as many as there is time for. `seconds`: a
    decision takes no longer; None: as long as it takes. `candidates`: of more moves only so many are tried.
    `horizon`: a trial game is judged as it stands after so many decisions. `engines`: where it gets machine code to
    play trial games by; None: they are played in Python. `tree`: by machine code it searches a tree, unless
    players bet: in a tree they would bet against a hand as if they saw it. `bluffs`: where players bet it does so now
    and then without a hand for it. Uses nothing but samples of the match: without `seconds`, what it does depends on
    `seed` and on what the player asked knows. Raises ValueError where neither limits it, and for fewer than one
    playout.
    """

    def __init__(
        self, seed: int = 0, playouts: int | None = 8, candidates: int = WIDEST, horizon: int = FARTHEST,
        seconds: float | None = None, clock: Clock = monotonic, engines: Engines | None = None,
        tree: bool = False, bluffs: bool = True,
    ) -> None:  # fmt: skip
        self.random = Random(f"rollout player {seed}")
        self.budget = Budget(playouts, seconds, clock)
        if playouts is None and seconds is None:
            raise ValueError("A bot needs a number of playouts, or a time.")
        if playouts is not None and playouts < 1:
            raise ValueError(f"A bot plays at least one trial game for each move, not {playouts}.")
        self.onlooker: Onlooker | None = None
        self.habits: Habits | None = None
        self.candidates = candidates
        self.horizon = horizon
        self.engines = engines
        self.tree = tree
        self.bluffs = bluffs
        self.native: NativeOnlooker | None = None

    def choose(self, match: Match) -> int:
        if match.decision is None:
            raise MoveError("The match is over.")
        return self.search(match).run().index

    def search(self, match: Match) -> Counsel:
        """The trial games for the decision that the match stands at."""
        assert match.decision is not None
        seat = match.decision.seat
        engine = self.engines(match.program) if self.engines is not None else None
        if engine is not None:
            if self.native is None or self.native.seat != seat or self.native.engine is not engine:
                self.native = NativeOnlooker(seat, engine, self.native)
            with suppress(ValueError):  # a match that C does not know
                thinks = TreeSearch if self.tree and not is_betting(match.game) else NativeSearch
                return thinks(match, self.random, self.native, *self.limits)
        if self.onlooker is None or self.onlooker.seat != seat:
            self.onlooker = Onlooker(seat)
        if self.habits is None or self.habits.program is not match.program:
            self.habits = Habits(match.program, self.random)
        return Search(match, self.random, self.onlooker, self.habits, *self.limits)

    @property
    def limits(self) -> tuple[Budget, int, int, bool]:
        """What a decision is thought about in."""
        return self.budget, self.candidates, self.horizon, self.bluffs
