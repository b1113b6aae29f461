"""Samples of a match, from which the reasons of a hint are estimated."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import frozen

from cardlang import model as g
from interpreter.bots.betting_model import HandOutlook
from interpreter.match.match import Match
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program
from interpreter.runtime.state import DecisionPoint, State

HINT_SAMPLES = 60
"""Number of samples. It gives shares with an accuracy of about a tenth."""


@frozen
class MatchSamples:
    """Samples of the match, consistent with the current player's knowledge."""

    names: MatchNames
    site: DecisionPoint
    seat: int
    states: Sequence[State]
    random: Random
    outlook: HandOutlook | None = None
    """Outlook of the hand, if the decision is a bet."""
    sets: Sequence[tuple[int, ...]] = ()
    """Codes of all picks of each set, by its index, if the moves are sets."""

    @classmethod
    def create(
        cls, match: Match, states: Sequence[State], seed: int, prospect: HandOutlook | None = None,
        sets: Sequence[tuple[int, ...]] = (),
    ) -> MatchSamples:  # fmt: skip
        assert match.decision is not None
        site = match.program.get_site(match.state)
        return cls(match.names, site, match.decision.seat, states, Random(f"grounds {seed}"), prospect, sets)

    @property
    def program(self) -> Program:
        return self.names.program

    @property
    def best_trick_card(self) -> g.Expr | None:
        """Expression for the best card of a trick; None if the rules do not define it."""
        return self.names.facts.best_trick_card

    def get_codes(self, sample: State, index: int) -> tuple[int, ...]:
        """Return the codes of a move in one of the samples, in which hidden cards have other codes."""
        return self.sets[index] if self.sets else (sample.legal[index],)

    def apply_move(self, sample: State, *codes: int) -> State:
        """Return the state after a move in one of the samples. A set has several codes."""
        state = self.program.clone_silently(sample)
        for code in codes:
            self.program.apply(state, code)
        return state
