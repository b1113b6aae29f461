"""Forms of the language that newer ones replaced: recognition and translation."""

from __future__ import annotations

import re
from pathlib import Path

STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*')
MASK = re.compile(r'"(\d+)"')
PARTS = {"BRACKETS": r"\([^()]*\)", "NOUN": r'(?: called "\d+"(?: plural "\d+")?)?'}
for _ in range(3):  # brackets in brackets
    PARTS["BRACKETS"] = rf"\((?:[^()]|{PARTS['BRACKETS']})*\)"
PARTS["LIST"] = rf"(?:{PARTS['BRACKETS']}|(?:(?:your|that|its) )?[\w-]+(?:'s? [\w-]+)*?)"
PARTS["SELECTED"] = rf"((?:[^()\n\"]|{PARTS['BRACKETS']})+?)"
"""Parts of patterns, by their names in `old_syntax_replacement.txt`."""
SIZE_DECLARATION = re.compile(
    r"^(?:define|zone|number|flag|player|[A-Z][\w-]*) (?:your |[\w-]+'s )?size\b"
    r"|\b(?:with (?:[\w-]+, )*|as )size\b",
    re.MULTILINE,
)
"""Declaration of a name `size`, which is not the size of a list then."""


def read_replaced_forms() -> list[list[tuple[str, str]]]:
    """Return the patterns of old forms and their translations: those of all files, and those of sizes of lists.

    They are for texts with masked strings and comments."""
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    for name, part in PARTS.items():
        text = text.replace(name, part)
    rows = [[line.partition(" → ") for line in section.splitlines()] for section in text.split("\n\n")]
    return [[(pattern, replacement) for pattern, _, replacement in section] for section in rows]


REPLACED_FORMS, REPLACED_SIZES = read_replaced_forms()


def find_member_names(masked: str) -> set[str]:
    """Return the names of the values of a file's kinds, as far as no set of cards or ranking has them too."""
    values = re.findall(r"^[ \t]*(?:ordered )?kind [\w-]+:(.*)", masked, re.MULTILINE)
    sets = re.findall(r"^[ \t]*(?:cards|ranking) ([\w-]+)", masked, re.MULTILINE)
    return {name for line in values for name in re.findall(r"(?:^|,) *([A-Za-z][\w-]*)", line)} - {*sets}


def replace_old_forms(text: str) -> str:
    """Return a game's text, or lines of it, in the present forms. Strings and comments stay as they are."""
    kept: list[str] = []

    def mask(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f'"{len(kept) - 1}"'

    masked = STRING_OR_COMMENT.sub(mask, text)
    for pattern, replacement in REPLACED_FORMS + ([] if SIZE_DECLARATION.search(masked) else REPLACED_SIZES):
        masked = re.sub(pattern, replacement, masked, flags=re.MULTILINE)
    for name in find_member_names(masked):
        masked = re.sub(rf"\bis {name}(?![\w-])", f"= {name}", masked)
        masked = re.sub(rf"\bis not {name}(?![\w-])", f"!= {name}", masked)
    return MASK.sub(lambda match: kept[int(match[1])], masked)
