"""The index of a sheet: its terms, each with the section that explains it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cardlang.rulesheet import words
from cardlang.rulesheet.links import every
from cardlang.rulesheet.model import Block, Items, Plan, Section, Table

FEW = 6
"""The ranks of a longer table are one entry."""


def index(sections: Iterable[Section]) -> tuple[tuple[str, str, str], ...]:
    """Terms with the title and the anchor of the first section that explains them, in the order of the alphabet."""
    found: dict[str, tuple[str, str]] = {}
    for section in every(sections):
        for term in filter(is_name, terms(section)):
            found.setdefault(term, (section.title, section.anchor))
    entries = [(term, *place) for term, place in found.items()]
    return tuple(sorted(entries, key=lambda entry: (entry[0].casefold(), entry[0])))


def is_name(term: str) -> bool:
    """Whether somebody may look for it: not for `10 and 11`, `2nd`, `The price`, or several names at once."""
    return re.match(r"\d+( |st|nd|rd|th)|(An?|The) [a-z]+$|.*\w, .* and ", term) is None


def terms(section: Section) -> Iterator[str]:
    for block in section.blocks:
        yield from terms_in(block)
        if isinstance(block, Table) and block.head[:1] == ("Copies",):
            yield section.title


def terms_in(block: Block) -> Iterator[str]:
    """What a block explains: the titles of its items, the ranks or places of its table."""
    if isinstance(block, Items):
        for item in block.items:
            if item.title:
                yield plain_term(item.title)
            yield from (option for part in item.items for option in terms_in(Items((part,))))
    if isinstance(block, Plan):
        yield from (spot.name for spot in block.spots)
    if isinstance(block, Table) and block.head[0] == "" and len(block.rows) > FEW:
        yield words.capital(words.plural(block.head[1]))
    elif isinstance(block, Table):
        column = 1 if block.hands or block.head[0] in ("", "Copies") else 0
        yield from (re.sub(r" \(\w+\)$", "", row[column]) for row in block.rows)


def plain_term(title: str) -> str:
    """A term without whose it is: `Hand limit`."""
    title = re.sub(r"^The (.*) of some cards$", r"\1", title)
    return words.capital(re.sub(r"^(Your|An? \w+'s) ", "", title))
