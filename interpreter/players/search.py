"""Trying out moves: matches that could be the real one are played on after each of them, as far as there is time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from attrs import define

from interpreter.chance import draws
from interpreter.errors import RuleError
from interpreter.matches.match import Match
from interpreter.players.candidates import candidates
from interpreter.players.careful import Careful
from interpreter.players.conclusions import Made, Onlooker
from interpreter.players.habits import Habits
from interpreter.players.outcomes import Scale, Tried, best, lead, levels, outcome
from interpreter.program import Program
from interpreter.state import State

WIDEST = 24
"""So many moves are tried at most."""
FARTHEST = 400
"""A trial game is judged as it stands after so many decisions."""
COMPARED = 4
"""So many samples are weighed against each other for each that is played on."""
TRUSTED = 32
"""What earlier trial games tell of moves like one of these counts as so many of its own, at most."""
TOGETHER = 3
"""Where all play together a trial game is judged after so many turns of everybody: what moves bring is seen by
then, and later all of them come to much the same."""
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


class Counsel(Protocol):
    """What trial games tell of a decision. `tried`: the moves tried, with what came of it, after `run` the best first;
    `scale`: what their worth is measured by."""

    tried: list[Tried]
    scale: Scale

    def run(self) -> Tried:
        """The best move."""


def farthest(program: Program, horizon: int) -> int:
    """A trial game goes on for so many decisions."""
    return min(horizon, TOGETHER * program.players) if program.shared and program.players > 1 else horizon


class Search:
    """One decision of one player. `tried`: the moves tried, with what came of it, after `run` the best first;
    `scale`: what their worth is measured by."""

    def __init__(
        self, match: Match, random: Random, onlooker: Onlooker, habits: Habits, budget: Budget,
        most: int = WIDEST, horizon: int = FARTHEST,
    ) -> None:  # fmt: skip
        assert match.decision is not None
        self.match, self.random, self.budget = match, random, budget
        self.program: Program = match.program
        self.seat = match.decision.seat
        self.horizon = farthest(match.program, horizon)
        self.until = None if budget.seconds is None else budget.clock() + budget.seconds
        self.onlooker, self.habits = onlooker, habits
        onlooker.follow(match)
        self.tried = [Tried(index) for index in candidates(match.program, match.state, most, random)]
        self.scale = Scale(shared=self.program.shared)
        self.careful = Careful(match.names, random) if self.program.shared else None
        self.before: list[float] = []
        """How high everybody stands, in the sample that is played on."""
        self.chosen: list[tuple[Made, object]] = []
        self.done: object = None
        """The class of the option that was taken last."""
        self.look_back()

    def run(self) -> Tried:
        """The best move. What is worse after a few trial games is tried no further, so that most go to those between
        which it is hard to choose."""
        running = self.tried[:]
        if len(running) == 1:
            return running[0]
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
        return self.tried[0]

    def look_back(self) -> None:
        """Finds the options that others took in the open, with what had been done before each."""
        told, names, now = {id(made) for made in self.onlooker.open}, self.match.names, self.match.state
        for made in self.onlooker.made:
            site = self.program.site(made.before)
            own = made.before.who == self.seat
            if site.options and (own or self.onlooker.is_open(names, made, now)):
                if id(made) in told and self.habits.shown is not None:
                    self.chosen.append((made, self.done))
                self.done = self.habits.class_of(site, made.code)

    def expect(self, world: State) -> None:
        """Takes over what earlier trial games tell of moves like these."""
        ahead = lead(self.before, self.seat, self.program.shared)
        for tried in self.tried:
            record = self.habits.record(world, world.legal[tried.index], self.done)
            if record is not None and record.games:
                tried.expected, tried.spread = ahead + record.mean, record.spread
                tried.trust = min(record.games, TRUSTED)

    def likely_world(self) -> State:
        """Of a few matches that could be the real one, each as likely as what others did would be in it."""
        worlds, weights = [], []
        for _ in range(COMPARED if self.chosen and self.careful is None else 1):
            worlds.append(self.onlooker.sample(self.match, self.random.getrandbits(63)))
            moves = [(self.onlooker.past(self.match.names, made), made.code, before) for made, before in self.chosen]
            weights.append(self.habits.likelihood(moves) if moves else 1.0)
        return self.random.choices(worlds, weights)[0]

    def all_in(self, world: State, moves: list[Tried]) -> None:
        """Tries each of some moves in a match that could be the real one; counts none if time ends before all are
        tried, unless no move has been tried at all."""
        self.before, ends = levels(self.program, world), []
        if not moves[0].games and not moves[0].trust:
            self.expect(world)
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
            found = outcome(self.program, state, self.seat, self.before)
        except RuleError:
            return
        self.scale.see(found)
        move.add(found)

    def played_on(self, world: State, index: int) -> State:
        """A trial game to the end of the match, the next deal or the horizon, or as far as there is time."""
        program = self.program
        state = program.clone(world)
        begun, half, habits = state.rng, len(program.face) // 2, self.habits
        code, site = state.legal[index], program.site(state)
        apply = self.begin_noting().apply if self.careful is not None else program.apply
        habits.begin(habits.class_of(site, code) if site.options else self.done)
        try:
            apply(state, code)
            for _ in range(self.horizon):
                if state.who < 0 or self.late():
                    break
                if state.rng != begun and draws(begun, state.rng) >= half and levels(program, state) != self.before:
                    break
                apply(state, self.next_move(state))
            if not self.late():
                habits.learn(state)
        except RuleError:
            pass  # what is only supposed can be impossible: judged as it stands
        return state

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
