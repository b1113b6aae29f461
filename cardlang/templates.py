"""Pages of HTML that need no other: no scripts, nothing from elsewhere, everything escaped."""

from __future__ import annotations

from pathlib import Path

import jinja2

from cardlang.plain_text import harmless


def templates_beside(file: str) -> jinja2.Environment:
    """The templates beside a file of Python. Everything in them is escaped, after it was made harmless."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(file).parent / "templates"),
        autoescape=True,
        finalize=lambda value: harmless(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
