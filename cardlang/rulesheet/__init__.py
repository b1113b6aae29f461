"""Rule sheets: a checked `Game` as one `RuleSheet` value, and that value as Markdown, HTML and PDF. It
knows English, and nothing of how games are written or played.

Imports: `drawing`, `game`, `plain_text`, `rarity`, `source`, `templates`, `told`, `words`.
"""

from __future__ import annotations

from cardlang.game import Game
from cardlang.rulesheet.aid import aid
from cardlang.rulesheet.markdown import render
from cardlang.rulesheet.model import RuleSheet
from cardlang.rulesheet.placing import Shown
from cardlang.rulesheet.sections import build

__all__ = ["RuleSheet", "Shown", "aid", "build", "markdown", "rendered"]


def markdown(game: Game, examples: Shown = "few") -> str:
    """The rule sheet of a game as plain Markdown. All texts of the game are escaped."""
    return render(build(game, examples=examples))


def rendered(sheet: RuleSheet, style: str, paper: str = "a4") -> bytes:
    """A sheet in a format (`md`, `html`, `pdf`), as the bytes of a file. `paper`: `a4` or `letter`."""
    if style == "md":
        return render(sheet).encode()
    if style == "html":
        from cardlang.rulesheet import html

        return html.render(sheet, paper).encode()
    from cardlang.rulesheet import pdf

    return pdf.render(sheet, paper)
