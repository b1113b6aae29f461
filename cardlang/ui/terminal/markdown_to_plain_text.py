"""Markdown of rulebooks as plain text."""

from __future__ import annotations

import re

HEADING_OR_QUOTE_MARK = re.compile(r"^(?:#+|>) ", re.MULTILINE)
TABLE_RULE = re.compile(r"^ *\|[ :|-]+\|\n", re.MULTILINE)
TABLE_ROW = re.compile(r"^( *)\|(.*)\|$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
MARKUP = re.compile(r"[\\*_`]")


def strip_markdown(markdown: str) -> str:
    """Return the text without markup. Lists keep their bullets and numbers, and rows of tables become lists."""
    text = TABLE_RULE.sub("", HEADING_OR_QUOTE_MARK.sub("", markdown))
    text = TABLE_ROW.sub(join_cells, text)
    return MARKUP.sub("", LINK.sub(r"\1", text))


def join_cells(row: re.Match[str]) -> str:
    """Return a row of a table as a list of its cells, without the empty ones."""
    return row[1] + ", ".join(cell.strip() for cell in row[2].split("|") if cell.strip())
