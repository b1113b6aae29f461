"""Counterfactual regret minimisation, CFR+ (Tammelin, "Solving large imperfect information games using CFR+", 2014), on
the sequence form of a game for two players."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from interpreter.solving.tree import InformationState, Side, Tree

LEAST = 1e-3
"""What is less likely than this is as good as never."""
Plan = list[float]
"""By sequence of a player, how likely its moves are all made, as far as this player decides."""


@frozen
class Solution:
    """Strategies that are nearly best. `plans`: by player; `last`: by player and sequence how likely that move was in
    the last iteration, at its information state; `value`: what the first gains if both play by their plans; `best`: by
    player, what the best answer to the other's plan gains."""

    tree: Tree
    plans: tuple[Plan, Plan]
    last: tuple[list[float], list[float]]
    value: float
    best: tuple[float, float]
    iterations: int

    @property
    def exploitability(self) -> float:
        """What a player gains on average by knowing the other's strategy: half of what both best answers gain together,
        beyond what there is to share. 0: nobody can do better."""
        return (self.best[0] + self.best[1] - self.tree.total) / 2


class Solver:
    """`step` makes the strategies better, as often as is liked; `solution` tells how good they are."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.learners = (Learner(tree.sides[0]), Learner(tree.sides[1]))
        self.ends = [(first, second, gain) for (first, second), gain in tree.payoffs.items()]
        self.iterations = 0

    def step(self) -> None:
        """One iteration: each player in turn learns what its moves would have been worth against the other."""
        self.iterations += 1
        for seat in (0, 1):
            own, other = self.learners[seat], self.learners[1 - seat]
            own.learn(self.worth(seat, other.plan))
            own.add(self.iterations)

    def worth(self, seat: int, other: Plan) -> list[float]:
        """By sequence of a player, what the ends that it leads to gain, against a plan of the other."""
        found = [0.0] * self.tree.sides[seat].sequences
        if seat == 0:
            for first, second, gain in self.ends:
                found[first] += gain * other[second]
        else:
            for first, second, gain in self.ends:
                found[second] -= gain * other[first]
        return found

    def solution(self) -> Solution:
        one, other = self.learners
        plans, last = (one.average(), other.average()), (one.strategy.copy(), other.strategy.copy())
        value = sum(gain * plans[0][first] * plans[1][second] for first, second, gain in self.ends)
        first = best_answer(self.tree.sides[0], self.worth(0, plans[1]))
        second = best_answer(self.tree.sides[1], self.worth(1, plans[0])) + self.tree.total
        return Solution(self.tree, plans, last, value, (first, second), self.iterations)


class Learner:
    """A player who learns. `regrets`: by sequence, what has been missed by not making that move, never below 0; `sums`:
    the plans so far, added up, later ones with more weight."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.shape = [(state.parent, state.first, state.first + len(state.moves)) for state in side.states]
        self.regrets = [0.0] * side.sequences
        self.sums = [0.0] * side.sequences
        self.strategy = [1.0] * side.sequences
        for _, start, stop in self.shape:
            self.strategy[start:stop] = [1 / (stop - start)] * (stop - start)
        self.plan = self.planned()

    def planned(self) -> Plan:
        """The plan of the strategy."""
        plan, strategy = [1.0] * self.side.sequences, self.strategy
        for parent, start, stop in self.shape:
            reach = plan[parent]
            for sequence in range(start, stop):
                plan[sequence] = reach * strategy[sequence]
        return plan

    def learn(self, worth: list[float]) -> None:
        """From what each sequence is worth by itself, from the last information state to the first."""
        regrets, strategy = self.regrets, self.strategy
        for parent, start, stop in reversed(self.shape):
            gained = sum(strategy[each] * worth[each] for each in range(start, stop))
            worth[parent] += gained
            total = 0.0
            for each in range(start, stop):
                regret = regrets[each] + worth[each] - gained
                regrets[each] = regret = regret if regret > 0 else 0.0
                total += regret
            for each in range(start, stop):
                strategy[each] = regrets[each] / total if total > 0 else 1 / (stop - start)
        self.plan = self.planned()

    def add(self, weight: int) -> None:
        self.sums = [before + weight * now for before, now in zip(self.sums, self.plan, strict=True)]

    def average(self) -> Plan:
        """All plans so far in one."""
        return [each / self.sums[0] for each in self.sums] if self.sums[0] else self.plan


def best_answer(side: Side, worth: list[float]) -> float:
    """What the best moves gain, where sequences are worth so much by themselves."""
    for state in reversed(side.states):
        worth[state.parent] += max(worth[state.first : state.first + len(state.moves)])
    return worth[0]


def probabilities(solution: Solution, seat: int, state: InformationState) -> Sequence[float]:
    """Of the moves of an information state of a player. Where its own plan never leads, those of the last iteration."""
    own = slice(state.first, state.first + len(state.moves))
    shares = solution.plans[seat][own]
    if not is_reached(solution, seat, state):
        return solution.last[seat][own]
    return [share / sum(shares) for share in shares]


def is_reached(solution: Solution, seat: int, state: InformationState) -> bool:
    """Whether a player's own moves lead to an information state, as often as it matters."""
    return solution.plans[seat][state.parent] > LEAST


def solved(tree: Tree, until: float, most: int, progress: Callable[[Solution], None] | None = None) -> Solution:
    """Strategies with an exploitability of at most `until`, or those after `most` iterations. `progress` is handed
    what there is on the way."""
    solver, pause = Solver(tree), 1
    while True:
        for _ in range(min(pause, most - solver.iterations)):
            solver.step()
        found = solver.solution()
        if found.exploitability <= until or solver.iterations >= most:
            return found
        if progress is not None:
            progress(found)
        pause = max(10, solver.iterations // 10)
