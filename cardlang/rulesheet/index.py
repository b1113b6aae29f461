"""The index of a sheet: its terms, each with the section that explains it, and where else it comes up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardlang import words
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
    """Terms in the order of the alphabet, each with the place that explains it and those that use it.
    `names`: what readers may look for besides; each stands with the sections that use it, if there are any. With
    `Deck: Round` the section of this title comes first."""
    sections = tuple(sections)
    rules = ruling(sections)
    listed: dict[str, str] = {}
    for name, _, first in (each.partition(": ") for each in names):
        listed[words.capital(name)] = listed.get(words.capital(name)) or first
    found: dict[str, list[Place]] = {}
    for section in (*rules, *every(each for each in sections if each.title in ASIDE)):
        for term, at in terms(section):
            found.setdefault(term, []).append(Place(section.title, section.anchor, at))
    entries = [(term, tuple(ordered(term, at, named(term, listed), sections))) for term, at in found.items()]
    known = {form.casefold() for term in found for form in (term, words.plural(term))}
    for name, first in {each.casefold(): (each, first) for each, first in listed.items()}.values():
        where = ordered(name, [], first, sections)[: USES + 1]
        if where and not {name.casefold(), words.plural(name).casefold()} & known:
            entries.append((name, tuple(where)))
    return tuple(sorted(entries, key=lambda entry: (entry[0].casefold(), entry[0])))


def named(term: str, listed: Mapping[str, str]) -> str:
    """The title of the section that its author names for a term, or for one of such things."""
    return listed.get(term) or listed.get(words.singular(term), "")


def ruling(sections: Iterable[Section]) -> list[Section]:
    """The sections that tell rules, each before those within it."""
    return [section for each in sections if each.title not in ASIDE for section in every((each,))]


def ordered(term: str, explained: Sequence[Place], first: str, sections: Sequence[Section]) -> list[Place]:
    """Where a term comes up, once a section: the section named or called so, then the first that explains it, then
    those that use it, unless it is everywhere."""
    rules = ruling(sections)
    said = [place for section in rules if (place := using(section, term)) is not None]
    titles = {first.casefold()} if first else {term.casefold(), words.plural(term).casefold()}
    told = every(sections) if first else rules
    headed = [Place(each.title, each.anchor, each.anchor) for each in told if each.title.casefold() in titles]
    within = [place for place in (*explained, *said) if first and place.title.casefold() in titles]
    named = [*within, *headed][:1]
    head = [*named, *(place for place in explained[:1] if place.anchor not in anchors(named))]
    more = [place for place in said if place.anchor not in anchors(head)]
    return [*head, *(more if not explained or len(more) <= USES else ())]


def anchors(places: Iterable[Place]) -> set[str]:
    return {place.anchor for place in places}


def using(section: Section, term: str) -> Place | None:
    """The first line of a section that has a term; its examples do not count."""
    said = (at for block in section.blocks for at, text in texts(block) if mentions(text, term))
    at = next(said, None)
    return None if at is None else Place(section.title, section.anchor, at or section.anchor)


def mentions(text: str, term: str) -> bool:
    """Whether a text has a term, as it stands or in the plural."""
    forms = "|".join(re.escape(each) for each in {term, words.plural(term)})
    return re.search(rf"(?<![\w-])({forms})(?![\w-])", text, re.IGNORECASE) is not None


def texts(block: Block) -> Iterator[tuple[str, str]]:
    """What a block says, each text with the anchor of its line, if it has one."""
    if isinstance(block, Paragraph):
        yield "", f"{block.text} {block.words}"
    elif isinstance(block, Items):
        for item in block.items:
            yield item.anchor, f"{item.title} {item.text} {item.words}"
            yield from ((item.anchor, " ".join(cells)) for each in item.shown for cells in cells_of(each))
            yield from texts(Items(item.items))
    elif isinstance(block, Table) and not block.title:
        yield from (("", " ".join(cells)) for cells in cells_of(block))


def cells_of(block: Block) -> Iterator[tuple[str, ...]]:
    """The rows of a table."""
    yield from (block.head, *block.rows) if isinstance(block, Table) else ()


def is_name(term: str) -> bool:
    """Whether somebody may look for it: not for `10 and 11`, `2nd`, `The price`, `A suit, yours`, or several names
    at once."""
    return re.match(r"\d+( |st|nd|rd|th)|(An?|The) [a-z]+(, .*)?$|.*\w, .* and ", term) is None


def terms(section: Section) -> Iterator[tuple[str, str]]:
    """What a section explains, each term with the anchor of the line that does."""
    for block in section.blocks:
        yield from ((term, at or section.anchor) for term, at in terms_in(block) if is_name(term))
        if isinstance(block, Table) and block.head[:1] == ("Copies",) and is_name(section.title):
            yield section.title, section.anchor


def terms_in(block: Block) -> Iterator[tuple[str, str]]:
    """What a block explains: the titles of its items, the ranks or places of its table."""
    if isinstance(block, Items):
        for item in block.items:
            if item.title:
                yield plain_term(item.title), item.anchor
            yield from (option for part in item.items for option in terms_in(Items((part,))))
    if isinstance(block, Plan):
        yield from ((spot.name, "") for spot in block.spots)
    if isinstance(block, Table) and block.head[0] == "" and len(block.rows) > FEW:
        yield words.capital(words.plural(block.head[1])), ""
    elif isinstance(block, Table) and block.title:
        column = 1 if block.hands or block.head[0] in ("", "Copies") else 0
        yield from ((re.sub(r" \(\w+\)$", "", row[column]), "") for row in block.rows)


def plain_term(title: str) -> str:
    """A term without whose it is and what it costs: `Hand limit`, `Redraw` of `Redraw (1 point)`."""
    title = re.sub(r"^The (.*) of some cards$", r"\1", re.sub(r" \([^()]*\)$", "", title))
    return words.capital(re.sub(r"^(Your|An? \w+'s) ", "", title))
