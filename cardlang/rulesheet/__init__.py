"""Rule sheets: a checked `Game` as one `RuleSheet` value, and that value as plain Markdown."""

from __future__ import annotations

from cardlang.game import Game
from cardlang.rulesheet.markdown import render
from cardlang.rulesheet.model import RuleSheet
from cardlang.rulesheet.sections import build

__all__ = ["RuleSheet", "build", "markdown"]


def markdown(game: Game) -> str:
    """The rule sheet of a game as plain Markdown. All texts of the game are escaped."""
    return render(build(game))
