"""Link the sections of a sheet: anchors, and references in texts."""

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
    """Return the sections with unique anchors, made from headings as code hosts do. Lines and tables get anchors as
    well."""
    taken = {} if taken is None else taken
    done = []
    for section in sections:
        anchor = unique(slug(section.title), taken)
        names = (f"{anchor}.{number}" for number in count(1))
        blocks = tuple(named(block, names) for block in section.blocks)
        done.append(evolve(section, anchor=anchor, blocks=blocks, sections=anchored(section.sections, taken)))
    return tuple(done)


def named(block: Block, names: Iterator[str]) -> Block:
    """Add anchors to the lines of a block; a table has one for all its rows."""
    if isinstance(block, Items):
        return evolve(block, items=lines(block.items, names))
    return evolve(block, anchor=next(names)) if isinstance(block, Table) else block


def lines(items: Iterable[Item], names: Iterator[str]) -> tuple[Item, ...]:
    """Add anchors to the items of a list and all items nested in them."""
    return tuple(evolve(item, anchor=next(names), items=lines(item.items, names)) for item in items)


def slug(title: str) -> str:
    """Convert a title to an anchor: its letters with their accents, digits, and hyphens for spaces."""
    kept = (char for char in harmless(title).lower()[:80] if char in "- _" or char.isalnum() or combining(char))
    return "".join(kept).replace(" ", "-")


def combining(char: str) -> bool:
    """Return whether a character combines with the letter before it, such as an accent or vowel sign."""
    return unicodedata.category(char)[0] == "M"


def unique(name: str, taken: dict[str, int]) -> str:
    """Return the name, with a number appended if it is taken."""
    count = taken.get(name, 0)
    taken[name] = count + 1
    return f"{name}-{count}" if count else name


@frozen
class Links:
    """Anchors of a sheet by the titles of its sections."""

    anchors: dict[str, str]

    @staticmethod
    def of(sections: Iterable[Section]) -> Links:
        anchors: dict[str, str] = {}
        for section in every(sections):
            anchors.setdefault(section.title, section.anchor)
        return Links(anchors)

    def split(self, text: str) -> list[tuple[str, str]]:
        """Split a text into parts, with the anchors that they link to. A part without a link has an empty anchor."""
        parts = [part for part in QUOTED.split(text) if part]
        return [(part, self.anchors.get(part[1:-1], "") if part[0] == "“" else "") for part in parts]


def every(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield all sections in preorder."""
    for section in sections:
        yield section
        yield from every(section.sections)
