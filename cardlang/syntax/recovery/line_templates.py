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


def read_templates(section: str) -> dict[str, LineTemplate]:
    """Return the templates of a section of `line_templates.txt` by their first words."""
    text = (FOLDER / "line_templates.txt").read_text("utf-8").partition(f"[{section}]\n")[2].partition("\n[")[0]
    heads = [(*head.split(": "), *template) for head, *template in read_blocks(text)]
    return {word: LineTemplate(*template) for words, *template in heads for word in words.split()}


ITEM_TEMPLATES = read_templates("declarations")
STATEMENT_TEMPLATES = read_templates("statements")
LINE_TEMPLATES = ITEM_TEMPLATES | STATEMENT_TEMPLATES
MOVE_TEMPLATE = STATEMENT_TEMPLATES["move"]
CHOICE_TEMPLATE, ROW_TEMPLATE, CASE_TEMPLATE = read_templates("other").values()
# Notations from other languages or habits, with replacements, in the order in which they are tried.
FOREIGN_SYMBOL_REPLACEMENTS = (
    (r'"([^"\n]*)"(\w[^"\n]*)"([^"\n]*)"', r'"\1\"\2\"\3"'),
    (r"“([^“”\"\n]*)”|„([^“”„\"\n]*)[“”]", r'"\1\2"'),
    (r"‘([^‘’\"\n]*)’|'([^'\"\n]*)'", r'"\1\2"'),
    (r"[’‘´`](?=s?\b)", "'"),
    (r"==|===|:=", "="),
    (r"<>|≠|!==|=/=|/=", "!="),
    (r"=<|≤", "<="),
    (r"=>|≥", ">="),
    (r"&&?", "and"),
    (r"\|\|?", "or"),
    (r"!(?!=)", "not "),
    (r"×|\bx\b(?= \w)", "*"),
    (r"(\d+) ?[-–—] ?(\d+)", r"\1 to \2"),
    *((rf"\b{word}\b", number) for word, number in NUMBERS_BY_WORD.items() if word not in ("a", "an")),
    (r"÷", "/"),
    (r"[−–—]", "-"),
    (r"\b(?:hidden|secret|face[- ]down)\b", "seen by nobody"),
    (r"(?<=\w)_(?=\w)", "-"),
    (r":?=", "as"),
    (r":?=|,", "to"),
    (r":?=", "starts at"),
    (r"\band\b|\+", "plus"),
    (r"\band\b", ","),
    (r"\b(?:else if|elif|elseif)\b", "otherwise if"),
    (r"\belse\b", "otherwise"),
    (r"\b(?:for each|foreach|for every|for all)\b", "each"),
    (r"\bwhile\b", "repeat until not"),
    (r"\bis not\b", "!="),
    (r"\bis equal to\b|\bequals\b|\bis\b|\bare\b", "="),
    (r"\bis more than\b|\bis greater than\b|\bis over\b|\bis above\b", ">"),
    (r"\bis less than\b|\bis under\b|\bis below\b", "<"),
    (r"\bis at least\b|\bat least\b", ">="),
    (r"\bis at most\b|\bat most\b", "<="),
    (r"\b(?:into|onto|in|on|as|in to)\b", "to"),
    (r"\bto\b", "as"),
    (r"\bto\b|\bin\b|\bof\b", "from"),
    (r"\bfrom\b", "of"),
    (r"\bfrom\b", "in"),
    (r"\bmy\b|\btheir\b|\bhis\b|\bher\b", "your"),
    (r"\bif\b", "when"),
    (r"\bif\b|\bwhen\b", "where"),
    (r"\bwhen\b", "if"),
    (r"\bstarts\b(?! at\b)", "starts at"),
    (r"\bcan\b", "may"),
    (r"\btop\b(?! of)", "top of"),
    (r"\bcount\b(?! of)", "count of"),
)
OWNED_NAME_REGEX = r"((?:[\w-]+(?:'s?)? )?[A-Za-z][\w-]*)"
FOREIGN_LINE_TRANSLATIONS = (
    (r"repeat (?:at most|up to) (.+ times),? until (.+)", r"repeat until \2, up to \1"),
    (r"(\w+) (?:a|an|one|1|the) cards? to (.+)", r"\1 top of HOME to \2"),
    (r"(\w+) (?:a|an|one|1|the) cards? (?:of|from) (.+)", r"\1 top of \2"),
    (r"(\w+) (\d+|[a-z]+) cards? to (.+)", r"\1 top \2 of HOME to \3"),
    (r"(?:you )?gains? ([\w-]+) ([\w-]+)", r"add \1 to your \2"),
    (r"add ([A-Za-z][\w-]*) (\d+) to (?:you|me)", r"add \2 to your \1"),
    (r"subtract ([A-Za-z][\w-]*) (\d+) from (?:you|me)", r"subtract \2 from your \1"),
    (OWNED_NAME_REGEX + r" ?=+ ?\1 ?\+ ?(.+)", r"add \2 to \1"),
    (OWNED_NAME_REGEX + r" ?=+ ?\1 ?- ?(.+)", r"subtract \2 from \1"),
    (OWNED_NAME_REGEX + r" ?\+= ?(.+)", r"add \2 to \1"),
    (OWNED_NAME_REGEX + r" ?-= ?(.+)", r"subtract \2 from \1"),
    (OWNED_NAME_REGEX + r" ?\+\+", r"add 1 to \1"),
    (OWNED_NAME_REGEX + r" ?--", r"subtract 1 from \1"),
    (OWNED_NAME_REGEX + r" ?:?=+ ?(.+)", r"set \1 to \2"),
    (r"(?:increase|increment|raise) " + OWNED_NAME_REGEX + r" by (.+)", r"add \2 to \1"),
    (r"(?:decrease|decrement|reduce|lower) " + OWNED_NAME_REGEX + r" by (.+)", r"subtract \2 from \1"),
    (r"(\w+) (\w+) cards? (?:of|from) (.+)", r"\1 top \2 of \3"),
    (OWNED_NAME_REGEX + r" \+ (.+)", r"add \2 to \1"),
    (OWNED_NAME_REGEX + r" - (.+)", r"subtract \2 from \1"),
)
"""Whole lines in other notations, with their translation. `HOME` is the zone where the cards start."""
KEYWORD_SYNONYMS = {
    **dict.fromkeys(("mix", "riffle"), ("shuffle",)),
    **dict.fromkeys(("flip",), ("turn",)),
    **dict.fromkeys(("show", "expose"), ("reveal",)),
    **dict.fromkeys(("end", "stop", "exit", "leave"), ("finish",)),
    **dict.fromkeys(("call", "run", "perform", "start"), ("do",)),
    **dict.fromkeys(("let", "change"), ("set",)),
    **dict.fromkeys(("save", "store", "keep", "note"), ("remember",)),
    **dict.fromkeys(("lay", "drop"), ("place",)),
    **dict.fromkeys(("none", "noone", "nobody's"), ("nobody",)),
    **dict.fromkeys(("steal", "grab", "collect"), ("take",)),
}
"""Synonyms of keywords."""


@frozen
class ForeignIdiom:
    """Construct from another notation.

    `pattern` matches it. `replacement` is the text to parse in its place, if any. Replacement, message and hint can use
    the groups of the pattern."""

    pattern: str
    replacement: str | None
    message: str
    hint: str = ""


def read_idioms() -> list[ForeignIdiom]:
    """Return the constructs in `foreign_notation.txt`."""
    verbs = "|".join(word for word, template in STATEMENT_TEMPLATES.items() if template == MOVE_TEMPLATE)
    blocks = read_blocks((FOLDER / "foreign_notation.txt").read_text("utf-8").replace("VERB", verbs))
    replacements: dict[str, str | None] = {"?": None, "-": ""}
    return [ForeignIdiom(pattern, replacements.get(new, new), *explanation) for pattern, new, *explanation in blocks]


FOREIGN_IDIOMS = read_idioms()
FILLER_WORD_REGEXES = (r"(?<=\d )cards?\b ?", r"\bface[- ]up\b ?", r"\b(?:the|then|a|an)\b ?", r"[:;.,?]+", r"[{}]")
INSERTABLE_WORDS = ("to", "from", "as", "of", "at", "by", "with", "choose", "when", "in", ",", ":", "players", "cards")
ITEM_FIRST_WORDS = (
    "example", "ruling", "step", "zone", "number", "define", "use", "variant", "cards", "ranking", "order",
)  # fmt: skip
BLOCK_FIRST_WORDS = ("do", "set", "add", "each", "repeat until", "if", "otherwise", "option", "move", "you", "shuffle")
EXAMPLE_FIRST_WORDS = ("expect", "do")
"""First words of lines, in the order of attempts to add one: at the left edge, in steps, and in examples."""
