"""Links within a sheet: a name for each section, and the places in a text that mean a section."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import count

from attrs import evolve, frozen

from cardlang.plain_text import harmless
from cardlang.rulesheet.model import Block, Item, Items, Section, Table

QUOTED = re.compile("(“[^”]+”)")


def anchored(sections: Iterable[Section], taken: dict[str, int] | None = None) -> tuple[Section, ...]:
    """The sections with their anchors: as code hosts make them from headings, each once. Lines and tables too."""
    taken = {} if taken is None else taken
    done = []
    for section in sections:
        anchor = unique(slug(section.title), taken)
        names = (f"{anchor}.{number}" for number in count(1))
        blocks = tuple(named(block, names) for block in section.blocks)
        done.append(evolve(section, anchor=anchor, blocks=blocks, sections=anchored(section.sections, taken)))
    return tuple(done)


def named(block: Block, names: Iterator[str]) -> Block:
    """A block whose lines have their anchors; a table has one for all that it lists."""
    if isinstance(block, Items):
        return evolve(block, items=lines(block.items, names))
    return evolve(block, anchor=next(names)) if isinstance(block, Table) else block


def lines(items: Iterable[Item], names: Iterator[str]) -> tuple[Item, ...]:
    """The items of a list and all within them with their anchors."""
    return tuple(evolve(item, anchor=next(names), items=lines(item.items, names)) for item in items)


def slug(title: str) -> str:
    """A title as an anchor: its letters with their marks, digits, and hyphens in place of blanks."""
    kept = (char for char in harmless(title).lower()[:80] if char in "- _" or char.isalnum() or combining(char))
    return "".join(kept).replace(" ", "-")


def combining(char: str) -> bool:
    """Whether a sign is written on the letter before it: an accent, a vowel."""
    return unicodedata.category(char)[0] == "M"


def unique(name: str, taken: dict[str, int]) -> str:
    """The name, with a number behind it if it is taken."""
    count = taken.get(name, 0)
    taken[name] = count + 1
    return f"{name}-{count}" if count else name


@frozen
class Links:
    """The anchors of a sheet by the titles of its sections."""

    anchors: dict[str, str]

    @staticmethod
    def of(sections: Iterable[Section]) -> Links:
        anchors: dict[str, str] = {}
        for section in every(sections):
            anchors.setdefault(section.title, section.anchor)
        return Links(anchors)

    def split(self, text: str) -> list[tuple[str, str]]:
        """A text in parts, each with the anchor that it should lead to, or with an empty one."""
        parts = [part for part in QUOTED.split(text) if part]
        return [(part, self.anchors.get(part[1:-1], "") if part[0] == "“" else "") for part in parts]


def every(sections: Iterable[Section]) -> Iterator[Section]:
    """All sections, each before those within it."""
    for section in sections:
        yield section
        yield from every(section.sections)
