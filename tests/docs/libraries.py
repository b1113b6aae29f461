"""The table of libraries in the reference, read from their files. `python -m tests.docs` puts it into the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from cardlang import nodes as n
from cardlang.reading.parser import parse_file
from cardlang.source import Source
from tests.docs.documents import ROOT

PAGE = ROOT / "docs" / "language.md"
LIBRARY = ROOT / "cardlang" / "library"
TABLE = re.compile(r"(?<=^\| library \| needs \| )([^\n]*\n\|[-|]*\n)(?:\|.*\n)*", re.MULTILINE)
THINGS = (n.Kind, n.Cards, n.Zone, n.Track, n.Order, n.Ranking)


def with_table(page: str) -> str:
    """The page with the libraries as they are today."""
    rows = "".join(row(path) for path in sorted(LIBRARY.glob("*.cardgame")))
    return TABLE.sub(lambda head: head[1] + rows, page)


def row(path: Path) -> str:
    items = parse_file(Source(path.name, path.read_text("utf-8")))[0].items
    below = [item.name.text for item in items if isinstance(item, n.Use)]
    things = [*(f"all of `{name}`" for name in below), *named(i for i in items if isinstance(i, THINGS))]
    steps = named(i for i in items if isinstance(i, n.Step) and i.body)
    open_ = named(i for i in items if isinstance(i, n.Define) or (isinstance(i, n.Step) and not i.body))
    cells = [
        [f"`{path.stem}`"],
        list(named(i for i in items if isinstance(i, n.Needs))),
        things,
        list(steps),
        list(open_),
    ]
    return "| " + " | ".join(", ".join(cell) or "–" for cell in cells) + " |\n"


def named(items: Iterable[n.Item]) -> Iterator[str]:
    """The names of declarations, with those whose they are: `your hand`, `Team's points`."""
    for item in items:
        subject = "your" if getattr(item, "your", False) else getattr(item, "subject", None)
        whose = f"{subject.text}'s " if isinstance(subject, n.Name) else f"{subject} " if subject else ""
        yield f"`{whose}{item.name.text}`"
