"""Table of libraries in the reference, read from their files. `python -m tests.docs` updates the page."""

import re
from collections.abc import Iterable
from pathlib import Path

from cardlang.diagnostics import Source
from cardlang.syntax.ast.traversal import summarise_file
from cardlang.syntax.parser import parse_file
from tests.docs.documents import ROOT

PAGE = ROOT / "docs" / "language" / "file.md"
LIBRARY = ROOT / "cardlang" / "library"
TABLE = re.compile(r"(?<=^\| library \| needs \| )([^\n]*\n\|[-|]*\n)(?:\|.*\n)*", re.MULTILINE)


def update_table(page: str) -> str:
    """Return the page with the current libraries."""
    rows = "".join(row(path) for path in sorted(LIBRARY.glob("*.cardgame")))
    return TABLE.sub(lambda head: head[1] + rows, page)


def row(path: Path) -> str:
    parts = summarise_file(parse_file(Source(path.name, path.read_text("utf-8")))[0])
    things = [*(f"all of `{name}`" for name in parts.uses), *quoted(parts.components)]
    cells = [[f"`{path.stem}`"], quoted(parts.needs), things, quoted(parts.steps), quoted(parts.overridable)]
    return "| " + " | ".join(", ".join(cell) or "–" for cell in cells) + " |\n"


def quoted(names: Iterable[str]) -> list[str]:
    return [f"`{name}`" for name in names]
