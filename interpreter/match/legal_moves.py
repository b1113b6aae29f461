"""Legal moves of a decision, as a lazy sequence.

Printed forms of moves:
- a pick: verb and card (`play [9G]`),
- a number: verb and number (`draw 2`),
- a choice: the value (`Bob`, `Spades`, `[9G]`),
- an option: its name and the bound values (`bet 5`, `swap Bob`, `event [Bones]`),
- a card unknown to the player: its place in its pile from the bottom (`take #2`).

Different moves with equal forms are numbered (`discard [Sofa] #2`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, overload

from attrs import field, frozen

from interpreter.match.match_interface import MatchInterface
from interpreter.narration.decision_text import build_prompt, format_moves
from interpreter.runtime.state import State
from interpreter.view.decision_view import DecisionView
from interpreter.view.shown_values_and_hand_notes import DisplayValues


@frozen
class Move:
    """Legal move. `str(move)` is its text. `code` is its number in the program, `decision` the moves it belongs to."""

    index: int
    """Index among the legal moves."""
    text: str
    """Text of the move, unique within its decision."""
    code: int = field(repr=False, eq=False)
    decision: LegalMoves = field(repr=False, eq=False)

    def __str__(self) -> str:
        return self.text


class LegalMoves(Sequence[Move]):
    """Legal moves of one decision, in their fixed order.

    `len` is cheap. Printed forms are made on first use, even after the decision has passed: then the match is replayed
    up to it.
    """

    __slots__ = ("_choices", "_codes", "_count", "_match", "_texts")

    def __init__(self, match: MatchInterface, codes: list[int]) -> None:
        self._match = match
        self._codes = codes
        self._choices = match.choices
        self._count = len(match.choices)
        self._texts: tuple[str, ...] | None = None

    def rebuild_state(self) -> State:
        """Return the state at this decision."""
        match = self._match
        if match.choices is self._choices and len(self._choices) == self._count:
            return match.state
        return match.replay_choices(self._choices[: self._count])

    def is_current_in(self, match: MatchInterface) -> bool:
        """Return whether a match is at this decision.

        It can be the same match, a copy, or a sample (`Match.sample`), after the same choices.
        """
        own_match = self._match
        if own_match is match and self._choices is match.choices:
            return self._count == len(match.choices)
        choices = self._choices[: self._count]
        return own_match.is_same_game(match) and own_match.origin.get_decision_path(
            choices
        ) == match.origin.get_decision_path(match.choices)

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        position = range(len(self))[index]
        if isinstance(position, int):
            return Move(position, self.texts[position], self._codes[position], self)
        return [self[each] for each in position]

    def __repr__(self) -> str:
        return f"<{len(self)} moves: {', '.join(self.texts)}>"

    @property
    def texts(self) -> tuple[str, ...]:
        """Printed forms of all moves."""
        if self._texts is None:
            self._texts = tuple(format_moves(self._match.names, self.rebuild_state(), self._codes))
        return self._texts


class Decision:
    """Decision of one player.

    Attributes:
        seat: Seat of the current player, from 0.
        moves: The legal moves, a lazy sequence. `len(moves)` is cheap; `str(move)` is the text of a move.
    """

    __slots__ = ("_match", "_prompt", "display_values", "moves", "seat", "view")

    def __init__(self, match: MatchInterface, seat: int, moves: LegalMoves) -> None:
        self._match = match
        self.display_values = DisplayValues(match.names, match.state)
        self.seat = seat
        self.moves = moves
        self.view: DecisionView | None = None  # built by `build_decision_view`
        self._prompt: str | None = None

    @property
    def player(self) -> str:
        """Name of the current player."""
        return self._match.players[self.seat]

    @property
    def prompt(self) -> str:
        """Question to the player, in a sentence."""
        if self._prompt is None:
            self._prompt = build_prompt(self._match.names, self.moves.rebuild_state())
        return self._prompt

    def __repr__(self) -> str:
        return f"<{self.player}: {self.prompt} {self.moves!r}>"


class DecidingMatch(MatchInterface, Protocol):
    """Match with its current decision."""

    @property
    def decision(self) -> Decision | None: ...
