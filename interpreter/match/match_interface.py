"""Interface of a match for the modules that `interpreter.match.match` uses."""

from __future__ import annotations

from typing import Protocol

from cardlang import model as g
from interpreter.match.event_log import MatchOrigin
from interpreter.match.state_edits import ChoiceOrEdit
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program
from interpreter.runtime.state import State


class MatchInterface(Protocol):
    """Players, state and choices of a match; see `interpreter.match.match.Match`."""

    names: MatchNames
    program: Program
    origin: MatchOrigin
    state: State
    seed: int
    choices: list[ChoiceOrEdit]

    @property
    def game(self) -> g.Game: ...
    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def over(self) -> bool: ...

    def is_same_game(self, other: MatchInterface) -> bool: ...
    def replay_choices(self, choices: list[ChoiceOrEdit], state: State | None = None) -> State: ...
    def apply_choice(self, choice: ChoiceOrEdit) -> None: ...
    def undo_choices(self, count: int) -> None: ...
