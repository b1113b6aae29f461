"""Suppression of repeated diagnostics and of follow-on errors."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

from attrs import evolve

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.source_limits import TOKEN_PATTERN

UNKNOWN_NAME_CODES = ("E201", "E203", "E204", "E205", "E208", "E237")
"""Codes of unknown names, whose span is the name."""
CONFLICT_CODES = ("E201", "E202")
"""Codes of uses that conflict with a declaration, which is the related place."""
MERGEABLE_CODES = ("E202", "E238")
"""Codes whose diagnostics have one cause if they share an item and a message."""
UNKNOWN_PROPERTY_CODE, NO_SCORE_CODE = "E202", "E217"
CLEAR_LINE_CODES = ("E102", "E114", "E117")
"""Codes of lines with a known meaning. Lines nested in them are checked."""
MISSING_WORD_CODE, UNEVEN_INDENT_CODE = "E103", "E111"
ONLY_USE_PATTERN = re.compile(r"appears only here, and `([^`]+)`")
"""Message of a name that is misspelled in its declaration, which makes the intended name unknown everywhere."""
SUGGESTED_NAME_PATTERN = re.compile(r"Did you mean `([^`]+)`\?")
REPLACEMENT_HINT = re.compile(r"Write `[^`]+`\.")


def suppress_cascades(diagnostics: list[Diagnostic], syntax_errors: list[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics in `diagnostics` that don't follow from syntax errors (`syntax_errors`) or from others."""
    lost = {
        (diagnostic.span.source, line)
        for diagnostic in syntax_errors
        for line in range(*find_affected_lines(diagnostic))
    }
    independent = [
        diagnostic
        for diagnostic in diagnostics
        if (diagnostic.span.source, diagnostic.span.line) not in lost
        or any(replaces_repair(diagnostic, error) for error in syntax_errors)
    ]
    causes = Counter(find_enclosing_item(diagnostic.span) for diagnostic in [*independent, *syntax_errors])
    causal = []
    for diagnostic in independent:
        item = find_enclosing_item(diagnostic.span)
        declared = (
            find_enclosing_item(diagnostic.related[0][0])
            if diagnostic.code in CONFLICT_CODES and diagnostic.related
            else item
        )
        if declared != item and causes[declared]:  # it conflicts with a declaration that has its own error
            causes[item] -= 1
        else:
            causal.append(diagnostic)
    return deduplicate_diagnostics(causal)


def replaces_repair(diagnostic: Diagnostic, error: Diagnostic) -> bool:
    """Return whether a diagnostic replaces more than the repaired word: `chosen's rank = 8`, with `=` for `is`."""
    outer, inner = diagnostic.span, error.span
    return (
        error.code in CLEAR_LINE_CODES
        and REPLACEMENT_HINT.fullmatch(diagnostic.hint) is not None
        and outer.source is inner.source
        and outer.start < inner.start
        and inner.end < outer.end
    )


def suppress_indentation_cascades(syntax_errors: list[Diagnostic]) -> list[Diagnostic]:
    """Return syntax errors without those explained by an earlier one of the same item.

    Below an unreadable heading (`given`), lines are indented deeper than any remaining heading. The lines after them
    then seem unevenly indented."""
    unread = {
        find_enclosing_item(error.span): error.span.line
        for error in reversed(syntax_errors)
        if error.code == MISSING_WORD_CODE
    }
    return [
        error
        for error in syntax_errors
        if error.code != UNEVEN_INDENT_CODE
        or error.span.line < unread.get(find_enclosing_item(error.span), error.span.line + 1)
    ]


# ---------------------------------------------------------------- positions
@lru_cache(maxsize=8)
def find_item_lines(source: Source) -> list[int]:
    """Return the numbers of the lines without indentation, which start items."""
    lines = source.text.split("\n")
    return [number for number, line in enumerate(lines, 1) if line and not line[0].isspace() and line[0] != "#"]


def find_enclosing_item(span: Span) -> tuple[Source, int]:
    """Return the source and the first line of the enclosing item."""
    lines = find_item_lines(span.source)
    return span.source, lines[max(0, bisect_right(lines, span.line) - 1)] if lines else 1


def find_block_lines(span: Span) -> tuple[int, int]:
    """Return the lines of a statement and its nested block: the first, and the one after the last."""
    source, first = span.source, span.line
    depth = len(source.get_line(first)) - len(source.get_line(first).lstrip())
    after = first + 1
    while after <= len(source.line_starts):
        line = source.get_line(after)
        stripped = line.strip()
        if stripped and stripped[0] != "#" and len(line) - len(line.lstrip()) <= depth:
            break
        after += 1
    return first, after


def find_affected_lines(diagnostic: Diagnostic) -> tuple[int, int]:
    """Return the range of lines that an error may affect."""
    return (
        (diagnostic.span.line, diagnostic.span.line + 1)
        if diagnostic.code in CLEAR_LINE_CODES
        else find_block_lines(diagnostic.span)
    )


# ---------------------------------------------------------------- merging
def deduplicate_diagnostics(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    groups: dict[object, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(build_cause_key(diagnostic), []).append(diagnostic)
    merged = [group[0] if len(group) == 1 else merge_diagnostics(group) for group in groups.values()]
    meant = {match[1] for diagnostic in merged if (match := ONLY_USE_PATTERN.search(diagnostic.message))}
    return [diagnostic for diagnostic in merged if not (find_explaining_names(diagnostic) & meant)]


def find_explaining_names(diagnostic: Diagnostic) -> set[str]:
    """Return the names whose misspelling would explain a diagnostic: an unknown field, or a missing score."""
    return (
        {diagnostic.span.text}
        if diagnostic.code in MERGEABLE_CODES
        else {"score"}
        if diagnostic.code == NO_SCORE_CODE
        else set()
    )


def build_cause_key(diagnostic: Diagnostic) -> object:
    """Return a key that is equal for diagnostics with one cause. Names of players are local to each example."""
    item = find_enclosing_item(diagnostic.span)
    if diagnostic.code == "E201" and diagnostic.hint.startswith("Say whose"):
        return diagnostic.code, *item
    if diagnostic.code in UNKNOWN_NAME_CODES or (
        diagnostic.code == UNKNOWN_PROPERTY_CODE and SUGGESTED_NAME_PATTERN.fullmatch(diagnostic.hint)
    ):
        local = not diagnostic.related and diagnostic.code == "E201" and is_in_example(diagnostic.span)
        return UNKNOWN_NAME_CODES, diagnostic.span.text, item if local else diagnostic.span.source
    return (diagnostic.code, diagnostic.message, *item) if diagnostic.code in MERGEABLE_CODES else diagnostic


def is_in_example(span: Span) -> bool:
    return span.source.get_line(find_enclosing_item(span)[1]).startswith("example")


def merge_diagnostics(group: list[Diagnostic]) -> Diagnostic:
    return report_misspelt_declaration(group) or merge_repeated_diagnostics(group)


def merge_repeated_diagnostics(group: list[Diagnostic]) -> Diagnostic:
    first, second = group[:2]
    more = f", and in {len(group) - 2} more places" if len(group) > 3 else ", and once more" if len(group) == 3 else ""
    return evolve(first, related=(*first.related, (second.span, f"here too{more}")))


def report_misspelt_declaration(group: list[Diagnostic]) -> Diagnostic | None:
    """Return one diagnostic for a declaration that is misspelled, in place of those at its many uses.

    The misspelled name appears only at its declaration."""
    meant = next(
        (match[1] for diagnostic in group if (match := SUGGESTED_NAME_PATTERN.fullmatch(diagnostic.hint))), None
    )
    if (
        meant is None
        or group[0].code not in (*UNKNOWN_NAME_CODES, UNKNOWN_PROPERTY_CODE)
        or meant[0].isupper() != group[0].span.text[0].isupper()
    ):
        return None
    source, name = group[0].span.source, group[0].span.text
    items = {find_enclosing_item(diagnostic.span) for diagnostic in group}
    start, end = 0, len(source.text)
    if len(items) == 1 and is_in_example(group[0].span):
        start, end = find_item_offsets(source, items.pop()[1])
    offsets = [at for at in find_word_offsets(source).get(meant, ()) if start <= at < end]
    if len(offsets) != 1:
        return None
    times = "twice" if len(group) == 2 else f"{len(group)} times"
    message = f"`{meant}` appears only here, and `{name}` {times}. Did you mean `{name}`?"
    declared_span = Span(source, offsets[0], offsets[0] + len(meant))
    return Diagnostic(
        "E201" if group[0].code == UNKNOWN_PROPERTY_CODE else group[0].code,
        message,
        declared_span,
        "",
        ((group[0].span, f"`{name}` is used here"),),
    )


def find_item_offsets(source: Source, line: int) -> tuple[int, int]:
    after = next((item_line for item_line in find_item_lines(source) if item_line > line), None)
    return source.line_starts[line - 1], len(source.text) if after is None else source.line_starts[after - 1]


@lru_cache(maxsize=8)
def find_word_offsets(source: Source) -> dict[str, list[int]]:
    """Return the offsets of each name, outside of strings and comments."""
    offsets: dict[str, list[int]] = {}
    for match in TOKEN_PATTERN.finditer(source.text):
        offsets.setdefault(match[0], []).append(match.start())
    return offsets
