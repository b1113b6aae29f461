"""Markdown renderer of a rulebook."""

from __future__ import annotations

import re

from attrs import evolve, frozen

from cardlang.english import morphology
from cardlang.english.control_characters import remove_invisible_characters
from cardlang.rulebook.anchors import SectionLinks
from cardlang.rulebook.model import (
    Block,
    HandPicture,
    Item,
    ItemList,
    Paragraph,
    Picture,
    QuestionBlock,
    Rulebook,
    Section,
    StyledText,
    TableBlock,
    TextSpan,
    WorkedExample,
)

MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
HTML_ENTITY = re.compile(r"&(?=#?\w+;)")
LINE_START_MARK = re.compile(r"^(\s*)([-+#>=]|\d+[.)])")


def escape_markdown(text: str) -> str:
    """Escape a text for Markdown."""
    return escape_markdown_piece(remove_invisible_characters(text))


def escape_markdown_piece(text: str) -> str:
    """Escape a piece of a sanitised text. Spaces at its ends remain."""
    return HTML_ENTITY.sub("&amp;", MARKDOWN_SPECIAL.sub(r"\\\1", text))


def escape_line_start(text: str) -> str:
    """Escape the start of a line, so that it does not become a list or a heading."""
    return LINE_START_MARK.sub(lambda m: m[1] + m[2][:-1] + "\\" + m[2][-1], text)


def render_markdown(rulebook: Rulebook, at_table: bool = False) -> str:
    """Return the whole rulebook as Markdown.

    `at_table`: for reading next to the table on screen, with examples as quotations and without pictures. Otherwise a
    comment at the end has the edition.
    """
    lines = [f"# {escape_markdown(rulebook.title)}"]
    if rulebook.pitch:
        lines += ["", f"*{escape_markdown(rulebook.pitch)}*"]
    if rulebook.facts:
        lines += ["", *(f"- {escape_markdown(fact)}" for fact in rulebook.facts)]
    page = MarkdownPage(SectionLinks.build_from_sections(rulebook.sections), at_table)
    for section in rulebook.sections:
        lines += ["", *page.render_section(section, 2)]
    if rulebook.version and not at_table:
        lines += ["", "<!--", rulebook.edition, "-->"]
    return "\n".join(lines) + "\n"


@frozen
class MarkdownPage:
    """Markdown renderer for the parts of a rulebook."""

    links: SectionLinks
    at_table: bool = False
    """True on a screen next to the table: examples are quotations, and descriptions of pictures are left out."""

    def render_section(self, section: Section, level: int) -> list[str]:
        lines = [f"{'#' * min(level, 6)} {escape_markdown(section.title)}"] if section.title else []
        for block in section.blocks:
            block_lines = self.render_block(block)
            lines += ["", *block_lines] if block_lines else []
        for part in section.sections:
            lines += ["", *self.render_section(part, level + 1)]
        return lines

    def render_block(self, block: Block) -> list[str]:
        match block:
            case Paragraph():
                return [escape_line_start(self.render_text_pair(block.text, block.author_text))]
            case ItemList(definitions=True):
                texts = ("\n".join(self.render_item(item, "", "", True)).rstrip() for item in block.items)
                return "\n\n".join(texts).split("\n")
            case ItemList():
                return self.render_items(block.items, block.bullets, "", block.start)
            case TableBlock():
                return self.render_table(block)
            case QuestionBlock():
                return [f"**{escape_markdown(block.question)}**  ", escape_line_start(escape_markdown(block.answer))]
            case WorkedExample():
                return self.render_example(block)
            case Picture():
                return [] if self.at_table else describe_picture(block)

    def render_example(self, example: WorkedExample) -> list[str]:
        """Render an example between the rules."""
        if not self.at_table:
            return self.render_passages(example)
        return [
            f"> {line}".rstrip() for line in self.render_passages(evolve(example, title=f"Example: {example.title}"))
        ]

    def render_passages(self, example: WorkedExample) -> list[str]:
        """Render an example: its title and its passages, as paragraphs and numbered lines."""
        lines = [f"**{escape_markdown(example.title)}.**"]
        numbered = False
        for passage in example.passages:
            text = " ".join(
                (
                    *([f"**{escape_markdown(passage.title)}:**"] if passage.title else []),
                    self.render_linked_text(passage.text),
                )
            )
            hands = " ".join(
                escape_markdown(morphology.punctuate_sentence(f"{hand.label}: {hand.description}"))
                for hand in passage.hands
            )
            text = " ".join(part for part in (text, f"*{hands}*" if hands else "") if part)
            if passage.picture is not None:
                text = " ".join((text, *describe_picture(passage.picture)))
            if passage.line_number:
                lines += [*([] if numbered else [""]), f"{passage.line_number}. {text}"]
            elif numbered:
                lines += ["", text]
            else:
                lines[-1] += f" {text}"
            numbered = bool(passage.line_number)
        return lines

    def render_linked_text(self, text: str) -> str:
        """Render a text with its styles and with links to the sections that it names."""
        return "".join(map(render_span, self.links.split_at_links(text)))

    def render_text_pair(self, text: str, author_text: str) -> str:
        """Join a generated sentence and the author's text on it."""
        return " ".join(
            part
            for part in (self.render_linked_text(text), f"*{escape_markdown(author_text)}*" if author_text else "")
            if part
        )

    def render_items(self, items: tuple[Item, ...], bullets: bool, indent: str, start: int = 1) -> list[str]:
        marks = ["- " if bullets else f"{number}. " for number in range(start, start + len(items))]
        pairs = zip(items, marks, strict=True)
        rendered = (self.render_item(item, mark, indent, item is items[-1]) for item, mark in pairs)
        return [line for lines in rendered for line in lines]

    def render_item(self, item: Item, mark: str, indent: str, is_last: bool) -> list[str]:
        text = self.render_text_pair(item.text, item.author_text)
        text = f"**{escape_markdown(item.heading)}** {text}" if item.title else escape_line_start(text)
        lines, deeper = [f"{indent}{mark}{text}".rstrip()], indent + " " * len(mark)
        for block in item.figures:
            lines += [""] * bool(lines[-1])
            lines += [*(f"{deeper}{line}" for line in self.render_block(block)), ""]
        lines += self.render_items(item.items, item.bullets, deeper)
        if item.example is not None:
            example_lines = ["", *self.render_example(item.example), *([] if is_last else [""])]
            lines += [f"{deeper}{line}".rstrip() for line in example_lines]
        return lines

    def render_table(self, table: TableBlock) -> list[str]:
        """Render a table. It names the cards that other formats draw."""
        cells = [tuple(map(self.render_cell, row)) for row in table.rows]
        if table.hands:
            at = table.hands_column
            cells = [
                (*row[:at], describe_sample_hand(hand), *row[at:]) for row, hand in zip(cells, table.hands, strict=True)
            ]
        rows = [tuple(map(self.render_cell, table.head)), tuple("---" for _ in table.head), *cells]
        return [f"| {' | '.join(row)} |" for row in rows]

    def render_cell(self, text: str) -> str:
        return self.render_linked_text(text) if isinstance(text, StyledText) else escape_markdown(text)


def render_span(span: TextSpan) -> str:
    """Render a span. Spaces at its ends go outside the marks of its style."""
    core = span.text.strip()
    if not core:
        return span.text
    marked = escape_markdown_piece(core)
    if span.code:
        fence = "`" * (1 + max(map(len, re.findall("`+", core)), default=0))
        marked = f"{fence} {core} {fence}" if "`" in core else f"`{core}`"
    mark = "**" * span.bold + "*" * span.italic
    marked = f"{mark}{marked}{mark[::-1]}"
    marked = f"[{marked}]({span.link})" if span.link else marked
    before, after = span.text.split(core, 1)
    return f"{before}{marked}{after}"


def describe_picture(picture: Picture) -> list[str]:
    """Render the descriptions of a picture."""
    descriptions = (
        f"{panel.caption}: {panel.description}" if panel.caption else panel.description for panel in picture.panels
    )
    return [" ".join(f"*{escape_markdown(description)}*" for description in descriptions)]


def describe_sample_hand(hand: HandPicture) -> str:
    return escape_markdown(hand.description)
