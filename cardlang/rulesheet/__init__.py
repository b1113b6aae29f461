"""Generate rule sheets: build one `RuleSheet` from a checked `Game`, and render it as Markdown, HTML or PDF.

This package knows English. It does not depend on the syntax of games or on the interpreter.

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
    """Return the rule sheet of a game as plain Markdown. All texts of the game are escaped."""
    return render(build(game, examples=examples))


def rendered(sheet: RuleSheet, style: str, paper: str = "a4") -> bytes:
    """Return a sheet in a format (`md`, `html`, `pdf`), as the bytes of a file. `paper`: `a4` or `letter`."""
    if style == "md":
        return render(sheet).encode()
    if style == "html":
        from cardlang.rulesheet import html

        return html.render(sheet, paper).encode()
    from cardlang.rulesheet import pdf

    return pdf.render(sheet, paper)
