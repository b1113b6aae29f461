"""Player that follows a script."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.errors import MoveError
from interpreter.matches.match import Match
from interpreter.matches.parsing import meant, words_of


class ScriptedPlayer:
    """Player that makes the moves of a list, given by their printed forms.

    Raise `MoveError` if a move does not fit or the list is empty.
    """

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
