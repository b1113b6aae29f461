"""Sampled matches, in which hints look for reasons."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import frozen

from cardlang import game as g
from interpreter.matches.match import Match
from interpreter.matches.names import Names
from interpreter.players.prospects import Prospect
from interpreter.program import Program
from interpreter.state import Site, State

SAMPLES = 60
"""Number of samples. It gives shares with an accuracy of about a tenth."""


@frozen
class Worlds:
    """Samples of the match, consistent with the current player's knowledge."""

    names: Names
    site: Site
    seat: int
    states: Sequence[State]
    random: Random
    prospect: Prospect | None = None
    """Outlook of the hand, if the decision is a bet."""

    @classmethod
    def of(cls, match: Match, states: Sequence[State], seed: int, prospect: Prospect | None = None) -> Worlds:
        assert match.decision is not None
        site = match.program.site(match.state)
        return cls(match.names, site, match.decision.seat, states, Random(f"grounds {seed}"), prospect)

    @property
    def program(self) -> Program:
        return self.names.program

    @property
    def best(self) -> g.Expr | None:
        """Expression for the best card of a trick; None if the rules do not define it."""
        return self.names.facts.best_of

    def laid(self, world: State, code: int) -> State:
        """Return the state after a move in one of the samples."""
        state = self.program.clone(world)
        state.events, state.checking = None, False
        self.program.apply(state, code)
        return state
