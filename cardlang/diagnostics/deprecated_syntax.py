"""Forms of the language that newer ones replaced: recognition and translation."""

from __future__ import annotations

import re
from collections.abc import Callable

STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*')
MASK = re.compile(r'"(\d+)"')
BRACKETS = r"\([^()]*\)"
for _ in range(3):  # brackets in brackets
    BRACKETS = rf"\((?:[^()]|{BRACKETS})*\)"
LIST = rf"(?:{BRACKETS}|(?:(?:your|that|its) )?[\w-]+(?:'s? [\w-]+)*?)"
SELECTED = rf"((?:[^()\n\"]|{BRACKETS})+?)"


def translate_secret(match: re.Match[str]) -> str:
    viewer = "owner" if match["your"] else "nobody"
    return f"{match['margin']}{match['head']} seen by {viewer}"


REPLACED_FORMS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"^([ \t]*)first (player\b[^\"\n,]*?) may choose one\b", r"\1each \2 may choose one, until one does"),
    (
        r"^(?P<margin>[ \t]*)secret (?P<head>[\w-]+ (?P<your>your )?(?:[\w-]+'s? )?[\w-]+"
        r'(?: called "\d+"(?: plural "\d+")?)?)',
        translate_secret,
    ),
    (rf"(\bchooses?\b(?:{BRACKETS}|[^\"\n(])*?)\bprovided\b", r"\1when"),
    (r"^((?:define|zone|number|flag|player|needs|show|[A-Z][\w-]*) )player's (?=[\w-])", r"\1your "),
    (rf"\(subsets of {SELECTED}\)", r"(every 1 or more cards from \1 as lot)"),
    (rf"\bsubsets of {SELECTED}(?=[ \t]*(?:\"|\)|$))", r"(every 1 or more cards from \1 as lot)"),
    (r"^([ \t]+)best when\b", r"\1highest when"),
    (r"^([ \t]+)worst when\b", r"\1lowest when"),
    (r"^([ \t]+(?:otherwise )?)later [\w-]+", r"\1higher place"),
    (r"^([ \t]+(?:otherwise )?)earlier [\w-]+", r"\1lower place"),
    (r"^([ \t]+(?:otherwise )?(?:higher|lower) .*?) from the highest down\b", r"\1, highest first"),
    (r"^([ \t]+(?:otherwise )?(?:higher|lower) .*?) larger groups first\b", r"\1, groups first"),
    (r"\b(of|and) different (?=(?!and|or|in|is)[a-z])", r"\1 distinct "),
    (r"\b(consecutive [\w-]+ with [\w-]+) low\b(?!-)", r"\1 lowest"),
    (r"^([ \t]+)least ([\w-]+) left\b(?!-)", r"\1lower total of rest's \2"),
    (r"\bstarts each own (?=[\w-]+ (?:or|at)\b)", "starts your "),
    (r"^([ \t]+repeat(?: .*?,)?) at most (.*? times)\b", r"\1 up to \2"),
    (r"\bany number (?=(?:[\w-]+ )?from\b)", "0 or more "),
    (rf"\b(total|highest|lowest) of ({LIST})'s? size\b", r"\1 of (count of lot for every lot from \2)"),
    (rf"({LIST})'s? size\b(?!-)", r"(count of \1)"),
    (r"\bby size\b(?!-)", "by (count of it)"),
    (r"(?<=[\w(,] )(its )?(?<![\w-])size(?= *(?:[=<>!)\"]|(?:in|and|or)\b|$))", "count of it"),
)
"""Patterns of old forms in texts with masked strings and comments, and their translations."""


SIZE_DECLARATION = re.compile(
    r"^(?:define|zone|number|flag|player|[A-Z][\w-]*) (?:your |[\w-]+'s )?size\b"
    r"|\b(?:with (?:[\w-]+, )*|as )size\b",
    re.MULTILINE,
)
"""Declaration of a name `size`, which is not the size of a list then."""


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
    for pattern, replacement in REPLACED_FORMS if not SIZE_DECLARATION.search(masked) else REPLACED_FORMS[:-4]:
        masked = re.sub(pattern, replacement, masked, flags=re.MULTILINE)
    for name in find_member_names(masked):
        masked = re.sub(rf"\bis {name}(?![\w-])", f"= {name}", masked)
        masked = re.sub(rf"\bis not {name}(?![\w-])", f"!= {name}", masked)
    return MASK.sub(lambda match: kept[int(match[1])], masked)
