"""Build the player aid: the turns and ranks of a rule sheet, on one page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from attrs import evolve

from cardlang.rulesheet.contents import OWN
from cardlang.rulesheet.index import plain_term
from cardlang.rulesheet.links import anchored, every
from cardlang.rulesheet.model import KEPT, WORDS_USED, Block, Item, Items, Paragraph, RuleSheet, Section, Table

CARD = "Card"
"""Heading of the column of titles, in a table of cards."""
COURSE = ("How to play",)
ALWAYS = ("Reactions", "At any time")
EXPLAINED = ("Set-up", *COURSE, "Terms")
"""Sections that explain terms."""


SEE = re.compile(r" \(see “[^”]+”\)")
PAGE = 5900
"""Number of letters that fit on one page at a readable size."""
LINE = 30
"""Letters of space lost at the end of a line."""
CARDS = 70
"""Extra height of a row of drawn cards, in letters."""


def aid(sheet: RuleSheet) -> RuleSheet:
    """Return the player aid of a game, made from its rule sheet.

    It has all instructions if they fit. Otherwise the author's texts replace the steps of an option, then an option,
    then a step, longest first.
    """
    parts = {section.title: section for section in sheet.sections}
    course = [step for title in COURSE if title in parts for step in steps(parts[title])]
    always = [trimmed(item) for title in ALWAYS if title in parts for item in items_of(parts[title])]
    sections = aid_sections(sheet, parts, course, always)
    while sum(map(room_of, sections)) > PAGE:
        long = [item for item in (*course, *always) if room_for(shorter(item)) < room_for(item)]
        if not long:
            break
        longest = max(long, key=room_for)
        course, always = ([shorter(item) if item is longest else item for item in items] for items in (course, always))
        sections = aid_sections(sheet, parts, course, always)
    return evolve(sheet, title=f"{sheet.title}: player aid", pitch="", sections=anchored(sections), aid=True)


def aid_sections(sheet: RuleSheet, parts: dict[str, Section], course: list[Item], always: list[Item]) -> list[Section]:
    """Return the sections of an aid with these instructions. Rankings come first, because players look them up most."""
    aside = next((title for title in ALWAYS if title in parts), "")
    effects = tuple(effect(section) for section in parts["The cards"].sections) if "The cards" in parts else ()
    explained = tuple(terms([parts[title] for title in EXPLAINED if title in parts], (*course, *always)))
    sections = [
        *rankings(sheet),
        Section("Course of the game", (Items(tuple(course), bullets=True),)),
        Section(aside, (Items(tuple(always), bullets=True),) if always else ()),
        Section("The cards", (Items(effects, bullets=True),) if effects else ()),
        Section("Words used here", (Items(explained, bullets=True),) if explained else ()),
    ]
    return [section for section in sections if section.blocks]


def effect(section: Section) -> Item:
    """Return the effects of the cards of a set, without tables and examples. Effects of a single card go under its
    title."""
    titles = {f"{row[block.head.index(CARD)]}:" for block in tables(section) for row in block.rows}
    whole, *single = cut(section.blocks, lambda block: isinstance(block, Paragraph) and block.text in titles)
    own = (one_effect(lead.text.removesuffix(":"), rest) for lead, *rest in single if isinstance(lead, Paragraph))
    found = one_effect(section.title, whole)
    return evolve(found, items=(*found.items, *own))


def tables(section: Section) -> Iterator[Table]:
    """Yield the tables of a section that list cards."""
    return (block for block in section.blocks if isinstance(block, Table) and CARD in block.head)


def cut(blocks: Iterable[Block], begins: Callable[[Block], bool]) -> list[list[Block]]:
    """Split blocks at each block for which `begins` is true. The first part holds the blocks before them."""
    found: list[list[Block]] = [[]]
    for block in blocks:
        if begins(block):
            found.append([])
        found[-1].append(block)
    return found


def one_effect(title: str, blocks: Sequence[Block]) -> Item:
    """Merge the content of some blocks of a section into one item."""
    said = [block.text or block.words for block in blocks if isinstance(block, Paragraph)]
    items = [item for block in blocks if isinstance(block, Items) for item in map(trimmed, block.items)]
    plain = [item.text for item in items if not item.title]
    items += [card for block in blocks if isinstance(block, Table) for card in effects_in(block)]
    return Item(" ".join([*said, *plain]), items=tuple(item for item in items if item.title), bullets=True, title=title)


def effects_in(table: Table) -> Iterator[Item]:
    """Yield the effects of cards in a table, with their limits or costs."""
    for row in table.rows if table.head[-1] == OWN else ():
        facts = [f"{head.lower()}: {cell}" for head, cell in zip(table.head, row, strict=True) if is_count(cell)]
        name = row[table.head.index(CARD)]
        yield Item(row[-1], title=f"{name} ({', '.join(facts)})" if facts else name)


def is_count(cell: str) -> bool:
    return cell.isdecimal() or cell == "unlimited"


def room_of(section: Section) -> int:
    """Estimate the length of a section and its subsections in letters."""
    items = [item for block in section.blocks if isinstance(block, Items) for item in block.items]
    tables = (block for block in section.blocks if isinstance(block, Table))
    return sum(map(room_for, items)) + sum(map(rows_of, tables)) + sum(map(room_of, section.sections))


def room_for(item: Item) -> int:
    """Estimate the length of an item in letters."""
    rows = sum(map(rows_of, (block for block in item.shown if isinstance(block, Table))))
    return LINE + len(item.title + item.text + item.words) + rows + sum(map(room_for, item.items))


def rows_of(table: Table) -> int:
    """Estimate the length of a table in letters."""
    return sum(LINE + len("".join(row)) + (CARDS if table.hands else 0) for row in table.rows)


# ---------------------------------------------------------------- the course of the game
def steps(section: Section) -> Iterator[Item]:
    """Yield each step, and each part of it that has a heading: the author's text and the instructions."""
    for each in (part for step in section.sections or (section,) for part in (step, *parts_of(step))):
        said = next((block.words for block in each.blocks if isinstance(block, Paragraph) and block.words), "")
        listed = next((block for block in each.blocks if isinstance(block, Items)), None)
        told = tuple(listed.items) if listed and not listed.bullets else ()
        if len(told) > 1 or any(item.items or item.shown or item.title or not item.text for item in told):
            yield Item("", said, tuple(map(trimmed, told)), False, each.title)
        else:
            yield Item(" ".join(item.text for item in told), said, title=each.title)


def parts_of(section: Section) -> Iterator[Section]:
    """Yield the parts of a step or ranking that contain lists. Players read paragraphs on the rule sheet."""
    for part in every(section.sections):
        lists = (block for block in part.blocks if isinstance(block, Items))
        if any(item.title or item.items or item.shown for block in lists for item in block.items):
            yield part


def trimmed(item: Item) -> Item:
    """Return an instruction without its example, pictures and cross-references.

    Only an option keeps the author's text. A line that only led to a picture ends with a full stop.
    """
    kept = item.words if item.title or not item.text else ""
    shown = tuple(block for block in item.shown if isinstance(block, Table))
    text = SEE.sub("", item.text)
    if item.shown and not shown and not item.items:
        text = re.sub(":$", ".", text)
    return evolve(item, text=text, words=kept, story=None, shown=shown, items=tuple(map(trimmed, item.items)))


def shorter(item: Item) -> Item:
    """Shorten a step or reaction by one stage.

    First drop the steps of its options, then replace each option by its text. Next, replace all but the options by the
    author's text. After that, return it unchanged.
    """
    for cut in (without_body, in_words):
        short = evolve(item, items=tuple(cut(part) for part in item.items))
        if short != item:
            return short
    if not (item.words and item.title):
        return item
    return Item(item.text if item.items else "", item.words, tuple(options(item.items)), True, item.title)


def without_body(item: Item) -> Item:
    """Drop the steps of an option if the author describes it."""
    if item.title:
        return evolve(item, items=()) if item.words else item
    return evolve(item, items=tuple(map(without_body, item.items)))


def in_words(item: Item) -> Item:
    """Replace an option by the author's text, if there is one."""
    if item.title:
        return Item("", item.words, title=item.title) if item.words else item
    return evolve(item, items=tuple(map(in_words, item.items)))


def options(items: tuple[Item, ...]) -> Iterator[Item]:
    """Yield the options in some instructions."""
    for item in items:
        if item.title:
            yield item
        else:
            yield from options(item.items)


def items_of(section: Section) -> Iterator[Item]:
    """Yield the items of the first list of a section."""
    block = next((block for block in section.blocks if isinstance(block, Items)), None)
    yield from block.items if block else ()


# ---------------------------------------------------------------- terms
def terms(sections: Iterable[Section], told: tuple[Item, ...]) -> Iterator[Item]:
    """Yield the terms that some instructions mention."""
    mentioned = " ".join(texts(told)).lower()
    for section in every(sections):
        for lead, block in pairwise((None, *section.blocks)):
            for item in block.items if isinstance(block, Items) and block.bullets and lead != KEPT else ():
                name = re.sub(" of cards$| [(].*", "", plain_term(item.title)).lower()
                if item.title and re.search(rf"\b{re.escape(name)}\b", mentioned):
                    yield item


def texts(items: Iterable[Item]) -> Iterator[str]:
    """Yield all texts of some items."""
    for item in items:
        yield from (item.text, item.words)
        yield from texts(item.items)


# ---------------------------------------------------------------- rankings
def rankings(sheet: RuleSheet) -> Iterator[Section]:
    """Yield each ranking as a table of ranks and sample cards, with its wild cards and tie-breaks."""
    for section in sheet.sections:
        for block in section.blocks:
            if isinstance(block, Table) and block.head[:1] == ("",):
                parts = [evolve(part, blocks=tuple(ruling(part))) for part in parts_of(section)]
                own = (each for each in ruling(section) if isinstance(each, Items))
                yield Section(section.title, (short(block), *own), tuple(parts))


def ruling(section: Section) -> Iterator[Block]:
    """Yield the lists of a ranking section and the paragraphs that lead to them, without its terms."""
    for block in section.blocks:
        if block == WORDS_USED:
            return
        if isinstance(block, Items):
            yield Items(tuple(map(trimmed, block.items)), block.bullets)
        elif isinstance(block, Paragraph) and block.text.endswith(":"):
            yield block


def short(table: Table) -> Table:
    """Reduce a table of ranks to ranks and samples; without samples, keep it whole."""
    if not table.hands:
        return table
    rows = tuple(row[:2] for row in table.rows)
    return evolve(table, head=(*table.head[:2], table.head[table.before]), rows=rows, before=2)
