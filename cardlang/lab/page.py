"""HTML page of a report. It is self-contained, without scripts or external resources, and escapes all strings."""

from __future__ import annotations

from functools import cache

import jinja2
from markupsafe import Markup

from cardlang.lab.report import Plot, Report, Table
from cardlang.templates import templates_beside


def render(report: Report) -> str:
    return environment().get_template("report.html").render(report=report)


@cache
def environment() -> jinja2.Environment:
    made = templates_beside(__file__)
    made.tests |= {"plot": lambda part: isinstance(part, Plot), "table": lambda part: isinstance(part, Table)}
    made.filters["drawn"] = lambda plot: Markup(plot.svg)  # `drawing` has escaped its strings
    return made
