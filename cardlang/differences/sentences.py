"""Comparison of two rulebooks, sentence by sentence within each section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from attrs import define, field, frozen

from cardlang.rulesheet.model import (
    Block,
    Item,
    Items,
    Paragraph,
    Picture,
    Plan,
    Question,
    RuleSheet,
    Section,
    Story,
    Table,
)

Place = tuple[str, ...]
"""Path of section titles, with the title of the paragraph or list (or an empty string) at the end."""
ENDS = re.compile(r"(?<=[.!?”])\s+(?=[A-Z“])")


@frozen
class Sentence:
    """Sentence of a rulebook. `words` marks custom wording; other sentences are generated. `depth` counts the enclosing
    instructions."""

    text: str
    words: bool = False
    depth: int = 0


@frozen
class Change:
    """Sentences removed from one place of a rulebook, and sentences added there."""

    place: Place
    gone: tuple[Sentence, ...]
    came: tuple[Sentence, ...]


@define
class Told:
    """Content of a place: instructions, whose order matters, and facts, whose order doesn't."""

    steps: list[Sentence] = field(factory=list)
    facts: list[Sentence] = field(factory=list)


def changes(old: tuple[str, RuleSheet], new: tuple[str, RuleSheet]) -> tuple[Change, ...]:
    """Compare two rulebooks, given with the titles of their games. Return the changes in rulebook order.

    Facts that only move to another place with the same title, or change their order, are no change."""
    before, after = told(*old), told(*new)
    gone, came = facts_beyond(before, after), facts_beyond(after, before)
    kept = by_title(gone) & by_title(came)
    drop(gone, kept)
    drop(came, kept)
    found = []
    for place in both(before, after):
        out, in_ = steps_changed(before.get(place, Told()).steps, after.get(place, Told()).steps)
        found.append(Change(place, (*gone.get(place, ()), *out), (*came.get(place, ()), *in_)))
    return tuple(each for each in found if each.gone or each.came)


def facts_beyond(one: dict[Place, Told], other: dict[Place, Told]) -> dict[Place, list[Sentence]]:
    """Return the facts of one rulebook that the other doesn't have at the same place."""
    return {
        place: list((Counter(told_.facts) - Counter(other.get(place, Told()).facts)).elements())
        for place, told_ in one.items()
    }


def by_title(facts: dict[Place, list[Sentence]]) -> Counter[tuple[str, Sentence]]:
    return Counter((place[-1], each) for place, told_ in facts.items() for each in told_)


def drop(facts: dict[Place, list[Sentence]], kept: Counter[tuple[str, Sentence]]) -> None:
    """Remove the given number of copies of each fact."""
    left = Counter(kept)
    for place, told_ in facts.items():
        for each in [*told_]:
            if left[place[-1], each]:
                left[place[-1], each] -= 1
                told_.remove(each)


def steps_changed(old: list[Sentence], new: list[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """Return the instructions removed and added. A changed order counts as a change."""
    gone: list[Sentence] = []
    came: list[Sentence] = []
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += old[start:end]
            came += new[first:last]
    return gone, came


def both(before: Iterable[Place], after: Iterable[Place]) -> list[Place]:
    """Return the places of two rulebooks. Places of the old one alone follow their predecessors there."""
    order = list(after)
    at = 0
    for place in before:
        if place in order:
            at = order.index(place) + 1
        else:
            order.insert(at, place)
            at += 1
    return order


# ---------------------------------------------------------------- content of a rulebook
def told(title: str, sheet: RuleSheet) -> dict[Place, Told]:
    """Return the content of a rulebook by place. The index is left out because it repeats other content."""
    found: dict[Place, Told] = {
        ("Title", ""): Told(facts=[Sentence(title, words=True)]),
        ("About the game", ""): Told(facts=[*map(Sentence, sheet.facts), *sentences(sheet.pitch, words=True)]),
    }
    for section in sheet.sections:
        add_section(found, section, ())
    return found


def add_section(found: dict[Place, Told], section: Section, around: Place) -> None:
    place = (*around, section.title)
    lead = ""
    for block in section.blocks:
        if isinstance(block, Paragraph) and block.text.endswith(":"):
            lead = block.text[:-1]
        else:
            add_block(found, block, place, lead)
            lead = ""
    for part in section.sections:
        add_section(found, part, place)


def add_block(found: dict[Place, Told], block: Block, place: Place, lead: str) -> None:
    """Add the content of a block. `lead` is the introduction of a list, used as the title if the list has none."""
    match block:
        case Paragraph(text=text, words=words):
            at(found, place, "").facts += [*sentences(text), *sentences(words, words=True)]
        case Items(items=items, bullets=bullets):
            add_items(found, items, bullets, place, lead, 0)
        case Picture(panels=panels):
            at(found, place, "").facts += [part for each in panels for part in sentences(each.says, words=True)]
        case Plan():
            at(found, place, block.table.title).facts += rows(block.table, False)
        case Table():
            here, numbered = at(found, place, block.title or lead), block.head[0] == ""
            (here.steps if numbered else here.facts).extend(rows(block, numbered))
        case Question(question=question, answer=answer):
            at(found, place, question).steps += sentences(answer, words=True)
        case Story(title=title, passages=passages):
            at(found, place, title).steps += [part for each in passages for part in sentences(each.text)]


def add_items(
    found: dict[Place, Told], items: Iterable[Item], bullets: bool, place: Place, title: str, depth: int
) -> None:
    for item in items:
        name, deep = (item.title, 0) if item.title else (title, depth)
        said = [*sentences(item.text, deep), *sentences(item.words, deep, words=True)]
        here = at(found, place, name)
        if bullets:
            here.facts += said or ([] if item.items else [Sentence(item.title, depth=deep)])
        else:
            here.steps += said
        for block in item.shown:
            add_block(found, block, place, name)
        add_items(found, item.items, item.bullets, place, name, deep + 1)
        if item.story is not None:
            add_block(found, item.story, place, "")


def at(found: dict[Place, Told], place: Place, title: str) -> Told:
    return found.setdefault((*place, title), Told())


def sentences(text: str, depth: int = 0, words: bool = False) -> list[Sentence]:
    return [Sentence(part, words, depth) for part in ENDS.split(text) if part]


def rows(table: Table, numbered: bool) -> Iterator[Sentence]:
    """Yield the rows of a table as strings, without row numbers: `Place: Deck; One for: the table`."""
    for number, row in enumerate(table.rows):
        drawn = (", ".join(look.title for look in table.hands[number].cards),) if table.hands else ()
        cells = zip(table.head, (*row, *drawn), strict=True)
        yield Sentence("; ".join(f"{head}: {cell}" for head, cell in [*cells][numbered:] if cell))
