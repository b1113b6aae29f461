"""Build the index of a sheet: its terms, with the sections that explain and use them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardlang import words
from cardlang.rulesheet.links import every
from cardlang.rulesheet.model import Block, Entry, Items, Paragraph, Place, Plan, Section, Table

USES = 3
"""Maximum number of uses listed for a term. A term with more uses is so common that listing them helps no reader."""
HEADED = ("How to play", "The cards")
"""Sections whose subsections are terms."""
NUMBERS = re.compile(r"^(\d+(?:, \d+)*) (?=[A-Z])")
"""Numbers that are part of the name of ranks: `2, 3, 4 Shiny Dragons`, sorted under S."""
ASIDE = ("How to win", "Contents", "On the table", "Variants", "Questions and answers", "More examples")
"""Sections without rules of the game itself, where uses of terms do not count."""


def index(sections: Iterable[Section], names: Iterable[str] = (), without: Iterable[str] = ()) -> tuple[Entry, ...]:
    """Return the terms in alphabetical order, with the places that explain and use them.

    `names`: further entries, with the sections that use them, if any. An entry `Deck: Round` puts the section of this
    title first. `without`: terms to leave out.
    """
    sections = tuple(sections)
    rules = ruling(sections)
    listed: dict[str, str] = {}
    for name, _, first in (each.partition(": ") for each in names):
        listed[words.capital(name)] = listed.get(words.capital(name)) or first
    headed = [each for section in sections if section.title in HEADED for each in section.sections]
    found: dict[str, list[Place]] = {}
    for section in (*rules, *every(each for each in sections if each.title in ASIDE)):
        own = [(plain_term(section.title), section.anchor)] if section in headed else []
        for term, at in (*(each for each in own if is_name(each[0])), *terms(section)):
            found.setdefault(term, []).append(Place(plain_term(section.title), section.anchor, at))
    for one in [term for term in found if words.plural(term) != term and words.plural(term) in found]:
        found[words.plural(one)] += found.pop(one)
    entries = [(term, tuple(ordered(term, at, named(term, listed), sections))) for term, at in found.items()]
    known = {form.casefold() for term in found for form in (term, words.plural(term))}
    for name, first in {each.casefold(): (each, first) for each, first in listed.items()}.values():
        where = ordered(name, [], first, sections)[: USES + 1]
        if where and not {name.casefold(), words.plural(name).casefold()} & known:
            entries.append((name, tuple(where)))
    unsought = {name.casefold() for name in without}
    entries = [entry for entry in entries if entry[0].casefold() not in unsought]
    return tuple(sorted(entries, key=lambda entry: (NUMBERS.sub("", entry[0]).casefold(), entry[0])))


def named(term: str, listed: Mapping[str, str]) -> str:
    """Return the section title that the author gives for a term or its singular."""
    return listed.get(term) or listed.get(words.singular(term), "")


def ruling(sections: Iterable[Section]) -> list[Section]:
    """Return the sections with rules, in preorder."""
    return [section for each in sections if each.title not in ASIDE for section in every((each,))]


def ordered(term: str, explained: Sequence[Place], first: str, sections: Sequence[Section]) -> list[Place]:
    """Return the places of a term, one for each section.

    First the section named or titled so, then the first rule that explains it. Next its uses, unless they are too many,
    and last a list that explains it outside the rules.
    """
    rules = ruling(sections)
    said = [place for section in rules if (place := using(section, term)) is not None]
    titles = {first.casefold()} if first else {term.casefold(), words.plural(term).casefold()}
    told = every(sections) if first else rules
    called = (each for each in told if plain_term(each.title).casefold() in titles)
    headed = [Place(plain_term(each.title), each.anchor, each.anchor) for each in called]
    within = [place for place in (*explained, *said) if first and place.title.casefold() in titles]
    named = [*within, *headed][:1]
    lines = [place for place in explained if place.anchor in {rule.anchor for rule in rules}]
    head = [*named, *(place for place in lines[:1] if place.anchor not in anchors(named))]
    more = [place for place in said if place.anchor not in anchors(head)]
    more = more if not explained or len(more) <= USES else []
    aside = [place for place in explained if place not in lines and place.anchor not in anchors(head)]
    return [*head, *more, *aside[:1]]


def anchors(places: Iterable[Place]) -> set[str]:
    return {place.anchor for place in places}


def using(section: Section, term: str) -> Place | None:
    """Return the first line of a section that mentions a term, examples excluded."""
    said = (at for block in section.blocks for at, text in texts(block) if mentions(text, term))
    at = next(said, None)
    return None if at is None else Place(plain_term(section.title), section.anchor, at or section.anchor)


def mentions(text: str, term: str) -> bool:
    """Return whether a text mentions a term, in the singular or plural."""
    forms = "|".join(re.escape(each) for each in {term, words.plural(term)})
    return re.search(rf"(?<![\w-])({forms})(?![\w-])", text, re.IGNORECASE) is not None


def texts(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the texts of a block, with the anchors of their lines, if any."""
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
    """Yield the rows of a table, with its head."""
    yield from (block.head, *block.rows) if isinstance(block, Table) else ()


def is_name(term: str) -> bool:
    """Return whether a reader may look up a term.

    This excludes `10 and 11`, `2nd`, `The price`, `A suit, yours`, and lists of names.
    """
    return re.match(r"\d+( (?![A-Z])|st|nd|rd|th)|(An?|The) [a-z]+(, .*)?$|.*\w, .* and ", term) is None


def terms(section: Section) -> Iterator[tuple[str, str]]:
    """Yield the terms that a section explains, with the anchors of their lines."""
    yield from ((term, section.anchor) for term in section.terms)
    for block in section.blocks:
        yield from ((term, at or section.anchor) for term, at in terms_in(block) if is_name(term))


def terms_in(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the terms that a block explains: titles of items, and ranks or places of a table.

    Titles of numbered steps do not count.
    """
    if isinstance(block, Items):
        for item in block.items:
            if item.title and block.bullets:
                yield plain_term(item.title), item.anchor
            yield from (option for part in item.items for option in terms_in(Items((part,), item.bullets)))
    if isinstance(block, Plan):
        yield from ((spot.name, "") for spot in block.spots)
    if isinstance(block, Table) and block.title and block.head[0] == "":
        yield words.capital(words.plural(block.head[1])), block.anchor
    if isinstance(block, Table) and block.title:
        column = 1 if block.hands or block.head[0] in ("", "Copies") else 0
        names = (re.sub(r" \(\w+\)$", "", row[column]) for row in block.rows)
        yield from ((name, block.anchor) for name in numbered(names))


def numbered(names: Iterable[str]) -> Iterator[str]:
    """Merge names that differ only in their number: `2, 3, 4 Shiny Dragons`."""
    found: dict[str, list[int]] = {}
    for name in names:
        number = NUMBERS.match(name)
        found.setdefault(NUMBERS.sub("", name), []).extend([int(number[1])] if number is not None else [])
    for name, numbers in found.items():
        yield f"{', '.join(map(str, sorted(numbers)))} {name}" if numbers else name


def plain_term(title: str) -> str:
    """Return a term without owner and cost: `Hand limit`, `Redraw` of `Redraw (1 point)`."""
    title = re.sub(r"^The (.*) of some cards$", r"\1", re.sub(r" \([^()]*\)$", "", title))
    return words.capital(re.sub(r"^(Your|An? \w+'s) ", "", title))
