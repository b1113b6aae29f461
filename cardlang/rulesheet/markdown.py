"""A rule sheet as plain Markdown."""

from __future__ import annotations

import re

from cardlang.rulesheet.model import Block, Item, Items, Paragraph, Question, RuleSheet, Section, Story, Table

SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
AT_START = re.compile(r"^(\s*)([-+#>=]|\d+[.)])")


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    flat = " ".join(text.split())
    return SPECIAL.sub(r"\\\1", flat).replace("&", "&amp;")


def start(text: str) -> str:
    """Escaped text at the start of a line, where it must not become a list or a heading."""
    return AT_START.sub(lambda m: m[1] + m[2][:-1] + "\\" + m[2][-1], text)


def render(sheet: RuleSheet) -> str:
    lines = [f"# {escape(sheet.title)}", ""]
    if sheet.pitch:
        lines += [f"*{escape(sheet.pitch)}*", ""]
    lines += [f"- {escape(fact)}" for fact in sheet.facts]
    for section in sheet.sections:
        lines += ["", *render_section(section, 2)]
    return "\n".join(lines) + "\n"


def render_section(section: Section, level: int) -> list[str]:
    lines = [f"{'#' * level} {escape(section.title)}"]
    for block in section.blocks:
        lines += ["", *render_block(block)]
    for part in section.sections:
        lines += ["", *render_section(part, level + 1)]
    return lines


def render_block(block: Block) -> list[str]:
    match block:
        case Paragraph():
            return [start(both(block.text, block.words))]
        case Items():
            return render_items(block.items, block.bullets, "")
        case Table():
            return render_table(block)
        case Question():
            return [f"**{escape(block.question)}**  ", start(escape(block.answer))]
        case Story():
            return [f"**{escape(block.title)}.** " + " ".join(escape(said) for said in block.sentences)]


def both(text: str, words: str) -> str:
    """A generated sentence and the author's words beside it."""
    return " ".join(part for part in (escape(text), f"*{escape(words)}*" if words else "") if part)


def render_items(items: tuple[Item, ...], bullets: bool, indent: str) -> list[str]:
    lines = []
    for number, item in enumerate(items, 1):
        mark = "- " if bullets else f"{number}. "
        said = both(item.text, item.words)
        said = f"**{escape(item.title)}:** {said}" if item.title else start(said)
        lines.append(f"{indent}{mark}{said}".rstrip())
        lines += render_items(item.items, item.bullets, indent + " " * len(mark))
    return lines


def render_table(table: Table) -> list[str]:
    rows = [table.head, tuple("---" for _ in table.head), *table.rows]
    escaped = [row if index == 1 else tuple(map(escape, row)) for index, row in enumerate(rows)]
    return [f"| {' | '.join(row)} |" for row in escaped]
