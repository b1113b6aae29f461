"""Who plays games: the interpreter, as far as a game knows it; and who says rules in sentences, as far as the
interpreter knows it. The package hands them in; so a game can be started without knowing by whom, and neither half
imports the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from cardlang.game import Example, Expr, Game, Outcome


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


class Wording(Protocol):
    """What says the rules of games in sentences. `called`: what variables are called, by their ids: `you`, a player's
    name; one that is not in it has the name that the rules give it."""

    def condition(self, game: Game, expr: Expr, called: Mapping[int, str]) -> str: ...
    def choices(self, game: Game, items: Expr, called: Mapping[int, str]) -> str: ...


Part = TypeVar("Part")


class Handed(Generic[Part]):
    """What was handed in: a function that imports a part of the project when it is needed for the first time."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.find: Callable[[], Part] | None = None

    def part(self) -> Part:
        """Raises RuntimeError where the package is used in parts, and none was handed in."""
        if self.find is None:
            raise RuntimeError(f"No part of this package {self.what}. Set its `find` in `cardlang.playing`.")
        return self.find()


interpreter = Handed[Interpreter]("plays games")
wording = Handed[Wording]("says rules in sentences")
