"""Filter of cascading errors: it drops diagnostics that only follow from others, and merges those with one cause."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

from attrs import evolve

from cardlang.limits import TOKEN
from cardlang.source import Diagnostic, Source, Span

NAMES = ("E201", "E203", "E204", "E205", "E208", "E237")
"""Codes of unknown names, whose span is the name."""
DECLARED = ("E201", "E202")
"""Codes of uses that conflict with a declaration, which is the related place."""
ALIKE = ("E202", "E238")
"""Codes whose diagnostics have one cause if they share an item and a message."""
NO_SUCH, NO_SCORE = "E202", "E217"
CERTAIN = ("E102", "E114", "E117")
"""Codes of lines with a known meaning. Lines nested in them are checked."""
UNREAD, UNEVEN = "E103", "E111"
SAID_ONLY_HERE = re.compile(r"appears only here, and `([^`]+)`")
"""Message of a name that is misspelled in its declaration, which makes the intended name unknown everywhere."""
MEANT = re.compile(r"Did you mean `([^`]+)`\?")


def first_causes(found: list[Diagnostic], unreadable: list[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics in `found` that don't follow from syntax errors (`unreadable`) or from others."""
    lost = {(each.span.source, line) for each in unreadable for line in range(*reach_of(each))}
    own = [each for each in found if (each.span.source, each.span.line) not in lost]
    causes = Counter(item_of(each.span) for each in [*own, *unreadable])
    kept = []
    for each in own:
        item = item_of(each.span)
        declared = item_of(each.related[0][0]) if each.code in DECLARED and each.related else item
        if declared != item and causes[declared]:  # it conflicts with a declaration that has its own error
            causes[item] -= 1
        else:
            kept.append(each)
    return told_once(kept)


def unreadable_causes(unreadable: list[Diagnostic]) -> list[Diagnostic]:
    """Return syntax errors without those explained by an earlier one of the same item.

    Below an unreadable heading (`given`), lines are indented deeper than any remaining heading. The lines after them
    then seem unevenly indented."""
    unread = {item_of(each.span): each.span.line for each in reversed(unreadable) if each.code == UNREAD}
    return [
        each
        for each in unreadable
        if each.code != UNEVEN or each.span.line < unread.get(item_of(each.span), each.span.line + 1)
    ]


# ---------------------------------------------------------------- positions
@lru_cache(maxsize=8)
def items_of(source: Source) -> list[int]:
    """Return the numbers of the lines without indentation, which start items."""
    lines = source.text.split("\n")
    return [number for number, line in enumerate(lines, 1) if line and not line[0].isspace() and line[0] != "#"]


def item_of(span: Span) -> tuple[Source, int]:
    """Return the source and the first line of the enclosing item."""
    lines = items_of(span.source)
    return span.source, lines[max(0, bisect_right(lines, span.line) - 1)] if lines else 1


def block_of(span: Span) -> tuple[int, int]:
    """Return the lines of a statement and its nested block: the first, and the one after the last."""
    source, first = span.source, span.line
    depth = len(source.line(first)) - len(source.line(first).lstrip())
    after = first + 1
    while after <= len(source.line_starts):
        line = source.line(after)
        said = line.strip()
        if said and said[0] != "#" and len(line) - len(line.lstrip()) <= depth:
            break
        after += 1
    return first, after


def reach_of(each: Diagnostic) -> tuple[int, int]:
    """Return the range of lines that an error may affect."""
    return (each.span.line, each.span.line + 1) if each.code in CERTAIN else block_of(each.span)


# ---------------------------------------------------------------- merging
def told_once(found: list[Diagnostic]) -> list[Diagnostic]:
    groups: dict[object, list[Diagnostic]] = {}
    for each in found:
        groups.setdefault(cause_of(each), []).append(each)
    told = [group[0] if len(group) == 1 else as_one(group) for group in groups.values()]
    meant = {match[1] for each in told if (match := SAID_ONLY_HERE.search(each.message))}
    return [each for each in told if not (follows(each) & meant)]


def follows(each: Diagnostic) -> set[str]:
    """Return the names whose misspelling would explain a diagnostic: an unknown field, or a missing score."""
    return {each.span.text} if each.code in ALIKE else {"score"} if each.code == NO_SCORE else set()


def cause_of(each: Diagnostic) -> object:
    """Return a key that is equal for diagnostics with one cause. Names of players are local to each example."""
    item = item_of(each.span)
    if each.code == "E201" and each.hint.startswith("Say whose"):
        return each.code, *item
    if each.code in NAMES or (each.code == NO_SUCH and MEANT.fullmatch(each.hint)):
        local = not each.related and each.code == "E201" and in_example(each.span)
        return NAMES, each.span.text, item if local else each.span.source
    return (each.code, each.message, *item) if each.code in ALIKE else each


def in_example(span: Span) -> bool:
    return span.source.line(item_of(span)[1]).startswith("example")


def as_one(group: list[Diagnostic]) -> Diagnostic:
    return misnamed(group) or repeated(group)


def repeated(group: list[Diagnostic]) -> Diagnostic:
    first, second = group[:2]
    more = f", and in {len(group) - 2} more places" if len(group) > 3 else ", and once more" if len(group) == 3 else ""
    return evolve(first, related=(*first.related, (second.span, f"here too{more}")))


def misnamed(group: list[Diagnostic]) -> Diagnostic | None:
    """Return one diagnostic for a declaration that is misspelled, in place of those at its many uses.

    The misspelled name appears only at its declaration."""
    meant = next((match[1] for each in group if (match := MEANT.fullmatch(each.hint))), None)
    if meant is None or group[0].code not in (*NAMES, NO_SUCH) or meant[0].isupper() != group[0].span.text[0].isupper():
        return None
    source, name = group[0].span.source, group[0].span.text
    items = {item_of(each.span) for each in group}
    start, end = 0, len(source.text)
    if len(items) == 1 and in_example(group[0].span):
        start, end = item_range(source, items.pop()[1])
    places = [at for at in places_of(source).get(meant, ()) if start <= at < end]
    if len(places) != 1:
        return None
    times = "twice" if len(group) == 2 else f"{len(group)} times"
    message = f"`{meant}` appears only here, and `{name}` {times}. Did you mean `{name}`?"
    here = Span(source, places[0], places[0] + len(meant))
    return Diagnostic(
        "E201" if group[0].code == NO_SUCH else group[0].code,
        message,
        here,
        "",
        ((group[0].span, f"`{name}` is used here"),),
    )


def item_range(source: Source, line: int) -> tuple[int, int]:
    after = next((each for each in items_of(source) if each > line), None)
    return source.line_starts[line - 1], len(source.text) if after is None else source.line_starts[after - 1]


@lru_cache(maxsize=8)
def places_of(source: Source) -> dict[str, list[int]]:
    """Return the offsets of each name, outside of strings and comments."""
    found: dict[str, list[int]] = {}
    for match in TOKEN.finditer(source.text):
        found.setdefault(match[0], []).append(match.start())
    return found
