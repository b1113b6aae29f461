"""Rulebook and player aid as HTML fragments, and an index from steps to sections.

All strings of the game are escaped."""

from __future__ import annotations

from functools import lru_cache

from cardlang.drawing.printed import Back, Side
from cardlang.game import Game
from cardlang.game.walking import steps_done
from cardlang.rulesheet import RuleSheet, aid, build
from cardlang.rulesheet.faces import Design
from cardlang.rulesheet.html import Page, environment
from cardlang.rulesheet.lexicon import build_lexicon
from cardlang.rulesheet.links import Links, every
from cardlang.source import Span
from cardlang.told import current
from cardlang.web.art import is_alike

Told = dict[str, object]


@lru_cache(maxsize=32)
def sheet_of(game: Game) -> RuleSheet:
    return build(game)


@lru_cache(maxsize=32)
def printed(game: Game) -> list[Told]:
    """Return the printed content of each face as JSON values.

    Fields: corner `index`, symbol as `path` and `colour`, `title`, `passages`. `alike`: other cards have an identical
    corner. `other`: the other side, unless it is a plain back."""
    design = Design(game)
    told: list[Told] = [{"code": face.code, "alike": is_alike(game, face)} for face in game.faces]
    sides = [side_told(design.front(face)) | other_told(design.back(face)) for face in game.faces]
    return [one | side for one, side in zip(told, sides, strict=True)]


def side_told(side: Side) -> Told:
    mark = {"path": side.mark.path, "colour": side.mark.colour} if side.mark else {}
    said = [{"title": each.title, "said": each.said or each.more} for each in side.passages]
    return {"title": side.title, "index": side.index, **mark, "foot": side.foot, "passages": said}


def other_told(back: Side | Back) -> Told:
    return {"other": side_told(back)} if isinstance(back, Side) else {}


@lru_cache(maxsize=32)
def pieces(game: Game) -> Told:
    """Return the rulebook of a game as JSON values.

    `sheet`, `aid`: HTML fragments. `steps`: section anchors by step."""
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
    """Return the HTML of a rulebook.

    Inline styles become `data-style`, which the page's script applies, because the content security policy forbids
    inline styles."""
    template = environment().get_template("piece.html")
    return template.render(sheet=sheet, page=Page(Links.of(sheet.sections))).replace(' style="', ' data-style="')


def steps(game: Game, sheet: RuleSheet) -> dict[str, str]:
    """Return the anchor of the section that describes each step.

    A nested step without a section gets the section of its innermost described ancestor."""
    anchors: dict[str, str] = {}
    for section in every(sheet.sections):
        anchors.setdefault(section.title, section.anchor)
    lexicon = build_lexicon(game, current(game))
    titles = {name: lexicon.step_title(name) for name in game.steps}
    told = {name: anchors[title] for name, title in titles.items() if title in anchors}
    done = {name: steps_done(game, game.steps[name].body) for name in told}
    around = {name: [outer for outer in told if name in done[outer]] for name in titles.keys() - told.keys()}
    inner = {name: min(outers, key=lambda each: len(done[each])) for name, outers in around.items() if outers}
    return told | {name: told[outer] for name, outer in inner.items()}


def step_at(game: Game, rule: Span) -> str:
    """Return the step that contains a rule, or an empty string.

    It is empty for rules of cards, definitions, or reactions before all steps."""
    before = [step for step in game.steps.values() if step.origin.span.source == rule.source]
    before = [step for step in before if step.origin.span.start <= rule.start]
    return max(before, key=lambda step: step.origin.span.start).name if before else ""
