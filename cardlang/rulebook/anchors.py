"""Anchors, links and word count of a rulebook."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from cardlang.english.control_characters import remove_invisible_characters
from cardlang.rulebook.model import (
    TITLE_LINK,
    Block,
    Item,
    ItemList,
    Paragraph,
    QuestionBlock,
    Section,
    TableBlock,
    TextSpan,
    WorkedExample,
    get_spans,
)

QUOTED_TITLE = re.compile("(“[^”]+”)")


def add_section_anchors(
    sections: Iterable[Section], anchor_counts: dict[str, int] | None = None
) -> tuple[Section, ...]:
    """Return the sections with unique anchors, made from headings as code hosts do."""
    anchor_counts = {} if anchor_counts is None else anchor_counts
    done = []
    for section in sections:
        anchor = number_repeated_anchor(convert_to_anchor(section.title), anchor_counts)
        done.append(evolve(section, anchor=anchor, sections=add_section_anchors(section.sections, anchor_counts)))
    return tuple(done)


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
        """Split a text into spans without invisible characters. A quoted title of a section links to it.

        Links to sections that this rulebook does not have are dropped."""
        spans = []
        for span in get_spans(text):
            if span.link.startswith(TITLE_LINK):
                anchor = self.anchors.get(span.link.removeprefix(TITLE_LINK), "")
                span = evolve(span, link=f"#{anchor}" if anchor else "")
            elif span.link.startswith("#") and span.link[1:] not in self.anchors.values():
                span = evolve(span, link="")
            for part in (span.text,) if span.link or span.code else QUOTED_TITLE.split(span.text):
                anchor = self.anchors.get(part[1:-1], "") if part.startswith("“") else ""
                spans += [evolve(span, text=part, link=f"#{anchor}" if anchor else span.link)] if part else []
        return spans


def walk_sections(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield all sections in preorder."""
    for section in sections:
        yield section
        yield from walk_sections(section.sections)


# ---------------------------------------------------------------- words
def count_words(sections: Iterable[Section]) -> int:
    """Return the number of words in some sections, without drawn cards and pictures."""
    return sum(
        len(text.split())
        for section in walk_sections(sections)
        for block in (Paragraph(section.title), *section.blocks)
        for text in iter_block_texts(block)
    )


def iter_block_texts(block: Block | Item) -> Iterator[str]:
    """Yield all texts of a block or item."""
    match block:
        case Paragraph():
            yield from (block.text, block.author_text)
        case ItemList(items=parts):
            yield from (text for part in parts for text in iter_block_texts(part))
        case Item():
            yield from (block.title, block.text, block.author_text)
            below = (*block.items, *block.figures, *((block.example,) if block.example is not None else ()))
            yield from (text for part in below for text in iter_block_texts(part))
        case TableBlock():
            yield from (block.title, *block.head, *(cell for row in block.rows for cell in row))
        case QuestionBlock():
            yield from (block.question, block.answer)
        case WorkedExample():
            yield from (block.title, *(passage.text for passage in block.passages))
