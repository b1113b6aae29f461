"""Who plays games: the interpreter, as far as a game knows it. The package hands it in; so a game can be started
without knowing by whom, and neither half imports the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cardlang.game import Example, Game, Outcome


class Decision(Protocol):
    """One player's choice. `moves`: those that are open; `str` of one is its text."""

    @property
    def player(self) -> str: ...
    @property
    def prompt(self) -> str: ...
    @property
    def moves(self) -> Sequence[object]: ...


class Match(Protocol):
    """A match, as those see it who start one: see `interpreter.matches.match.Match`."""

    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def over(self) -> bool: ...
    @property
    def decision(self) -> Decision | None: ...
    @property
    def log(self) -> Sequence[object]: ...
    @property
    def scores(self) -> list[int | Fraction | None]: ...
    @property
    def winners(self) -> list[str]: ...
    @property
    def places(self) -> list[int]: ...

    def choose(self, move: Any, /) -> None: ...
    def why_not(self, move: str, /) -> str | None: ...
    def view(self, player: int | str | None = None) -> Any: ...
    def sample(self, player: int | str, seed: int) -> Match: ...
    def clone(self) -> Match: ...
    def save(self, path: str | Path) -> None: ...
    def record(self, path: str | Path) -> None: ...
    def close(self) -> None: ...


class Interpreter(Protocol):
    """What plays games."""

    def start(self, game: Game, players: int | list[str] | None, seed: int | None) -> Match: ...
    def evaluate(self, game: Game, define: str, given: str, zones: dict[str, str]) -> Any: ...
    def run_example(self, game: Game, example: Example) -> Outcome: ...


class Handed:
    """What was handed in: a function that imports an interpreter when one is needed for the first time."""

    def __init__(self) -> None:
        self.find: Callable[[], Interpreter] | None = None

    def interpreter(self) -> Interpreter:
        """Raises RuntimeError where the package is used in parts, and none was handed in."""
        if self.find is None:
            raise RuntimeError("Nothing here plays games: `cardlang.playing.handed.find` is not set.")
        return self.find()


handed = Handed()
