"""Dependency injection between the two packages.

The protocols describe the interpreter as games see it, and the wording of rules as the interpreter sees it. The package
`cardlang` supplies the implementations, so neither half imports the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from cardlang.game import Example, Expr, Game, Outcome


class Decision(Protocol):
    """Decision of a player. `moves` are the legal moves; `str` of a move is its text."""

    @property
    def player(self) -> str: ...
    @property
    def prompt(self) -> str: ...
    @property
    def moves(self) -> Sequence[object]: ...


class Match(Protocol):
    """Match, as its users see it. `interpreter.matches.match.Match` implements it."""

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
    """Interpreter, which plays games."""

    def start(self, game: Game, players: int | list[str] | None, seed: int | None) -> Match: ...
    def evaluate(self, game: Game, define: str, given: str, zones: dict[str, str]) -> Any: ...
    def run_example(self, game: Game, example: Example) -> Outcome: ...


class Wording(Protocol):
    """Wording of rules in sentences.

    `called` maps variable IDs to words such as `you` or a player's name. Other variables keep their names from the
    rules."""

    def condition(self, game: Game, expr: Expr, called: Mapping[int, str]) -> str: ...
    def choices(self, game: Game, items: Expr, called: Mapping[int, str]) -> str: ...


Part = TypeVar("Part")


class Handed(Generic[Part]):
    """Service locator: a function imports a part of the project on first use."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.find: Callable[[], Part] | None = None

    def part(self) -> Part:
        """Return the part. Raise RuntimeError if none was supplied, because a package is used alone."""
        if self.find is None:
            raise RuntimeError(f"No part of this package {self.what}. Set its `find` in `cardlang.playing`.")
        return self.find()


interpreter = Handed[Interpreter]("plays games")
wording = Handed[Wording]("says rules in sentences")
