"""Syntax errors: findings about unreadable lines, their hints, and the trial of a repair.

An error is named by its repair (see `line_repairs`). Other errors show the syntax of the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from attrs import frozen

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.syntax.logical_lines import LogicalLine, shorten_text
from cardlang.syntax.parse_tables import find_keywords
from cardlang.syntax.recovery.edited_source import EditedSource, TextEdit
from cardlang.syntax.recovery.line_templates import (
    CASE_TEMPLATE,
    CHOICE_TEMPLATE,
    KEYWORD_SYNONYMS,
    LINE_TEMPLATES,
    MOVE_TEMPLATE,
    ROW_TEMPLATE,
    STATEMENT_TEMPLATES,
    LineTemplate,
)
from cardlang.syntax.recovery.unreadable_line import UnreadableLine

HEADER_WORDS = ("game", "library")
OTHERWISE_WORDS = ("otherwise", "else", "elif", "elseif")
WORD_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")


@frozen
class SyntaxFinding:
    """Error with an edit that repairs it well enough to continue. Without an edit, the statement is left out."""

    diagnostic: Diagnostic
    edit: TextEdit | None = None


def try_repair(
    line: UnreadableLine, edit: TextEdit, diagnostic: Diagnostic, goal: int | None = None
) -> Iterator[SyntaxFinding]:
    """Yield a repair if the grammar then parses beyond `goal`, by default the whole line."""
    if line.can_parse_further(edit, line.end if goal is None else goal):
        yield SyntaxFinding(diagnostic, edit)


def build_diagnostic_with_hint(code: str, message: str, line: UnreadableLine, start: int, end: int) -> Diagnostic:
    return Diagnostic(code, message, line.build_span(start, end), build_syntax_hint(line))


def build_syntax_hint(line: UnreadableLine) -> str:
    above = line.draft.source.text[line.parent.start : line.parent.end] if line.parent else ""
    shape = find_line_template(line.draft.text[line.start : line.end], above)
    if shape is not None and shape.example == shape.syntax:
        return f"write `{shape.syntax}` alone"
    return f"write {shape.noun} as `{shape.syntax}`, for example `{shape.example}`" if shape else ""


def find_line_template(text: str, parent_text: str = "") -> LineTemplate | None:
    """Return the syntax that a statement was probably meant to have, by its words or by the containing statement."""
    words = re.findall(r"[A-Za-z0-9-]+", re.sub(r'"[^"]*"', "", text))
    first = words[0] if words else ""
    if first == "each" and "may choose" in text:
        return STATEMENT_TEMPLATES["first"]
    if first in LINE_TEMPLATES and first != "you":
        return LINE_TEMPLATES[first]
    if any(word in ("choose", "chooses") for word in words[:4]):
        return CHOICE_TEMPLATE
    if any(STATEMENT_TEMPLATES.get(word.removesuffix("s")) == MOVE_TEMPLATE for word in words[1:4]):
        return STATEMENT_TEMPLATES["you"]
    return {"define": CASE_TEMPLATE, "given": ROW_TEMPLATE}.get(parent_text.split(" ")[0])


def quote_text(text: str) -> str:
    return f"`{shorten_text(text)}`"


def describe_unexpected_word(text: str) -> str:
    return f"unexpected word {quote_text(text)}" if text[:1].isalpha() else f"unexpected {quote_text(text)}"


# ---------------------------------------------------------------- words
def find_first_word(source: Source, statement: LogicalLine) -> str:
    match = WORD_PATTERN.match(source.text, statement.start)
    return match[0] if match else ""


def find_similar_keywords(word: str) -> list[str]:
    if not word[0].isalpha() or word in find_keywords() or len(word) < 2:
        return []
    near = get_close_matches(word.lower(), sorted(find_keywords()), n=8, cutoff=0.74)
    near.sort(key=lambda keyword: keyword.endswith("s") and keyword[:-1] in find_keywords())
    synonym = KEYWORD_SYNONYMS.get(word.lower())
    return [*near, synonym] if synonym else near


def choose_start_rule(source: Source, statement: LogicalLine) -> str:
    """Return the grammar rule for the first item of a file."""
    match = re.match(r"(\w+)[ \t]*[\"“]", source.text[statement.start : statement.end])
    first = match and (match[1] in HEADER_WORDS or bool(set(find_similar_keywords(match[1])) & set(HEADER_WORDS)))
    return "header" if first else "item"


# ---------------------------------------------------------------- blocks
def report_empty_block(draft: EditedSource, head: LogicalLine) -> Diagnostic:
    """Report a missing block."""
    text = draft.source.text[head.start : head.end]
    shape = find_line_template(text)
    block = shape.block_contents if shape and shape.block_contents else "its lines"
    return Diagnostic(
        "E112",
        f"nothing is indented below `{shorten_text(text.splitlines()[0])}`",
        Span(draft.source, head.start, head.end),
        f"put {block} below it, indented by two spaces",
    )


def report_line_without_block(draft: EditedSource, head: LogicalLine, statement: LogicalLine) -> Diagnostic:
    """Report a line that is indented below a statement without a block."""
    source = draft.source
    return Diagnostic(
        "E113",
        "this line is indented too far. The line above takes no block",
        Span(source, statement.start, statement.end),
        f"start it at column {head.indent + 1}, like the line above",
        ((Span(source, head.start, head.end), "the line above"),),
    )


def report_missing_last_case(draft: EditedSource, last: LogicalLine) -> Diagnostic:
    return Diagnostic(
        "E103",
        "missing `otherwise` after the last case",
        Span(draft.source, last.start, last.end),
        "add a last line `otherwise VALUE`, for example `otherwise 0`",
    )
