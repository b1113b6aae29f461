"""Search by playouts: play sampled matches on after each candidate move, and drop weak moves early."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import prod
from random import Random
from typing import Protocol

from attrs import define

from interpreter.chance import draws
from interpreter.errors import RuleError
from interpreter.matches.match import Match
from interpreter.players.betting import Betting
from interpreter.players.candidates import candidates, have_amounts, may_stake
from interpreter.players.careful import Careful
from interpreter.players.conclusions import Made, Onlooker
from interpreter.players.habits import Habits
from interpreter.players.marks import telling
from interpreter.players.outcomes import (
    Scale,
    Tried,
    best,
    fitting,
    lead,
    levels,
    lives_left,
    mark_breaks,
    outcome,
    weigh_costs,
)  # fmt: skip
from interpreter.players.prospects import Prospect, mark_unfit, part_won, prospect_of, rounds_of
from interpreter.players.ranges import Supposed, suppose
from interpreter.program import Program
from interpreter.readings import shows_split
from interpreter.stakes import POT, PRICE
from interpreter.state import Chance, State

WIDEST = 24
"""Maximum number of moves to try."""
FARTHEST = 400
"""Number of decisions after which a playout is scored."""
COMPARED = 4
"""Number of samples to weigh against each other for each one that is played."""
TRUSTED = 32
"""Maximum weight of learned habits for a move, in playouts."""
TURNS = 3
"""Number of rounds after which a playout is scored in cooperative games, and in games that score cards left in hand.

The gains of a move are visible by then. Later, all moves come to similar results.
"""
PRACTISED = 20_000
"""Maximum number of practice deals."""
FIRST = 4
"""Number of playouts of each move before the worse half is dropped, if time is the limit."""

Clock = Callable[[], float]


@define
class Budget:
    """Limits of a decision. At least one of them is set.

    playouts: the number of playouts for each move to try, on average; None: no limit.
    seconds: measured by `clock`; None: no limit.
    """

    playouts: int | None
    seconds: float | None
    clock: Clock


def deals_to_practise(budget: Budget, moves: int) -> int:
    """Return the number of practice deals before a decision: half the number of playouts."""
    return PRACTISED if budget.playouts is None else budget.playouts * moves // 2


class Counsel(Protocol):
    """Result of a search.

    tried: the moves with their results; after `run`, best first.
    scale: the scale for the values of moves.
    prospect: the outlook of the hand, if the decision is a bet.
    """

    tried: list[Tried]
    scale: Scale
    prospect: Prospect | None

    def run(self) -> Tried:
        """Return the best move."""

    def sample(self) -> State | None:
        """Return a sampled match; None if there is none."""


def farthest(program: Program, horizon: int) -> int:
    """Return the number of decisions after which a playout of this game is scored."""
    soon = (program.shared and program.players > 1) or shows_split(program.game)
    return min(horizon, TURNS * program.players) if soon else horizon


class Search:
    """Search for one decision of one player, in Python.

    tried: the moves with their results; after `run`, best first.
    scale: the scale for the values of moves.
    """

    def __init__(
        self, match: Match, random: Random, onlooker: Onlooker, habits: Habits, budget: Budget,
        most: int = WIDEST, horizon: int = FARTHEST, bluffs: bool = True,
    ) -> None:  # fmt: skip
        assert match.decision is not None
        self.match, self.random, self.budget = match, random, budget
        self.program: Program = match.program
        self.seat = match.decision.seat
        self.horizon = farthest(match.program, horizon)
        self.begun = 0.0 if budget.seconds is None else budget.clock()
        self.until = None if budget.seconds is None else self.begun + budget.seconds
        self.onlooker, self.habits = onlooker, habits
        onlooker.follow(match)
        self.tried = [Tried(index) for index in telling(match, candidates(match.program, match.state, most, random))]
        mark_breaks(self.program, match.state, self.tried)
        amounts = have_amounts(self.program, match.state)
        self.scale = Scale(self.program.shared, shows_split(self.program.game), amounts)
        self.careful = Careful(match.names, random) if self.program.shared else None
        self.before: list[float] = []
        """Level of each player at the start of the current sample."""
        self.lives = 0.0
        """Shared lives left in the current sample."""
        self.begun_at: int | Chance = 0
        """Random state at the start of the playout."""
        self.chosen: list[tuple[Made, object]] = []
        self.done: object = None
        """Class of the last option taken."""
        self.habits.staying = False
        self.supposed: Supposed | None = None
        self.prospect: Prospect | None = None
        self.bluffs = bluffs
        self.look_back()

    def run(self) -> Tried:
        """Return the best move.

        Moves that do worse after a few playouts are dropped, so that most playouts compare the closest moves.
        """
        running = self.tried[:]
        if len(running) == 1:
            return running[0]
        self.practise()
        self.compare()
        left = None if self.budget.playouts is None else self.budget.playouts * len(running)
        stage = FIRST if self.budget.playouts is None else max(1, self.budget.playouts // 2)
        while not self.late() and (left is None or left >= len(running)):
            self.all_in(self.likely_world(), running)
            left = None if left is None else left - len(running)
            if running[0].games >= stage and len(running) > 2:
                ranked = best(running, self.scale)
                running = ranked[: max(2, (len(running) + 1) // 2)]
                self.tried[: len(ranked)] = ranked
                stage *= 2
        self.tried[: len(running)] = best(running, self.scale)
        self.tried = fitting(self.tried, self.scale)
        return self.tried[0]

    def sample(self) -> State | None:
        return self.likely_world()

    def practise(self) -> None:
        """Learn habits from the first deals of random matches, in games that grade hands.

        Practice comes before the search, so that habits reflect all hands equally.
        """
        deals, until = deals_to_practise(self.budget, len(self.tried)), self.begun + (self.budget.seconds or 0) / 3
        while self.habits.shown is not None and deals > 0 and self.habits.practised < PRACTISED:
            if self.budget.seconds is not None and self.budget.clock() >= until:
                return
            deals, self.habits.practised = deals - 1, self.habits.practised + 1
            with suppress(RuleError):
                state = self.program.start(self.random.getrandbits(60))
                self.before = levels(self.program, state)
                self.habits.begin(None)
                self.play_out(state)

    def compare(self) -> None:
        """Weigh samples by the moves of others in betting games, and grade the hand among the hands they may have.

        So a player who has bet with a good hand continues with it.
        """
        betting = self.habits.betting
        if betting is None:
            return
        is_bet = betting.is_bet(self.program.site(self.match.state))
        self.habits.staying = not is_bet and self.has_hand()
        if not (is_bet or self.chosen):
            return
        self.supposed = suppose(self.onlooker, self.match, self.habits, self.random)
        if is_bet:
            self.habits.compare(self.supposed.worlds, self.seat)
            self.look_ahead(betting)

    def has_hand(self) -> bool:
        """Return whether the player has cards that count.

        If such a player makes a decision that is not a bet, all players stay in during playouts. Then the value of the
        hand counts, not the bets of others.
        """
        reading = self.habits.reading(self.match.state, self.seat)
        return reading is not None and len(reading.cards) > 0

    def look_ahead(self, betting: Betting) -> None:
        """Estimate the share of the pot that the hand wins if all stay in, and mark moves that do not suit it."""
        rounds = rounds_of(self.bluffs)
        if self.bluffs and self.budget.playouts is not None:
            rounds = min(rounds, 4 * self.budget.playouts)
        until = self.begun + (self.budget.seconds or 0) / 2
        won, played, winnable = 0.0, 0, betting.winnable(self.match.state)
        self.habits.staying = True
        for _ in range(rounds if winnable > 0 else 0):
            if self.until is not None and self.budget.clock() >= until:
                break
            with suppress(RuleError):  # skip a sample in which a rule fails
                part = self.won_by_staying(betting, self.likely_world())
                if self.late():  # do not count an unfinished playout
                    break
                won, played = won + part, played + 1
        self.habits.staying = False
        if played:
            self.prospect = prospect_of(self.program, self.likely_world(), won / played, played)
            mark_unfit(self.match, self.tried, self.prospect, self.bluffs)

    def won_by_staying(self, betting: Betting, world: State) -> float:
        """Return the share of the pot won in one playout without folds. Raise `RuleError` if a rule fails."""
        price, winnable = max(betting.number(PRICE, world), 0), betting.winnable(world)
        self.before = levels(self.program, world)
        self.habits.begin(self.done)
        self.play_out(world)
        gain = levels(self.program, world)[self.seat] - self.before[self.seat]
        return part_won(gain + price, winnable + price, betting.number(POT, world) if world.who >= 0 else 0)

    def look_back(self) -> None:
        """Collect the options that were taken openly, each with the class of the option before it."""
        names, now, graded = self.match.names, self.match.state, self.habits.shown is not None
        for made in self.onlooker.made:
            site = self.program.site(made.before)
            own = made.before.who == self.seat
            if site.options and (own or self.onlooker.is_open(names, made, now)):
                if graded and self.onlooker.shows_hand(names, made, now):
                    self.chosen.append((made, self.done))
                self.done = self.habits.class_of(site, made.code)

    def expect(self, world: State) -> None:
        """Set the prior of each move from the habits of earlier playouts."""
        ahead = lead(self.before, self.seat, self.program.shared)
        for tried in self.tried:
            record = self.habits.record(world, world.legal[tried.index], self.done)
            if record is not None and record.games and not self.habits.staying:
                tried.expected, tried.spread = ahead + record.mean, record.spread
                tried.trust = min(record.games, TRUSTED)

    def likely_world(self) -> State:
        """Return one of several samples, drawn by the likelihood of the other players' moves."""
        if self.supposed is not None:
            return self.supposed.draw(self.program, self.random)
        worlds, weights = [], []
        for _ in range(COMPARED if self.chosen and self.careful is None else 1):
            worlds.append(self.onlooker.sample(self.match, self.random.getrandbits(63)))
            pasts = ((self.onlooker.past(self.match.names, made), made.code, before) for made, before in self.chosen)
            weights.append(prod(self.habits.likelihood(*past) for past in pasts))
        return self.random.choices(worlds, weights)[0]

    def all_in(self, world: State, moves: list[Tried]) -> None:
        """Play each of some moves in one sample.

        If the time is over before all are played, discard the results, unless no move has any yet.
        """
        self.before, ends = levels(self.program, world), []
        self.lives = lives_left(self.program, world)
        if not moves[0].games and not moves[0].trust:
            self.expect(world)
            if may_stake(self.program, world):
                weigh_costs(self.program, world, moves)
            for move in moves if self.careful is not None else ():
                self.begin_noting().weigh(world, move)
        for move in moves:
            state = self.played_on(world, move.index)
            if self.late() and moves[0].games:
                return
            ends.append(state)
        for move, state in zip(moves, ends, strict=True):
            self.count(move, state)

    def count(self, move: Tried, state: State) -> None:
        try:
            found = outcome(self.program, state, self.seat, self.before, self.judged(state), self.lives)
        except RuleError:
            return
        self.scale.see(found)
        move.add(found)

    def played_on(self, world: State, index: int) -> State:
        """Return the state at the end of a playout: after the match, the deal, the horizon or the time limit."""
        state, habits = self.program.clone(world), self.habits
        code, site = state.legal[index], self.program.site(state)
        if self.careful is not None:
            self.begin_noting()
        habits.begin(habits.class_of(site, code) if site.options else self.done)
        with suppress(RuleError):  # a sample may be impossible by the rules: score its current state
            self.play_out(state, code)
        return state

    def play_out(self, state: State, code: int | None = None) -> None:
        """Play until the end of the match, the next deal, the horizon or the time limit. Then update the habits.

        code: the first move, if it is fixed. Raise `RuleError` if a rule fails.
        """
        self.begun_at = state.rng
        apply = self.careful.apply if self.careful is not None else self.program.apply
        if code is not None:
            apply(state, code)
        for _ in range(self.horizon):
            if state.who < 0 or self.late():
                break
            if not self.is_same_deal(state) and levels(self.program, state) != self.before:
                break
            apply(state, self.next_move(state))
        if not self.late() and not self.habits.staying:
            self.habits.learn(self.judged(state))

    def is_same_deal(self, state: State) -> bool:
        return draws(self.begun_at, state.rng) < len(self.program.face) // 2

    def judged(self, state: State) -> list[float]:
        """Return the level of each player at the end of a playout.

        In the middle of a deal, subtract half of the cost of the cards that the best split leaves. Raise `RuleError` if
        a rule fails.
        """
        now = levels(self.program, state)
        if self.scale.split and state.who >= 0 and self.is_same_deal(state):
            for seat, reading in enumerate(self.habits.reading(state, seat) for seat in range(len(now))):
                now[seat] += reading.strength[0] / 2 if reading is not None else 0
        return now

    def next_move(self, state: State) -> int:
        """Return the code of a move in a playout."""
        if self.careful is not None and len(state.legal) > 1:
            sure = self.careful.sure(state)
            if sure is not None:
                return sure
            self.careful.leave_out_gambles(state)
        return self.habits.pick(state)

    def begin_noting(self) -> Careful:
        """Return the cooperative policy, with the public knowledge from marks about the cards of the last sample."""
        assert self.careful is not None
        renaming = self.onlooker.renaming
        self.careful.may = {renaming[place] if renaming else place: faces for place, faces in self.onlooker.may.items()}
        return self.careful

    def late(self) -> bool:
        return self.until is not None and self.budget.clock() >= self.until
