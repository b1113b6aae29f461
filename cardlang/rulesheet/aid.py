"""The player aid: what a sheet says of turns and ranks, on one page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve

from cardlang.rulesheet.links import anchored
from cardlang.rulesheet.model import Block, Item, Items, Paragraph, RuleSheet, Section, Table

COURSE = ("Set-up", "How to play")
ALWAYS = ("Reactions", "At any time")
LINES = 4
"""So many instructions stand for a step that has no words of its author."""


def aid(sheet: RuleSheet) -> RuleSheet:
    """The player aid of a game, from its sheet."""
    parts = {section.title: section for section in sheet.sections}
    course = [step for title in COURSE if title in parts for step in steps(parts[title])]
    always = [brief(item) for title in ALWAYS if title in parts for item in items_of(parts[title])]
    sections = [
        Section("How to win", goal(parts)),
        Section("Course of the game", (Items(tuple(course), bullets=True),)),
        Section("At any time", (Items(tuple(always), bullets=True),) if always else ()),
        *rankings(sheet),
    ]
    kept = anchored(section for section in sections if section.blocks)
    return evolve(sheet, title=f"{sheet.title}: player aid", pitch="", sections=kept, aid=True)


def goal(parts: dict[str, Section]) -> tuple[Block, ...]:
    """Who wins, without the terms and examples."""
    section = parts.get("How to win")
    return section.blocks[:1] if section else ()


def steps(section: Section) -> Iterator[Item]:
    """A line for each step: the author's words if there are any, else its first instructions."""
    inner = section.sections or (section,)
    for each in inner:
        said = next((block.words for block in each.blocks if isinstance(block, Paragraph) and block.words), "")
        listed = next((block for block in each.blocks if isinstance(block, Items)), None)
        told = tuple(listed.items) if listed and not listed.bullets else ()
        first = "" if said else " ".join(item.text for item in list(leaves(told))[:LINES] if item.text)
        yield Item(first, said, tuple(brief(item) for item in options(told)), True, each.title)


def leaves(items: tuple[Item, ...]) -> Iterator[Item]:
    """The instructions that have no others within them."""
    for item in items:
        yield from leaves(item.items) if item.items else (item,)


def options(items: tuple[Item, ...]) -> Iterator[Item]:
    """The options in some instructions."""
    for item in items:
        if item.title:
            yield item
        else:
            yield from options(item.items)


def brief(item: Item) -> Item:
    """An option or a trigger in its words, or in its own first sentence."""
    if item.words and item.title:
        return Item("", item.words, title=item.title)
    return Item(item.text, item.words, () if item.title else item.items, item.bullets, item.title)


def items_of(section: Section) -> Iterator[Item]:
    """What a section lists first."""
    block = next((block for block in section.blocks if isinstance(block, Items)), None)
    yield from block.items if block else ()


def rankings(sheet: RuleSheet) -> Iterator[Section]:
    """Each ranking as a table of ranks and sample cards."""
    for section in sheet.sections:
        for block in section.blocks:
            if isinstance(block, Table) and block.head[:1] == ("",):
                yield Section(section.title, (short(block),))


def short(table: Table) -> Table:
    """The ranks with how rare they are and their samples; with what they are made of, where there are no samples."""
    if not table.hands:
        return table
    rows = tuple((*row[:2], *map(share, row[3:])) for row in table.rows)
    return evolve(table, head=(*table.head[:2], *table.head[3:]), rows=rows)


def share(cell: str) -> str:
    """How rare a rank is, without the number of hands."""
    return re.sub("^[0-9,]+ hands?, ", "", cell)
