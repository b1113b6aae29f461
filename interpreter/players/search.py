"""Trying out moves: matches that could be the real one are played on after each of them, as far as there is time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import define

from interpreter.chance import draws
from interpreter.errors import RuleError
from interpreter.matches.match import Match
from interpreter.players.candidates import candidates
from interpreter.players.conclusions import Onlooker
from interpreter.players.outcomes import Scale, Tried, best, levels, outcome
from interpreter.program import Program
from interpreter.state import State

WIDEST = 24
"""So many moves are tried at most."""
FARTHEST = 400
"""A trial game is judged as it stands after so many decisions."""
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


class Search:
    """One decision of one player. `tried`: the moves tried, with what came of it, after `run` the
    best first; `scale`: what their worth is
    measured by."""

    def __init__(
        self, match: Match, random: Random, onlooker: Onlooker, budget: Budget,
        most: int = WIDEST, horizon: int = FARTHEST,
    ) -> None:  # fmt: skip
        assert match.decision is not None
        self.match, self.random, self.budget, self.horizon = match, random, budget, horizon
        self.program: Program = match.program
        self.seat = match.decision.seat
        self.until = None if budget.seconds is None else budget.clock() + budget.seconds
        self.onlooker = onlooker
        onlooker.follow(match)
        self.tried = [Tried(index) for index in candidates(match.program, match.state, most, random)]
        self.scale = Scale()
        self.before = levels(match.program, match.state)

    def run(self) -> Tried:
        """The best move. What is worse after a few trial games is tried no further, so that most go to those between
        which it is hard to choose."""
        running = self.tried[:]
        if len(running) == 1:
            return running[0]
        left = None if self.budget.playouts is None else self.budget.playouts * len(running)
        stage = FIRST if self.budget.playouts is None else max(1, self.budget.playouts // 2)
        while not self.late() and (left is None or left >= len(running)):
            world = self.onlooker.sample(self.match, self.random.getrandbits(63))
            self.all_in(world, running)
            left = None if left is None else left - len(running)
            if running[0].games >= stage and len(running) > 2:
                ranked = best(running, self.scale)
                running = ranked[: max(2, (len(running) + 1) // 2)]
                self.tried[: len(ranked)] = ranked
                stage *= 2
        self.tried[: len(running)] = best(running, self.scale)
        return self.tried[0]

    def all_in(self, world: State, moves: list[Tried]) -> None:
        """Tries each of some moves in a match that could be the real one; counts none if time ends before all are
        tried, unless no move has been tried at all."""
        ends = []
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
        begun, half = state.rng, len(program.face) // 2
        try:
            program.apply(state, state.legal[index])
            for _ in range(self.horizon):
                if state.who < 0 or self.late():
                    break
                if state.rng != begun and draws(begun, state.rng) >= half and levels(program, state) != self.before:
                    break
                program.apply(state, self.pick(state))
        except RuleError:
            pass  # what is only supposed can be impossible: judged as it stands
        return state

    def pick(self, state: State) -> int:
        """A code in a trial game: each option is equally likely, then each way to take it, so that bets are not the
        rule only because there are many amounts."""
        legal, random = state.legal, self.random.random
        count = len(self.program.site(state).options)
        if count < 2 or len(legal) < 3:
            return legal[int(random() * len(legal))]
        options: dict[int, list[int]] = {}
        for code in legal:
            options.setdefault(code and (code - 1) % count + 1, []).append(code)
        ways = list(options.values())
        codes = ways[int(random() * len(ways))]
        return codes[int(random() * len(codes))]

    def late(self) -> bool:
        return self.until is not None and self.budget.clock() >= self.until
