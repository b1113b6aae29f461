"""Forms of the language that newer ones replaced: recognition and translation."""

from __future__ import annotations

import re
from collections.abc import Callable

STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*')
MASK = re.compile(r'"(\d+)"')
BRACKETS = r"\((?:[^()]|\([^()]*\))*\)"


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
)
"""Patterns of old forms in texts with masked strings and comments, and their translations."""


def replace_old_forms(text: str) -> str:
    """Return a game's text, or lines of it, in the present forms. Strings and comments stay as they are."""
    kept: list[str] = []

    def mask(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f'"{len(kept) - 1}"'

    masked = STRING_OR_COMMENT.sub(mask, text)
    for pattern, replacement in REPLACED_FORMS:
        masked = re.sub(pattern, replacement, masked, flags=re.MULTILINE)
    return MASK.sub(lambda match: kept[int(match[1])], masked)
