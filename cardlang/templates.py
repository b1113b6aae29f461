"""Self-contained HTML pages, without scripts or external resources."""

from __future__ import annotations

from pathlib import Path

import jinja2

from cardlang.plain_text import harmless


def templates_beside(file: str) -> jinja2.Environment:
    """Return an environment for the templates next to a Python file.

    It removes invisible characters and escapes HTML."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(file).parent / "templates"),
        autoescape=True,
        finalize=lambda value: harmless(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
