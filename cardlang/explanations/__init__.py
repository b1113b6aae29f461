"""Explanations of all error and warning codes, each with a wrong and a right example.

Imports: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

PAGES = Path(__file__).parent
FILES = ("play.md", "syntax.md", "names.md", "checks.md", "trial.md")
PAGE = re.compile(r"^# (?P<code>[ERWN]\d{3}) (?P<title>.+)\n\n(?P<rest>(?:(?!# ).*\n)*)", re.MULTILINE)
EXAMPLE = re.compile(r"^(Wrong|Right):\n\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)

FRAME = """\
game "Example" for 2 to 4 players
kind Suit: Clubs (c), Hearts (h)
ordered kind Value: 1 to 9
cards Pack in deck
  1 of each Value, Suit
zone deck seen by nobody
zone your hand seen by owner
zone table
number your score
player leader starts at random of players
define your wealth as score
whenever deck is empty
  set leader to highest of players by wealth
  add 1 to leader's score
show table
show your hand
show leader
"""
PLAY = """\
step play
  shuffle deck
  deal top 12 of deck to players' hand
  each player
    add count of your hand to your score
"""


@frozen
class Page:
    """Explanation of one code. `wrong` and `right` are lines of a game file, empty if no file can show the problem."""

    code: str
    title: str
    text: str
    wrong: str
    right: str

    def __str__(self) -> str:
        parts = [f"{self.code}: {self.title}", self.text]
        for heading, lines in (("Wrong:", self.wrong), ("Right:", self.right)):
            if lines:
                parts.append(heading)
                parts.append("".join(f"    {line}".rstrip() + "\n" for line in lines.splitlines()).rstrip())
        return "\n\n".join(parts)


def pages() -> Iterator[Page]:
    """Read the explanations from the Markdown files, in the order of their codes."""
    for name in FILES:
        for match in PAGE.finditer((PAGES / name).read_text("utf-8") + "\n"):
            found = {heading: dedent(lines) for heading, lines in EXAMPLE.findall(match["rest"])}
            text = EXAMPLE.split(match["rest"])[0].strip()
            yield Page(match["code"], match["title"], text, found.get("Wrong", ""), found.get("Right", ""))


def dedent(lines: str) -> str:
    """Remove the indentation of a Markdown code block."""
    return "\n".join(line[4:] for line in lines.rstrip("\n").split("\n")) + "\n"


CODES: dict[str, Page] = {page.code: page for page in pages()}


def whole_game(example: str) -> str:
    """Return an example as a game file: put it into a small game, unless it is a whole file already."""
    if re.match(r"(game|library) ", example):
        return example
    return FRAME + example + ("" if re.search(r"^step play$", example, re.MULTILINE) else PLAY)
