"""Syntax templates of every kind of line and notations from elsewhere, for hints in errors."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from cardlang.syntax.recovery.guessed_names import NUMBERS_BY_WORD

FOLDER = Path(__file__).parent


@frozen
class LineTemplate:
    """Syntax of a statement. `block_contents` describes the lines that must be indented below it, if any."""

    noun: str
    syntax: str
    example: str
    block_contents: str = ""


def read_blocks(text: str) -> list[list[str]]:
    """Return the lines at the left edge of a data file, each with the lines indented below it."""
    return [block.split("\n  ") for block in re.findall(r"^[^#\s].*(?:\n  .*)*", text, re.MULTILINE)]


def read_sections(name: str) -> dict[str, str]:
    """Return the sections of a data file, without comments."""
    text = re.sub(r"^#.*\n", "", (FOLDER / name).read_text("utf-8"), flags=re.MULTILINE)
    return dict(re.findall(r"^\[(\w+)\]\n((?:(?!\[\w+\]\n).*\n)*)", text, re.MULTILINE))


def read_templates(section: str) -> dict[str, LineTemplate]:
    """Return templates by their first words."""
    heads = [(*head.split(": "), *template) for head, *template in read_blocks(section)]
    return {word: LineTemplate(*template) for words, *template in heads for word in words.split()}


TEMPLATE_SECTIONS = read_sections("line_templates.txt")
ITEM_TEMPLATES = read_templates(TEMPLATE_SECTIONS["declarations"])
STATEMENT_TEMPLATES = read_templates(TEMPLATE_SECTIONS["statements"])
LINE_TEMPLATES = ITEM_TEMPLATES | STATEMENT_TEMPLATES
MOVE_TEMPLATE = STATEMENT_TEMPLATES["move"]
CHOICE_TEMPLATE, ROW_TEMPLATE, CASE_TEMPLATE = read_templates(TEMPLATE_SECTIONS["other"]).values()


@frozen
class ForeignIdiom:
    """Construct from another notation.

    `pattern` matches it. `replacement` is the text to parse in its place, if any. Replacement, message and hint can use
    the groups of the pattern."""

    pattern: str
    replacement: str | None
    message: str
    hint: str = ""


def read_pairs(section: str) -> list[tuple[str, str]]:
    """Return the rows of a section of `foreign_notation.txt`: a pattern or words, and their replacement."""
    owned_name = r"((?:[\w-]+(?:'s?)? )?[A-Za-z][\w-]*)"
    rows = (line.split(" → ") for line in FOREIGN_SECTIONS[section].replace("OWNED", owned_name).splitlines())
    return [(pattern, replacement) for pattern, replacement in rows]


def read_idioms() -> list[ForeignIdiom]:
    verbs = "|".join(word for word, template in STATEMENT_TEMPLATES.items() if template == MOVE_TEMPLATE)
    blocks = read_blocks(FOREIGN_SECTIONS["constructs"].replace("VERB", verbs))
    replacements: dict[str, str | None] = {"?": None, "-": ""}
    return [ForeignIdiom(pattern, replacements.get(new, new), *explanation) for pattern, new, *explanation in blocks]


FOREIGN_SECTIONS = read_sections("foreign_notation.txt")
NUMBER_WORDS = [(rf"\b{word}\b", number) for word, number in NUMBERS_BY_WORD.items() if word not in ("a", "an")]
FOREIGN_SYMBOL_REPLACEMENTS = [*NUMBER_WORDS, *read_pairs("symbols")]
FOREIGN_LINE_TRANSLATIONS = read_pairs("lines")
KEYWORD_SYNONYMS = {word: keyword for words, keyword in read_pairs("synonyms") for word in words.split()}
FOREIGN_IDIOMS = read_idioms()
FILLER_WORD_REGEXES = (r"(?<=\d )cards?\b ?", r"\bface[- ]up\b ?", r"\b(?:the|then|a|an)\b ?", r"[:;.,?]+", r"[{}]")
INSERTABLE_WORDS = ("to", "from", "as", "of", "at", "by", "with", "choose", "when", "in", ",", ":", "players", "cards")
ITEM_FIRST_WORDS = (
    "example", "ruling", "step", "zone", "number", "define", "use", "variant", "cards", "ranking", "order",
)  # fmt: skip
BLOCK_FIRST_WORDS = ("do", "set", "add", "each", "repeat until", "if", "otherwise", "option", "move", "you", "shuffle")
EXAMPLE_FIRST_WORDS = ("expect", "do")
"""First words of lines, in the order of attempts to add one: at the left edge, in steps, and in examples."""
