"""Search with playouts in the native engine.

It works like `interpreter.players.search`, with many more playouts in the same time.
"""

from __future__ import annotations

from math import ceil, log2
from random import Random

from interpreter.matches.match import Match
from interpreter.matches.names import Names
from interpreter.native.engine import Engine
from interpreter.native.trials import Trials
from interpreter.players.betting import betting_of
from interpreter.players.candidates import candidates, have_amounts, may_stake
from interpreter.players.conclusions import Follower
from interpreter.players.marks import telling
from interpreter.players.outcomes import Scale, Tried, best, fitting, mark_breaks, weigh_costs
from interpreter.players.prospects import Prospect, mark_unfit, prospect_of, rounds_of
from interpreter.players.search import FARTHEST, PRACTISED, TRUSTED, WIDEST, Budget, deals_to_practise, farthest
from interpreter.readings import shown_reading, shows_split
from interpreter.state import State

SOMETIMES, ALWAYS = 1, 2
"""Return values for how often a move gains, as in `native/c/careful.h`."""
MOST_AT_ONCE = 0.01
"""Approximate maximum time between two looks at the clock, in seconds."""


class NativeOnlooker(Follower):
    """Follower of a match for one seat that passes the moves to the engine's playouts.

    The engine's memory is for one thread. `habits`: an onlooker for another seat in the same engine, whose learned
    habits this one continues to use.
    """

    def __init__(self, seat: int, engine: Engine, habits: NativeOnlooker | None = None) -> None:
        super().__init__(seat)
        self.engine = engine
        self.trials: Trials = Trials(engine) if habits is None or habits.engine is not engine else habits.trials

    def forget(self) -> None:
        self.trials.forget()

    def saw(self, names: Names, before: State, code: int) -> None:
        """Pass on a move. In games with secrets, legal moves may depend on secrets, so moves give no evidence."""
        self.trials.saw(before, code, self.is_told(names, before, code), not names.facts.common.secrecy.has_secrets)


class NativeSearch:
    """Search for one decision of one player. `tried`, `scale`: as in `interpreter.players.search.Search`.

    Raise `ValueError` for a match that does not fit into the engine.
    """

    def __init__(
        self, match: Match, random: Random, onlooker: NativeOnlooker, budget: Budget,
        most: int = WIDEST, horizon: int = FARTHEST, bluffs: bool = True,
    ) -> None:  # fmt: skip
        assert match.decision is not None
        self.budget, self.trials = budget, onlooker.trials
        self.begun = budget.clock()
        onlooker.follow(match)
        self.tried = [Tried(index) for index in telling(match, candidates(match.program, match.state, most, random))]
        mark_breaks(match.program, match.state, self.tried)
        amounts = have_amounts(match.program, match.state)
        self.scale = Scale(match.program.shared, shows_split(match.program.game), amounts)
        self.place = {tried.index: place for place, tried in enumerate(self.tried)}
        self.played = 0
        """Number of playouts so far."""
        self.trials.look(match.state, match.decision.seat, random.getrandbits(63))
        self.trials.begin(random.getrandbits(63), farthest(match.program, horizon), len(match.program.face) // 2)
        self.practise()
        staying = self.trials.suppose([onlooker.wild(seat) for seat in range(match.program.players)])
        self.prospect = self.look_ahead(match, bluffs)
        self.ready = budget.clock()
        """Start time of the playouts."""
        rows = [] if staying else self.trials.expected([tried.index for tried in self.tried])
        for tried, row in zip(self.tried, rows, strict=False):
            tried.expected, tried.spread, tried.trust = row[0], row[1], min(int(row[2]), TRUSTED)
        for tried, often in zip(self.tried, self.trials.how_often([tried.index for tried in self.tried]), strict=True):
            tried.gamble, tried.sure = often == SOMETIMES, often == ALWAYS
        if may_stake(match.program, match.state) and (world := self.trials.sample()) is not None:
            weigh_costs(match.program, world, self.tried)

    def sample(self) -> State | None:
        return self.trials.likely()

    def look_ahead(self, match: Match, bluffs: bool) -> Prospect | None:
        """Estimate the share of the pot that the hand wins if all stay in, and mark moves that do not suit it.

        Return None if the decision is not a bet.
        """
        betting, world = betting_of(match.program), self.trials.sample()
        if betting is None or world is None or not betting.is_bet(match.program.site(match.state)):
            return None
        share, games = self.trials.stay(rounds_of(bluffs))
        if not games:
            return None
        prospect = prospect_of(match.program, world, share, games)
        mark_unfit(match, self.tried, prospect, bluffs)
        return prospect

    def practise(self) -> None:
        """Learn habits from practice deals before they are needed, in games that grade hands."""
        if shown_reading(self.trials.engine.program.game) is None:
            return
        left = min(deals_to_practise(self.budget, len(self.tried)), PRACTISED - self.trials.practised)
        until, deals = self.begun + (self.budget.seconds or 0) / 3, 16
        while left > 0 and ((before := self.budget.clock()) < until or self.budget.seconds is None):
            self.trials.practise(min(deals, left))
            left, deals = left - deals, self.more(deals, before)

    def run(self) -> Tried:
        """Return the best move, by sequential halving.

        All moves share the first part of the playouts equally. The better half shares the next part, and so on.
        Source: Karnin, Koren and Somekh 2013.
        """
        running = self.tried[:]
        stages = max(1, ceil(log2(len(running))))
        for stage in range(1, stages + 1) if len(running) > 1 else ():
            self.try_out(running, stage / stages)
            ranked = best(running, self.scale)
            self.tried[: len(ranked)] = ranked
            running = ranked[: max(2, (len(running) + 1) // 2)]
        self.tried = fitting(self.tried, self.scale)
        return self.tried[0]

    def try_out(self, running: list[Tried], share: float) -> None:
        """Play until this share of the budget is used. If there was no playout yet, play each move once in any case."""
        rounds = 1
        while not self.played or (left := self.rounds_left(share, len(running))) > 0:
            rounds = min(rounds, left) if self.played else 1
            before, moves = self.budget.clock(), [tried.index for tried in running]
            played = self.trials.run(moves, [self.place[index] for index in moves], rounds)
            self.played += rounds * len(running)
            self.count()
            if not played and not any(tried.games for tried in running):
                return
            rounds = self.more(rounds, before)

    def more(self, count: int, begun: float) -> int:
        """Return the size of the next batch: up to double the previous size, within the time limit.

        begun: the start of the previous batch.
        """
        now = self.budget.clock()
        most = MOST_AT_ONCE
        if self.budget.seconds is not None:
            most = min(most, self.begun + self.budget.seconds - now)
        return max(1, min(2 * count, int(count * most / max(now - begun, 1e-6))))

    def rounds_left(self, share: float, moves: int) -> int:
        """Return the number of samples that the next batches may play, with one playout for each move."""
        left = 1 << 20
        if self.budget.playouts is not None:
            left = (int(share * self.budget.playouts * len(self.tried)) - self.played) // moves
        if self.budget.seconds is not None:
            whole = self.begun + self.budget.seconds - self.ready
            return left if self.budget.clock() - self.ready < share * whole else 0
        return left

    def count(self) -> None:
        """Copy the results from the engine."""
        rows, self.scale.ahead, self.scale.gain = self.trials.counted(len(self.tried))
        for tried in self.tried:
            (
                games,
                tried.first,
                tried.place,
                tried.gain,
                ended,
                tried.placed,
                tried.led,
                tried.leads,
                tried.squares,
                tried.lost,
            ) = rows[self.place[tried.index]]
            tried.games, tried.ended = int(games), int(ended)


EAGER = 1.0
"""Exploration constant of the tree search, in standard deviations of the rewards."""


class TreeSearch(NativeSearch):
    """Information-set Monte Carlo tree search. Moves with better results are tried more often, for each player."""

    def run(self) -> Tried:
        if len(self.tried) == 1:
            return self.tried[0]
        moves, games = [tried.index for tried in self.tried], 16
        self.trials.run(moves, range(len(moves)), 1)
        self.played = len(moves)
        self.trials.plant()
        while (left := self.rounds_left(1.0, 1)) > 0:
            before = self.budget.clock()
            self.trials.grow(moves, min(games, left), EAGER)
            self.played += min(games, left)
            games = self.more(games, before)
        self.count()
        ranked = sorted(self.tried, key=lambda tried: (-tried.games, -tried.worth(self.scale), tried.index))
        self.tried = fitting(ranked, self.scale)
        return self.tried[0]
