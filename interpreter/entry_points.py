"""Entry points for the `cardlang` package: start a match, evaluate an expression, run an example."""

from __future__ import annotations

from typing import Any

from cardlang import model as g
from interpreter.match.example_runner import run_example
from interpreter.match.match import start

__all__ = ["evaluate", "run_example", "start"]


def evaluate(game: g.Game, define: str, given: str = "", zones: dict[str, str] | None = None) -> Any:
    """Implement `cardlang.model.Game.evaluate`. Raise `ValueError` for an unknown name or card."""
    from interpreter.match.state_edits import evaluate_definition

    return evaluate_definition(game, define, given, zones or {})
