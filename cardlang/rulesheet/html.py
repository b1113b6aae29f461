"""Render a rule sheet as one self-contained HTML file."""

from __future__ import annotations

from functools import cache

import jinja2
from attrs import define, field
from markupsafe import Markup, escape

from cardlang.drawing import Look, Mark, describe, plan_svg
from cardlang.plain_text import harmless
from cardlang.rulesheet.links import Links
from cardlang.rulesheet.model import Block, Hand, Plan, RuleSheet
from cardlang.templates import templates_beside

PAPERS = {"a4": "A4", "letter": "letter"}


def render(sheet: RuleSheet, paper: str = "a4") -> str:
    """Return the sheet as HTML. `paper`: the paper size for printing, `a4` or `letter`."""
    template = environment().get_template("sheet.html")
    return template.render(sheet=sheet, page=Page(Links.of(sheet.sections)), paper=PAPERS[paper])


@cache
def environment() -> jinja2.Environment:
    return templates_beside(__file__)


@define
class Page:
    """Helpers for the template: links, and drawings of cards that are defined once and reused."""

    links: Links
    looks: dict[Look, str] = field(factory=dict)

    def drawn(self, look: Look) -> str:
        """Return the id of the drawing of a card."""
        return self.looks.setdefault(look, f"card-{len(self.looks) + 1}")

    def body(self, look: Look) -> Markup:
        """Return the drawing of a card, with its texts escaped."""
        return Markup(look.body)

    def plan(self, plan: Plan) -> Markup:
        return self.within(plan_svg(plan.spots))

    def within(self, svg: str) -> Markup:
        """Return a drawing that nearby text describes, hidden from screen readers, with its texts escaped."""
        return Markup(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))

    def describe(self, plan: Plan) -> str:
        return describe(plan.spots)

    def named(self, hand: Hand) -> str:
        """Describe a drawn hand in words."""
        return ", ".join(look.title for look in hand.cards)

    def kind(self, block: Block) -> str:
        """Return the class name of a block."""
        return type(block).__name__

    def piece(self, text: str) -> Markup:
        """Escape a piece of a sanitised text. Spaces at its ends remain."""
        return escape(text)

    def parts(self, text: str) -> list[tuple[str, str]]:
        return self.links.split(harmless(text))

    def symbol(self, mark: Mark) -> Markup:
        """Draw the symbol of a member."""
        return Markup(
            '<svg class="mark" aria-hidden="true" viewBox="0 0 100 100"><path class="ink" fill="{}" '
            'fill-rule="evenodd" d="{}"/></svg>'
        ).format(mark.colour, mark.path)
