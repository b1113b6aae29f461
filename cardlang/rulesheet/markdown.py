"""Render a rule sheet as plain Markdown."""

from __future__ import annotations

import re

from attrs import evolve, frozen

from cardlang.plain_text import harmless
from cardlang.rulesheet.links import Links
from cardlang.rulesheet.model import (
    Block,
    Hand,
    Item,
    Items,
    Paragraph,
    Picture,
    Place,
    Plan,
    Question,
    RuleSheet,
    Section,
    Story,
    Table,
    Terms,
)

SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
ENTITY = re.compile(r"&(?=#?\w+;)")
AT_START = re.compile(r"^(\s*)([-+#>=]|\d+[.)])")


def escape(text: str) -> str:
    """Escape a text for Markdown."""
    return escape_piece(harmless(text))


def escape_piece(text: str) -> str:
    """Escape a piece of a sanitised text. Spaces at its ends remain."""
    return ENTITY.sub("&amp;", SPECIAL.sub(r"\\\1", text))


def start(text: str) -> str:
    """Escape the start of a line, so that it does not become a list or a heading."""
    return AT_START.sub(lambda m: m[1] + m[2][:-1] + "\\" + m[2][-1], text)


def render(sheet: RuleSheet, at_table: bool = False) -> str:
    """Return the whole sheet as Markdown.

    `at_table`: for reading next to the table on screen, with examples as quotations, and without the edition.
    """
    lines = [f"# {escape(sheet.title)}", ""]
    if sheet.pitch:
        lines += [f"*{escape(sheet.pitch)}*", ""]
    lines += [f"- {escape(fact)}" for fact in sheet.facts]
    page = Page(Links.of(sheet.sections), at_table)
    for section in sheet.sections:
        lines += ["", *page.section(section, 2)]
    if sheet.version and not at_table:
        lines += ["", escape(sheet.edition)]
    return "\n".join(lines) + "\n"


@frozen
class Page:
    """Markdown renderer for the parts of a sheet."""

    links: Links
    quoting: bool = False
    """True if examples are quotations."""

    def section(self, section: Section, level: int) -> list[str]:
        lines = [f"{'#' * min(level, 6)} {escape(section.title)}"]
        for block in section.blocks:
            told = self.block(block)
            lines += ["", *told] if told else []
        for part in section.sections:
            lines += ["", *self.section(part, level + 1)]
        return lines

    def block(self, block: Block) -> list[str]:
        match block:
            case Paragraph():
                return [start(self.both(block.text, block.words))]
            case Items():
                return self.items(block.items, block.bullets, "")
            case Table():
                return table(block)
            case Question():
                return [f"**{escape(block.question)}**  ", start(escape(block.answer))]
            case Story():
                return self.example(block)
            case Picture():
                return pictured(block)
            case Plan():
                return table(block.table)
            case Terms():
                return [f"- {escape(term)}: {', '.join(map(link, places))}" for term, places in block.entries]

    def example(self, story: Story) -> list[str]:
        """Render an example between the rules."""
        if not self.quoting:
            return self.story(story)
        return [f"> {line}".rstrip() for line in self.story(evolve(story, title=f"Example: {story.title}"))]

    def story(self, story: Story) -> list[str]:
        """Render an example: its title and its passages, as paragraphs and numbered lines."""
        lines = [f"**{escape(story.title)}.**"]
        numbered = False
        for passage in story.passages:
            said = " ".join((*([f"**{escape(passage.title)}:**"] if passage.title else []), self.linked(passage.text)))
            if not passage.named:
                said = " ".join((said, *(f"*{escape(hand.label)}: {sample(hand)}.*" for hand in passage.hands)))
            if passage.picture is not None:
                said = " ".join((said, *pictured(passage.picture)))
            if passage.line:
                lines += [*([] if numbered else [""]), f"{passage.line}. {said}"]
            elif numbered:
                lines += ["", said]
            else:
                lines[-1] += f" {said}"
            numbered = bool(passage.line)
        return lines

    def linked(self, text: str) -> str:
        """Render a generated text, with links to the sections that it names."""
        parts = self.links.split(harmless(text))
        return "".join(f"[{escape_piece(part)}](#{anchor})" if anchor else escape_piece(part) for part, anchor in parts)

    def both(self, text: str, words: str) -> str:
        """Join a generated sentence and the author's text on it."""
        return " ".join(part for part in (self.linked(text), f"*{escape(words)}*" if words else "") if part)

    def items(self, items: tuple[Item, ...], bullets: bool, indent: str) -> list[str]:
        lines = []
        for number, item in enumerate(items, 1):
            mark = "- " if bullets else f"{number}. "
            said = self.both(item.text, item.words)
            said = f"**{escape(item.heading)}** {said}" if item.title else start(said)
            lines.append(f"{indent}{mark}{said}".rstrip())
            deeper = indent + " " * len(mark)
            for block in item.shown:
                lines += ["", *(f"{deeper}{line}" for line in self.block(block)), ""]
            lines += self.items(item.items, item.bullets, deeper)
            if item.story is not None:
                told = ["", *self.example(item.story), *([""] if number < len(items) else [])]
                lines += [f"{deeper}{line}".rstrip() for line in told]
        return lines


def pictured(picture: Picture) -> list[str]:
    """Render the descriptions of a picture."""
    said = (f"{panel.caption}: {panel.says}" if panel.caption else panel.says for panel in picture.panels)
    return [" ".join(f"*{escape(each)}*" for each in said)]


def link(place: Place) -> str:
    return f"[{escape(place.title)}](#{place.anchor})"


def table(table: Table) -> list[str]:
    """Render a table. It names the cards that other formats draw."""
    cells = [tuple(map(escape, row)) for row in table.rows]
    if table.hands:
        at = table.before
        cells = [(*row[:at], sample(hand), *row[at:]) for row, hand in zip(cells, table.hands, strict=True)]
    rows = [tuple(map(escape, table.head)), tuple("---" for _ in table.head), *cells]
    return [f"| {' | '.join(row)} |" for row in rows]


def sample(hand: Hand) -> str:
    return escape(", ".join(look.title for look in hand.cards))
