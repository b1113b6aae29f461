"""Trying out moves: matches that could be the real one are played on after each of them, as far as there is time."""

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
"""So many moves are tried at most."""
FARTHEST = 400
"""A trial game is judged as it stands after so many decisions."""
COMPARED = 4
"""So many samples are weighed against each other for each that is played on."""
TRUSTED = 32
"""What earlier trial games tell of moves like one of these counts as so many of its own, at most."""
TURNS = 3
"""Where all play together, or what is left in hands counts, a trial game is judged after so many turns of everybody:
what moves bring is seen by then, and later all of them come to much the same."""
PRACTISED = 20_000
"""So many deals are played for practice, at most."""
FIRST = 4
"""Where time decides, so many trial games are played of each move before the worse half is left out."""

Clock = Callable[[], float]


@define
class Budget:
    """How long a decision may take. `playouts`: trial games, times the moves to try; None: as many as there is time
    for. `seconds`: by `clock`; None: as long as it takes. One of them is a number."""

    playouts: int | None
    seconds: float | None
    clock: Clock


def deals_to_practise(budget: Budget, moves: int) -> int:
    """Before a decision between so many moves: half as many as trial games."""
    return PRACTISED if budget.playouts is None else budget.playouts * moves // 2


class Counsel(Protocol):
    """What trial games tell of a decision. `tried`: the moves tried, with what came of it, after `run` the best first;
    `scale`: what their worth is measured by; `prospect`: of the hand, where a bet is decided about."""

    tried: list[Tried]
    scale: Scale
    prospect: Prospect | None

    def run(self) -> Tried:
        """The best move."""

    def sample(self) -> State | None:
        """A match that could be the real one; None if none is found."""


def farthest(program: Program, horizon: int) -> int:
    """A trial game goes on for so many decisions."""
    soon = (program.shared and program.players > 1) or shows_split(program.game)
    return min(horizon, TURNS * program.players) if soon else horizon


class Search:
    """One decision of one player. `tried`: the moves tried, with what came of it, after `run` the best first;
    `scale`: what their worth is measured by."""

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
        """How high everybody stands, in the sample that is played on."""
        self.lives = 0.0
        """What is left of everybody's, there."""
        self.begun_at: int | Chance = 0
        """Where chance stood as the trial game began."""
        self.chosen: list[tuple[Made, object]] = []
        self.done: object = None
        """The class of the option that was taken last."""
        self.habits.staying = False
        self.supposed: Supposed | None = None
        self.prospect: Prospect | None = None
        self.bluffs = bluffs
        self.look_back()

    def run(self) -> Tried:
        """The best move. What is worse after a few trial games is tried no further, so that most go to those between
        which it is hard to choose."""
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
        """Where hands are graded habits are learnt from all hands alike, before they are asked for: plays first deals
        of other matches."""
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
        """Where players bet, supposes what others may hold after what they have done; where bets are decided about,
        hands are compared with all that the others could hold: who has bet with a good one goes on with it."""
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
        """Whether cards that count are held. Where something else than a bet is decided about them, all stay in in the
        trial games: what the hand is worth counts, and not how others bet on theirs."""
        reading = self.habits.reading(self.match.state, self.seat)
        return reading is not None and len(reading.cards) > 0

    def look_ahead(self, betting: Betting) -> None:
        """Finds what the hand brings if everybody stays in, and which moves suit that."""
        rounds = rounds_of(self.bluffs)
        if self.bluffs and self.budget.playouts is not None:
            rounds = min(rounds, 4 * self.budget.playouts)
        until = self.begun + (self.budget.seconds or 0) / 2
        won, played, winnable = 0.0, 0, betting.winnable(self.match.state)
        self.habits.staying = True
        for _ in range(rounds if winnable > 0 else 0):
            if self.until is not None and self.budget.clock() >= until:
                break
            with suppress(RuleError):  # a sample in which a rule is at fault is no loss
                part = self.won_by_staying(betting, self.likely_world())
                if self.late():  # nor is one that is not played to its end
                    break
                won, played = won + part, played + 1
        self.habits.staying = False
        if played:
            self.prospect = prospect_of(self.program, self.likely_world(), won / played, played)
            mark_unfit(self.match, self.tried, self.prospect, self.bluffs)

    def won_by_staying(self, betting: Betting, world: State) -> float:
        """Of what can be won. Raises RuleError."""
        price, winnable = max(betting.number(PRICE, world), 0), betting.winnable(world)
        self.before = levels(self.program, world)
        self.habits.begin(self.done)
        self.play_out(world)
        gain = levels(self.program, world)[self.seat] - self.before[self.seat]
        return part_won(gain + price, winnable + price, betting.number(POT, world) if world.who >= 0 else 0)

    def look_back(self) -> None:
        """Finds the options that others took in the open, with what had been done before each."""
        names, now, graded = self.match.names, self.match.state, self.habits.shown is not None
        for made in self.onlooker.made:
            site = self.program.site(made.before)
            own = made.before.who == self.seat
            if site.options and (own or self.onlooker.is_open(names, made, now)):
                if graded and self.onlooker.shows_hand(names, made, now):
                    self.chosen.append((made, self.done))
                self.done = self.habits.class_of(site, made.code)

    def expect(self, world: State) -> None:
        """Takes over what earlier trial games tell of moves like these."""
        ahead = lead(self.before, self.seat, self.program.shared)
        for tried in self.tried:
            record = self.habits.record(world, world.legal[tried.index], self.done)
            if record is not None and record.games and not self.habits.staying:
                tried.expected, tried.spread = ahead + record.mean, record.spread
                tried.trust = min(record.games, TRUSTED)

    def likely_world(self) -> State:
        """Of some matches that could be the real one, each as likely as what others did would be in it."""
        if self.supposed is not None:
            return self.supposed.draw(self.program, self.random)
        worlds, weights = [], []
        for _ in range(COMPARED if self.chosen and self.careful is None else 1):
            worlds.append(self.onlooker.sample(self.match, self.random.getrandbits(63)))
            pasts = ((self.onlooker.past(self.match.names, made), made.code, before) for made, before in self.chosen)
            weights.append(prod(self.habits.likelihood(*past) for past in pasts))
        return self.random.choices(worlds, weights)[0]

    def all_in(self, world: State, moves: list[Tried]) -> None:
        """Tries each of some moves in a match that could be the real one; counts none if time ends before all are
        tried, unless no move has been tried at all."""
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
        """A trial game to the end of the match, the next deal or the horizon, or as far as there is time."""
        state, habits = self.program.clone(world), self.habits
        code, site = state.legal[index], self.program.site(state)
        if self.careful is not None:
            self.begin_noting()
        habits.begin(habits.class_of(site, code) if site.options else self.done)
        with suppress(RuleError):  # what is only supposed can be impossible: judged as it stands
            self.play_out(state, code)
        return state

    def play_out(self, state: State, code: int | None = None) -> None:
        """`code`: the first move, if it is not open which. Raises RuleError."""
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
        """How high everybody stands where a trial game ends; amid a deal less half of what the best split of their
        cards leaves. Raises RuleError."""
        now = levels(self.program, state)
        if self.scale.split and state.who >= 0 and self.is_same_deal(state):
            for seat, reading in enumerate(self.habits.reading(state, seat) for seat in range(len(now))):
                now[seat] += reading.strength[0] / 2 if reading is not None else 0
        return now

    def next_move(self, state: State) -> int:
        """The code of a move in a trial game."""
        if self.careful is not None and len(state.legal) > 1:
            sure = self.careful.sure(state)
            if sure is not None:
                return sure
            self.careful.leave_out_gambles(state)
        return self.habits.pick(state)

    def begin_noting(self) -> Careful:
        """With what everybody knows of the cards of the last sample."""
        assert self.careful is not None
        renaming = self.onlooker.renaming
        self.careful.may = {renaming[place] if renaming else place: faces for place, faces in self.onlooker.may.items()}
        return self.careful

    def late(self) -> bool:
        return self.until is not None and self.budget.clock() >= self.until
