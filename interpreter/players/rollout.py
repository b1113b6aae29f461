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

PARTS = 3
"""Each pick of a choice of several gets one of so many parts of the time that is left."""


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
        """The time by which the choice of several that is being made is complete."""

    def choose(self, match: Match) -> int:
        if match.decision is None:
            raise MoveError("The match is over.")
        return self.search(match, self.share(match)).run().index

    def share(self, match: Match) -> Budget:
        """Return the budget for one move. A choice of several takes no longer than any other, however many are picked:
        each pick gets a third of the time that is left."""
        budget = self.budget
        if budget.seconds is None or not match.program.site(match.state).asks_several:
            return budget
        now = budget.clock()
        if not match.state.picks:
            self.until = now + budget.seconds
        return Budget(budget.playouts, max(0.0, self.until - now) / PARTS, budget.clock)

    def search(self, match: Match, budget: Budget | None = None) -> Counsel:
        """The trial games for the decision that the match stands at. `budget`: if it is not the bot's own."""
        assert match.decision is not None
        seat = match.decision.seat
        engine = self.engines(match.program) if self.engines is not None else None
        if engine is not None:
            if self.native is None or self.native.seat != seat or self.native.engine is not engine:
                self.native = NativeOnlooker(seat, engine, self.native)
            with suppress(ValueError):  # a match that C does not know
                thinks = TreeSearch if self.tree and not is_betting(match.game) else NativeSearch
                return thinks(match, self.random, self.native, budget or self.budget, *self.limits)
        if self.onlooker is None or self.onlooker.seat != seat:
            self.onlooker = Onlooker(seat)
        if self.habits is None or self.habits.program is not match.program:
            self.habits = Habits(match.program, self.random)
        return Search(match, self.random, self.onlooker, self.habits, budget or self.budget, *self.limits)

    @property
    def limits(self) -> tuple[int, int, bool]:
        """What limits a search beside its budget."""
        return self.candidates, self.horizon, self.bluffs
