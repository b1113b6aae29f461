"""Implement the interface of the interpreter for games: matches, values and examples
(`cardlang.playing.Interpreter`)."""

from __future__ import annotations

from typing import Any

from cardlang import game as g
from interpreter.matches.examples import run_example
from interpreter.matches.match import start

__all__ = ["evaluate", "run_example", "start"]


def evaluate(game: g.Game, define: str, given: str = "", zones: dict[str, str] | None = None) -> Any:
    """Implement `cardlang.game.Game.evaluate`. Raise `ValueError` for an unknown name or card."""
    from interpreter.matches.given import evaluated

    return evaluated(game, define, given, zones or {})
