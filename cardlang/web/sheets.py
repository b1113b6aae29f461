"""The rule sheet and the player aid of a game for a page: pieces of HTML in which every text of the game is escaped,
and where the sheet tells the rule of a moment."""

from __future__ import annotations

from functools import lru_cache

from cardlang.game import Game
from cardlang.rulesheet import RuleSheet, aid, build
from cardlang.rulesheet.html import Page, environment
from cardlang.rulesheet.links import Links, every
from cardlang.rulesheet.statements import step_title


@lru_cache(maxsize=32)
def sheet_of(game: Game) -> RuleSheet:
    return build(game)


@lru_cache(maxsize=32)
def pieces(game: Game) -> dict[str, object]:
    """`sheet`, `aid`: HTML without a head; `steps`: for each step its first line in the file of the game and the
    anchor of the section that tells it."""
    sheet = sheet_of(game)
    return {
        "title": sheet.title,
        "pitch": sheet.pitch,
        "facts": sheet.facts,
        "sheet": rendered(sheet),
        "aid": rendered(aid(sheet)),
        "steps": steps(game, sheet),
    }


def rendered(sheet: RuleSheet) -> str:
    template = environment().get_template("piece.html")
    return template.render(sheet=sheet, page=Page(Links.of(sheet.sections)))


def steps(game: Game, sheet: RuleSheet) -> list[dict[str, object]]:
    """Where the sheet tells the steps that stand in the game's own file."""
    anchors: dict[str, str] = {}
    for section in every(sheet.sections):
        anchors.setdefault(section.title, section.anchor)
    found = []
    for name, step in game.steps.items():
        anchor = anchors.get(step_title(name))
        span = step.origin.span
        if anchor and span.source == game.sources[0]:
            found.append({"first": span.line, "anchor": anchor})
    return found
