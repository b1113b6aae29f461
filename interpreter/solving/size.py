"""Estimate the size of a game tree from random probes.

Source: Knuth, "Estimating the efficiency of backtrack programs", 1975.
"""

from __future__ import annotations

from random import Random

from interpreter.solving.tree import Setting, UnsolvableError, check_sum

PROBES = 100
STEPS = 4000
"""Number of nodes after which no further probe starts. The last probe still runs to its end."""
DEEPEST = 1000
"""Number of decisions in a match after which a game counts as unsolvable."""


def estimated(setting: Setting) -> int:
    """Estimate the number of decisions in all histories of a game.

    Each probe weighs a decision by the product of the branching factors before it.
    Raise `UnsolvableError` if a probe finds no end, or if the game is not constant-sum.
    """
    probe = Probe(setting)
    while not probe.ways or (probe.ways < PROBES and probe.steps < STEPS):
        probe.go_down()
    return probe.decisions // probe.ways


class Probe:
    """Random walks from the root to an end of the tree, with their weighted number of decisions."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.random = setting, Random(0)
        self.ways = self.steps = self.decisions = 0
        self.total: float | None = None

    def go_down(self) -> None:
        point, like_it = self.setting.table.first(), 1
        while not point.over:
            self.steps += 1
            if point.untold is not None:
                branches = [card for card, _ in self.setting.weighed(point)]
                point = point.draw(self.random.choice(branches))
            else:
                self.decisions += like_it
                branches = list(point.codes)
                if len(point.past) >= DEEPEST:
                    self.give_up()
                point = point.take(self.random.choice(branches))
            like_it *= len(branches)
        self.total = check_sum(self.setting, point, self.total)
        self.ways += 1

    def give_up(self) -> None:
        title = self.setting.game.title
        raise UnsolvableError(f"{title} cannot be solved: a match had not ended after {DEEPEST:,} decisions.")
