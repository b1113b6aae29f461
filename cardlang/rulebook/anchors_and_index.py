"""Anchors, links and index of a rulebook."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from attrs import evolve, frozen

from cardlang.english import morphology
from cardlang.english.control_characters import remove_invisible_characters
from cardlang.rulebook.model import (
    Block,
    IndexEntry,
    Item,
    ItemList,
    Paragraph,
    Section,
    SectionReference,
    TableBlock,
    TablePlan,
    TextSpan,
    get_spans,
)

QUOTED_TITLE = re.compile("(“[^”]+”)")


def add_section_anchors(
    sections: Iterable[Section], anchor_counts: dict[str, int] | None = None
) -> tuple[Section, ...]:
    """Return the sections with unique anchors, made from headings as code hosts do. Lines and tables get anchors as
    well."""
    anchor_counts = {} if anchor_counts is None else anchor_counts
    done = []
    for section in sections:
        anchor = number_repeated_anchor(convert_to_anchor(section.title), anchor_counts)
        names = (f"{anchor}.{number}" for number in count(1))
        blocks = tuple(add_block_anchors(block, names) for block in section.blocks)
        done.append(
            evolve(section, anchor=anchor, blocks=blocks, sections=add_section_anchors(section.sections, anchor_counts))
        )
    return tuple(done)


def add_block_anchors(block: Block, names: Iterator[str]) -> Block:
    """Add anchors to the lines of a block; a table has one for all its rows."""
    if isinstance(block, ItemList):
        return evolve(block, items=add_item_anchors(block.items, names))
    return evolve(block, anchor=next(names)) if isinstance(block, TableBlock) else block


def add_item_anchors(items: Iterable[Item], names: Iterator[str]) -> tuple[Item, ...]:
    """Add anchors to the items of a list and all items nested in them."""
    return tuple(evolve(item, anchor=next(names), items=add_item_anchors(item.items, names)) for item in items)


def convert_to_anchor(title: str) -> str:
    """Convert a title to an anchor: its letters with their accents, digits, and hyphens for spaces."""
    letters = (
        char
        for char in remove_invisible_characters(title).lower()[:80]
        if char in "- _" or char.isalnum() or is_combining_mark(char)
    )
    return "".join(letters).replace(" ", "-")


def is_combining_mark(char: str) -> bool:
    """Return whether a character combines with the letter before it, such as an accent or vowel sign."""
    return unicodedata.category(char)[0] == "M"


def number_repeated_anchor(name: str, anchor_counts: dict[str, int]) -> str:
    """Return the name, with a number appended if it is taken."""
    count = anchor_counts.get(name, 0)
    anchor_counts[name] = count + 1
    return f"{name}-{count}" if count else name


@frozen
class SectionLinks:
    """Anchors of a rulebook by the titles of its sections."""

    anchors: dict[str, str]

    @staticmethod
    def build_from_sections(sections: Iterable[Section]) -> SectionLinks:
        anchors: dict[str, str] = {}
        for section in walk_sections(sections):
            anchors.setdefault(section.title, section.anchor)
        return SectionLinks(anchors)

    def split_at_links(self, text: str) -> list[TextSpan]:
        """Split a text into spans without invisible characters. A quoted title of a section links to it."""
        spans = []
        for span in get_spans(text):
            for part in (span.text,) if span.link or span.code else QUOTED_TITLE.split(span.text):
                anchor = self.anchors.get(part[1:-1], "") if part.startswith("“") else ""
                spans += [evolve(span, text=part, link=f"#{anchor}" if anchor else span.link)] if part else []
        return spans


def walk_sections(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield all sections in preorder."""
    for section in sections:
        yield section
        yield from walk_sections(section.sections)


MAX_LISTED_USES = 3
"""Maximum number of uses listed for a term. A term with more uses is so common that listing them helps no reader."""
TERM_HEADING_SECTIONS = ("How to play", "The cards")
"""Sections whose subsections are terms."""
NUMBER_PREFIX = re.compile(r"^(\d+(?:, \d+)*) (?=[A-Z])")
"""Numbers that are part of the name of ranks: `2, 3, 4 Shiny Dragons`, sorted under S."""
NON_RULE_SECTIONS = ("How to win", "Contents", "On the table", "Variants", "Questions and answers", "More examples")
"""Sections without rules of the game itself, where uses of terms do not count."""


def build_index(
    sections: Iterable[Section], extra_entries: Iterable[str] = (), excluded: Iterable[str] = ()
) -> tuple[IndexEntry, ...]:
    """Return the terms in alphabetical order, with the places that explain and use them.

    `extra_entries`: further entries, with the sections that use them, if any. An entry `Deck: Round` puts the section
    of this title first. `excluded`: terms to leave out.
    """
    sections = tuple(sections)
    rules = find_rule_sections(sections)
    listed: dict[str, str] = {}
    for name, _, first in (each.partition(": ") for each in extra_entries):
        listed[morphology.capitalize_first_letter(name)] = listed.get(morphology.capitalize_first_letter(name)) or first
    headed = [each for section in sections if section.title in TERM_HEADING_SECTIONS for each in section.sections]
    references: dict[str, list[SectionReference]] = {}
    for section in (*rules, *walk_sections(each for each in sections if each.title in NON_RULE_SECTIONS)):
        section_terms = [(simplify_term(section.title), section.anchor)] if section in headed else []
        for term, at in (*(each for each in section_terms if is_index_term(each[0])), *find_explained_terms(section)):
            references.setdefault(term, []).append(SectionReference(simplify_term(section.title), section.anchor, at))
    for one in [
        term for term in references if morphology.pluralize(term) != term and morphology.pluralize(term) in references
    ]:
        references[morphology.pluralize(one)] += references.pop(one)
    entries = [
        (term, tuple(order_references(term, at, get_preferred_section(term, listed), sections)))
        for term, at in references.items()
    ]
    known = {form.casefold() for term in references for form in (term, morphology.pluralize(term))}
    for name, first in {each.casefold(): (each, first) for each, first in listed.items()}.values():
        where = order_references(name, [], first, sections)[: MAX_LISTED_USES + 1]
        if where and not {name.casefold(), morphology.pluralize(name).casefold()} & known:
            entries.append((name, tuple(where)))
    unsought = {name.casefold() for name in excluded}
    entries = [entry for entry in entries if entry[0].casefold() not in unsought]
    return tuple(sorted(entries, key=lambda entry: (NUMBER_PREFIX.sub("", entry[0]).casefold(), entry[0])))


def get_preferred_section(term: str, listed: Mapping[str, str]) -> str:
    """Return the section title that the author gives for a term or its singular."""
    return listed.get(term) or listed.get(morphology.singularize(term), "")


def find_rule_sections(sections: Iterable[Section]) -> list[Section]:
    """Return the sections with rules, in preorder."""
    return [section for each in sections if each.title not in NON_RULE_SECTIONS for section in walk_sections((each,))]


def order_references(
    term: str, explanations: Sequence[SectionReference], preferred_title: str, sections: Sequence[Section]
) -> list[SectionReference]:
    """Return the places of a term, one for each section.

    First the section named or titled so, then the first rule that explains it. Next its uses, unless they are too many,
    and last a list that explains it outside the rules.
    """
    rules = find_rule_sections(sections)
    first_uses = [reference for section in rules if (reference := find_first_use(section, term)) is not None]
    titles = (
        {preferred_title.casefold()} if preferred_title else {term.casefold(), morphology.pluralize(term).casefold()}
    )
    searched = walk_sections(sections) if preferred_title else rules
    called = (candidate for candidate in searched if simplify_term(candidate.title).casefold() in titles)
    headed = [
        SectionReference(simplify_term(candidate.title), candidate.anchor, candidate.anchor) for candidate in called
    ]
    within = [
        reference
        for reference in (*explanations, *first_uses)
        if preferred_title and reference.title.casefold() in titles
    ]
    named = [*within, *headed][:1]
    lines = [reference for reference in explanations if reference.anchor in {rule.anchor for rule in rules}]
    head = [*named, *(reference for reference in lines[:1] if reference.anchor not in get_anchors(named))]
    more = [reference for reference in first_uses if reference.anchor not in get_anchors(head)]
    more = more if not explanations or len(more) <= MAX_LISTED_USES else []
    aside = [
        reference for reference in explanations if reference not in lines and reference.anchor not in get_anchors(head)
    ]
    return [*head, *more, *aside[:1]]


def get_anchors(references: Iterable[SectionReference]) -> set[str]:
    return {reference.anchor for reference in references}


def find_first_use(section: Section, term: str) -> SectionReference | None:
    """Return the first line of a section that mentions a term, examples excluded."""
    anchors = (
        at for block in section.blocks for at, text in list_anchored_texts(block) if is_term_mentioned(text, term)
    )
    at = next(anchors, None)
    return None if at is None else SectionReference(simplify_term(section.title), section.anchor, at or section.anchor)


def is_term_mentioned(text: str, term: str) -> bool:
    """Return whether a text mentions a term, in the singular or plural."""
    forms = "|".join(re.escape(form) for form in {term, morphology.pluralize(term)})
    return re.search(rf"(?<![\w-])({forms})(?![\w-])", text, re.IGNORECASE) is not None


def list_anchored_texts(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the texts of a block, with the anchors of their lines, if any."""
    if isinstance(block, Paragraph):
        yield "", f"{block.text} {block.author_text}"
    elif isinstance(block, ItemList):
        for item in block.items:
            yield item.anchor, f"{item.title} {item.text} {item.author_text}"
            yield from ((item.anchor, " ".join(cells)) for figure in item.figures for cells in get_table_rows(figure))
            yield from list_anchored_texts(ItemList(item.items))
    elif isinstance(block, TableBlock) and not block.title:
        yield from (("", " ".join(cells)) for cells in get_table_rows(block))


def get_table_rows(block: Block) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table, with its head."""
    yield from (block.head, *block.rows) if isinstance(block, TableBlock) else ()


def is_index_term(term: str) -> bool:
    """Return whether a reader may look up a term.

    This excludes `10 and 11`, `2nd`, `The price`, `A suit, yours`, and lists of names.
    """
    return re.match(r"\d+( (?![A-Z])|st|nd|rd|th)|(An?|The) [a-z]+(, .*)?$|.*\w, .* and ", term) is None


def find_explained_terms(section: Section) -> Iterator[tuple[str, str]]:
    """Yield the terms that a section explains, with the anchors of their lines."""
    yield from ((term, section.anchor) for term in section.index_terms)
    for block in section.blocks:
        yield from ((term, at or section.anchor) for term, at in find_block_terms(block) if is_index_term(term))


def find_block_terms(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the terms that a block explains: titles of items, and ranks or places of a table.

    Titles of numbered steps do not count.
    """
    if isinstance(block, ItemList):
        for item in block.items:
            if item.title and block.bullets:
                yield simplify_term(item.title), item.anchor
            yield from (option for part in item.items for option in find_block_terms(ItemList((part,), item.bullets)))
    if isinstance(block, TablePlan):
        yield from ((spot.name, "") for spot in block.zones)
    if isinstance(block, TableBlock) and block.title and block.head[0] == "":
        yield morphology.capitalize_first_letter(morphology.pluralize(block.head[1])), block.anchor
    if isinstance(block, TableBlock) and block.title:
        column = 1 if block.hands or block.head[0] in ("", "Copies") else 0
        names = (re.sub(r" \(\w+\)$", "", row[column]) for row in block.rows)
        yield from ((name, block.anchor) for name in merge_numbered_names(names))


def merge_numbered_names(names: Iterable[str]) -> Iterator[str]:
    """Merge names that differ only in their number: `2, 3, 4 Shiny Dragons`."""
    numbers_by_name: dict[str, list[int]] = {}
    for name in names:
        number = NUMBER_PREFIX.match(name)
        numbers_by_name.setdefault(NUMBER_PREFIX.sub("", name), []).extend(
            [int(number[1])] if number is not None else []
        )
    for name, numbers in numbers_by_name.items():
        yield f"{', '.join(map(str, sorted(numbers)))} {name}" if numbers else name


def simplify_term(title: str) -> str:
    """Return a term without owner and cost: `Hand limit`, `Redraw` of `Redraw (1 point)`."""
    title = re.sub(r"^The (.*) of some cards$", r"\1", re.sub(r" \([^()]*\)$", "", title))
    return morphology.capitalize_first_letter(re.sub(r"^(Your|An? \w+'s) ", "", title))
