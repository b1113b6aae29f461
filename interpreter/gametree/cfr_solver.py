"""Solver of two-player games by counterfactual regret minimization (CFR+).

Source: Tammelin, "Solving large imperfect information games using CFR+", 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from interpreter.gametree.sequence_form import InformationState, PlayerSequences, SequenceForm

MIN_REACH_PROBABILITY = 1e-3
"""Reach probability up to which an information state counts as unreached."""
RealizationPlan = list[float]
"""Realization plan of a player: by sequence, the product of the player's own move probabilities along it."""


@frozen
class Solution:
    """Near-optimal strategies for both players.

    plans: by player, the average strategy as a realization plan.
    last_strategies: by player and sequence, the probability of the move at its information state in the last iteration.
    value: the first player's gain if both follow their plans.
    best_response_values: by player, the gain of a best response to the other player's plan.
    """

    tree: SequenceForm
    plans: tuple[RealizationPlan, RealizationPlan]
    last_strategies: tuple[list[float], list[float]]
    value: float
    best_response_values: tuple[float, float]
    iterations: int

    @property
    def exploitability(self) -> float:
        """Average gain of a player from knowing the other player's strategy; 0 in equilibrium.

        It is half of the amount by which both best responses together exceed the constant sum of the game.
        """
        return (self.best_response_values[0] + self.best_response_values[1] - self.tree.total) / 2


class CfrSolver:
    """Runner of the CFR+ iterations: `run_iteration` improves the strategies, `evaluate_strategies` evaluates them."""

    def __init__(self, tree: SequenceForm) -> None:
        self.tree = tree
        self.learners = (RegretLearner(tree.sides[0]), RegretLearner(tree.sides[1]))
        self.ends = [(first, second, gain) for (first, second), gain in tree.payoffs.items()]
        self.iterations = 0

    def run_iteration(self) -> None:
        """Run one iteration: update each player in turn against the other player's current plan."""
        self.iterations += 1
        for seat in (0, 1):
            learner, opponent = self.learners[seat], self.learners[1 - seat]
            learner.update_regrets(self.compute_sequence_values(seat, opponent.plan))
            learner.add_plan(self.iterations)

    def compute_sequence_values(self, seat: int, other: RealizationPlan) -> list[float]:
        """Return by sequence the expected gain of the ends it leads to, against a plan of the other player."""
        values = [0.0] * self.tree.sides[seat].sequences
        if seat == 0:
            for first, second, gain in self.ends:
                values[first] += gain * other[second]
        else:
            for first, second, gain in self.ends:
                values[second] -= gain * other[first]
        return values

    def evaluate_strategies(self) -> Solution:
        """Return the average strategies with their value and best responses."""
        one, other = self.learners
        plans = (one.build_average_plan(), other.build_average_plan())
        last = (one.strategy.copy(), other.strategy.copy())
        value = sum(gain * plans[0][first] * plans[1][second] for first, second, gain in self.ends)
        first = compute_best_response_value(self.tree.sides[0], self.compute_sequence_values(0, plans[1]))
        second = (
            compute_best_response_value(self.tree.sides[1], self.compute_sequence_values(1, plans[0])) + self.tree.total
        )
        return Solution(self.tree, plans, last, value, (first, second), self.iterations)


class RegretLearner:
    """Regret-matching learner of one player.

    regrets: by sequence, the cumulative counterfactual regret, never below 0.
    sums: the weighted sum of all plans so far; later plans weigh more.
    """

    def __init__(self, side: PlayerSequences) -> None:
        self.side = side
        self.shape = [
            (state.parent, state.first_sequence, state.first_sequence + len(state.moves)) for state in side.states
        ]
        self.regrets = [0.0] * side.sequences
        self.sums = [0.0] * side.sequences
        self.strategy = [1.0] * side.sequences
        for _, start, stop in self.shape:
            self.strategy[start:stop] = [1 / (stop - start)] * (stop - start)
        self.plan = self.build_plan()

    def build_plan(self) -> RealizationPlan:
        """Return the realization plan of the current strategy."""
        plan, strategy = [1.0] * self.side.sequences, self.strategy
        for parent, start, stop in self.shape:
            reach = plan[parent]
            for sequence in range(start, stop):
                plan[sequence] = reach * strategy[sequence]
        return plan

    def update_regrets(self, sequence_values: list[float]) -> None:
        """Update the regrets and the strategy, from the last information state to the first.

        sequence_values: by sequence, the gain of the ends it leads to. Values of later information states are added.
        """
        regrets, strategy = self.regrets, self.strategy
        for parent, start, stop in reversed(self.shape):
            gained = sum(strategy[sequence] * sequence_values[sequence] for sequence in range(start, stop))
            sequence_values[parent] += gained
            total = 0.0
            for sequence in range(start, stop):
                regret = regrets[sequence] + sequence_values[sequence] - gained
                regrets[sequence] = regret = regret if regret > 0 else 0.0
                total += regret
            for sequence in range(start, stop):
                strategy[sequence] = regrets[sequence] / total if total > 0 else 1 / (stop - start)
        self.plan = self.build_plan()

    def add_plan(self, weight: int) -> None:
        self.sums = [before + weight * now for before, now in zip(self.sums, self.plan, strict=True)]

    def build_average_plan(self) -> RealizationPlan:
        """Return the weighted average of all plans so far."""
        return [each / self.sums[0] for each in self.sums] if self.sums[0] else self.plan


def compute_best_response_value(side: PlayerSequences, sequence_values: list[float]) -> float:
    """Return the value of a best response. `sequence_values`: as for `RegretLearner.update_regrets`; it is modified."""
    for state in reversed(side.states):
        sequence_values[state.parent] += max(
            sequence_values[state.first_sequence : state.first_sequence + len(state.moves)]
        )
    return sequence_values[0]


def get_move_probabilities(solution: Solution, seat: int, state: InformationState) -> Sequence[float]:
    """Return the move probabilities at an information state of a player.

    If the player's own plan never reaches the state, return the probabilities of the last iteration.
    """
    sequences = slice(state.first_sequence, state.first_sequence + len(state.moves))
    shares = solution.plans[seat][sequences]
    if not is_state_reached(solution, seat, state):
        return solution.last_strategies[seat][sequences]
    return [share / sum(shares) for share in shares]


def is_state_reached(solution: Solution, seat: int, state: InformationState) -> bool:
    """Return whether a player's own plan reaches an information state with more than negligible probability."""
    return solution.plans[seat][state.parent] > MIN_REACH_PROBABILITY


def solve_sequence_form(
    tree: SequenceForm,
    max_exploitability: float,
    max_iterations: int,
    progress: Callable[[Solution], None] | None = None,
) -> Solution:
    """Return the solution after `max_iterations`, or when the exploitability is at most `max_exploitability`.

    progress: called with each intermediate solution.
    """
    solver, pause = CfrSolver(tree), 1
    while True:
        for _ in range(min(pause, max_iterations - solver.iterations)):
            solver.run_iteration()
        solution = solver.evaluate_strategies()
        if solution.exploitability <= max_exploitability or solver.iterations >= max_iterations:
            return solution
        if progress is not None:
            progress(solution)
        pause = max(10, solver.iterations // 10)
