"""The index of a sheet: its terms, each with the section that explains it, and where else it comes up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cardlang.rulesheet import words
from cardlang.rulesheet.links import every
from cardlang.rulesheet.model import Block, Entry, Items, Paragraph, Place, Plan, Section, Table

FEW = 6
"""The ranks of a longer table are one entry."""


USES = 3
"""A term that comes up in more sections than these beside the one that explains it is everywhere: that tells nobody
anything."""
ASIDE = ("How to win", "Contents", "On the table", "Variants", "Questions and answers", "More examples")
"""Where a term is not used: no rule of the game itself stands there."""


def index(sections: Iterable[Section], names: Iterable[str] = ()) -> tuple[Entry, ...]:
    """Terms in the order of the alphabet, each with the first section that explains it and those that use it.
    `names`: what readers may look for besides; each stands with the sections that use it, if there are any."""
    sections = tuple(sections)
    rules = [section for each in sections if each.title not in ASIDE for section in every((each,))]
    said = [(place(section), said_in(section)) for section in rules]
    found: dict[str, Place] = {}
    for section in every(sections):
        for term in filter(is_name, terms(section)):
            found.setdefault(term, place(section))
    entries = [(term, (first, *uses(term, first, said))) for term, first in found.items()]
    known = {form.casefold() for term in found for form in (term, words.plural(term))}
    for name in {words.capital(name).casefold(): words.capital(name) for name in names}.values():
        where = [at for at, text in said if mentions(text, name)][: USES + 1]
        if where and not {name.casefold(), words.plural(name).casefold()} & known:
            entries.append((name, tuple(where)))
    return tuple(sorted(entries, key=lambda entry: (entry[0].casefold(), entry[0])))


def place(section: Section) -> Place:
    return section.title, section.anchor


def uses(term: str, first: Place, said: Iterable[tuple[Place, str]]) -> list[Place]:
    """Where a term comes up beside the section that explains it; nowhere, if it is everywhere."""
    found = [at for at, text in said if at != first and mentions(text, term)]
    return found if len(found) <= USES else []


def mentions(text: str, term: str) -> bool:
    """Whether a text has a term, as it stands or in the plural."""
    forms = "|".join(re.escape(each) for each in {term, words.plural(term)})
    return re.search(rf"(?<![\w-])({forms})(?![\w-])", text, re.IGNORECASE) is not None


def said_in(section: Section) -> str:
    """What a section itself says, without its examples."""
    return " ".join(text for block in section.blocks for text in texts(block))


def texts(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from (block.text, block.words)
    elif isinstance(block, Items):
        for item in block.items:
            yield from (item.title, item.text, item.words)
            yield from texts(Items(item.items))


def is_name(term: str) -> bool:
    """Whether somebody may look for it: not for `10 and 11`, `2nd`, `The price`, `A suit, yours`, or several names
    at once."""
    return re.match(r"\d+( |st|nd|rd|th)|(An?|The) [a-z]+(, .*)?$|.*\w, .* and ", term) is None


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
    """A term without whose it is and what it costs: `Hand limit`, `Redraw` of `Redraw (1 point)`."""
    title = re.sub(r"^The (.*) of some cards$", r"\1", re.sub(r" \([^()]*\)$", "", title))
    return words.capital(re.sub(r"^(Your|An? \w+'s) ", "", title))
