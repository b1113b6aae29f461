"""A player who does what a list says."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.errors import MoveError
from interpreter.matches.match import Match
from interpreter.matches.parsing import meant, words_of


class ScriptedPlayer:
    """Makes the moves of a list, one after another, given by their printed forms. Raises MoveError where one
    does not fit, and when none is left."""

    def __init__(self, moves: Iterable[str]) -> None:
        self.moves = list(moves)

    def choose(self, match: Match) -> int:
        if match.decision is None or not self.moves:
            raise MoveError("The script has no more moves.")
        text = self.moves.pop(0)
        found = meant(words_of(text), match.decision.moves.texts)
        if len(found) != 1:
            raise MoveError(match.why_not(text) or f"{text} could be several moves.")
        return found[0]
