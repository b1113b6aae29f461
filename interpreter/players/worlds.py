"""Matches that could be the real one, in which reasons are looked for."""

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
"""So many matches are looked at: a share is then told to a tenth or so."""


@frozen
class Worlds:
    """Matches that could be the real one, as a player sees it who is asked in them."""

    names: Names
    site: Site
    seat: int
    states: Sequence[State]
    random: Random
    prospect: Prospect | None = None
    """Of the hand, where a bet is decided about."""

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
        """The best card of those that lie as a trick, where the rules tell it."""
        return self.names.facts.best_of

    def laid(self, world: State, code: int) -> State:
        """One of the matches after a move."""
        state = self.program.clone(world)
        state.events, state.checking = None, False
        self.program.apply(state, code)
        return state
