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
    moves: Sequence[tuple[int, ...]]
    """Codes of each move, by its index. A set has several: one for each pick."""
    outlook: HandOutlook | None = None
    """Outlook of the hand, if the decision is a bet."""

    @classmethod
    def create(
        cls, match: Match, states: Sequence[State], seed: int, prospect: HandOutlook | None = None,
        sets: Sequence[tuple[int, ...]] = (),
    ) -> MatchSamples:  # fmt: skip
        assert match.decision is not None
        site = match.program.get_site(match.state)
        moves = sets or [(code,) for code in match.state.legal]
        return cls(match.names, site, match.decision.seat, states, Random(f"grounds {seed}"), moves, prospect)

    @property
    def program(self) -> Program:
        return self.names.program

    @property
    def best_trick_card(self) -> g.Expr | None:
        """Expression for the best card of a trick; None if the rules do not define it."""
        return self.names.facts.best_trick_card

    def apply_move(self, sample: State, *codes: int) -> State:
        """Return the state after a move in one of the samples. A set has several codes."""
        state = self.program.clone_silently(sample)
        for code in codes:
            self.program.apply(state, code)
        return state
