"""HTML renderer of a rulebook, and templates that escape all strings."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2
from attrs import define, field
from markupsafe import Markup, escape

from cardlang.cards import CardSymbol, SmallCard
from cardlang.english.control_characters import remove_invisible_characters
from cardlang.rulebook.anchors import SectionLinks
from cardlang.rulebook.model import Block, Rulebook, TextSpan


def create_template_environment(python_file: str) -> jinja2.Environment:
    """Return an environment for the templates next to a Python file.

    It removes invisible characters and escapes HTML."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(python_file).parent / "templates"),
        autoescape=True,
        finalize=lambda value: remove_invisible_characters(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


# ---------------------------------------------------------------- rulebooks
CSS_PAPERS = {"a4": "A4", "letter": "letter"}


def render_html(rulebook: Rulebook, paper: str = "a4") -> str:
    """Return the rulebook as HTML. `paper`: the paper size for printing, `a4` or `letter`."""
    template = get_template_environment().get_template("sheet.html")
    return template.render(
        sheet=rulebook, page=HtmlPage(SectionLinks.build_from_sections(rulebook.sections)), paper=CSS_PAPERS[paper]
    )


@cache
def get_template_environment() -> jinja2.Environment:
    return create_template_environment(__file__)


@define
class HtmlPage:
    """Helpers for the template: links, and drawings of cards that are defined once and reused."""

    links: SectionLinks
    drawing_ids: dict[SmallCard, str] = field(factory=dict)

    def get_drawing_id(self, small_card: SmallCard) -> str:
        """Return the id of the drawing of a card."""
        return self.drawing_ids.setdefault(small_card, f"card-{len(self.drawing_ids) + 1}")

    def get_drawing_svg(self, small_card: SmallCard) -> Markup:
        """Return the drawing of a card, with its texts escaped."""
        return Markup(small_card.svg_body)

    def hide_from_screen_readers(self, svg: str) -> Markup:
        """Return a drawing that nearby text describes, hidden from screen readers, with its texts escaped."""
        return Markup(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))

    def get_block_type(self, block: Block) -> str:
        """Return the class name of a block."""
        return type(block).__name__

    def format_text(self, text: str) -> Markup:
        """Return an escaped text with its styles and icons, and with links to the sections that it names."""
        return Markup("").join(map(format_span, self.links.split_at_links(text)))

    def draw_symbol(self, symbol: CardSymbol) -> Markup:
        """Draw the symbol of a member, which nearby text describes."""
        return draw_mark(symbol, Markup('aria-hidden="true"'))


def draw_mark(symbol: CardSymbol, attributes: Markup) -> Markup:
    return Markup(
        '<svg class="mark" {} viewBox="0 0 100 100"><path class="ink" fill="{}" fill-rule="evenodd" d="{}"/></svg>'
    ).format(attributes, symbol.colour, symbol.path)


def format_span(span: TextSpan) -> Markup:
    text = escape(span.text)
    if span.icon:
        text = draw_mark(span.icon, Markup('role="img" aria-label="{}"').format(span.text))
    for tag, is_set in (("code", span.code), ("em", span.italic), ("strong", span.bold)):
        text = Markup("<{0}>{1}</{0}>").format(Markup(tag), text) if is_set else text
    return Markup('<a href="{}">{}</a>').format(span.link, text) if span.link else text
