"""What a game asks of the interpreter: a match, a value, how an example goes (`cardlang.playing.Interpreter`)."""

from __future__ import annotations

from typing import Any

from cardlang import game as g
from interpreter.matches.examples import run_example
from interpreter.matches.match import start

__all__ = ["evaluate", "run_example", "start"]


def evaluate(game: g.Game, define: str, given: str = "", zones: dict[str, str] | None = None) -> Any:
    """See `cardlang.game.Game.evaluate`. Raises ValueError for a name or a card that the game does not have."""
    from interpreter.matches.given import evaluated

    return evaluated(game, define, given, zones or {})
