"""The cards of a game as PDF, set by typst."""

from __future__ import annotations

from pathlib import Path

from cardlang.game import Game
from cardlang.printing.faces import printed
from cardlang.printing.program import source
from cardlang.rulesheet.pdf import typeset

TEMPLATES = Path(__file__).parent / "templates"


def render(game: Game, paper: str = "a4") -> bytes:
    """All cards of a game, front and back. `paper`: `a4` or `letter`. Raises NoTypst where the extra `pdf` is not
    installed."""
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    return typeset(source(f"{title}: cards", printed(game), paper), TEMPLATES)
