"""A report as one page of HTML that needs no other: no scripts, nothing from elsewhere, everything escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from cardlang.lab.report import Plot, Report, Table
from cardlang.plain_text import harmless


def render(report: Report) -> str:
    return environment().get_template("report.html").render(report=report)


@cache
def environment() -> jinja2.Environment:
    """Escapes everything, after making it harmless."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=lambda value: harmless(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.tests |= {"plot": lambda part: isinstance(part, Plot), "table": lambda part: isinstance(part, Table)}
    made.filters["drawn"] = lambda plot: Markup(plot.svg)  # its texts are escaped where it is drawn
    return made
