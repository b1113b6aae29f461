"""Repair of declarations whose parts are in the wrong order or on the wrong line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from cardlang.limits import TEXT
from cardlang.reading.draft import Edit
from cardlang.reading.syntax import Finding, Line, tried
from cardlang.source import Diagnostic

CALLED = rf"called {TEXT}(?: plural {TEXT})?"
ZONE = ("holds", "called", "seen", '"')
TRACK = ("called", "starts", '"')
VALUE = "missing "
"""Placeholder for a missing value."""
PARTS = {
    "zone": (ZONE, 'zone NAME holds 1 called "WORD" plural "WORDS" seen by WHO "TEXT"'),
    "define": (("called", "as"), 'define NAME called "WORD" plural "WORDS" as VALUE "TEXT"'),
}
ANY_TRACK = (TRACK, 'number NAME called "WORD" plural "WORDS" starts at VALUE "TEXT"')
PART = re.compile(rf"(?<= )(?:{CALLED}|(?P<word>holds|seen|starts|as)\b|(?P<text>{TEXT}))")

ELSE = r"(?:,? (?:otherwise|else) (?P<else>.+))?"
CASES = (
    re.compile(rf"(?P<head>define .+? as) (?P<value>.+?),? (?P<when>if|when) (?P<if>.+?){ELSE}"),
    re.compile(rf"(?P<head>define .+? as) (?P<when>if|when) (?P<if>.+?),? then (?P<value>.+?){ELSE}"),
)
ADDED = re.compile(r"(.+) [+-] [\w-]+")
MOST = re.compile(r"you have (?:the )?(?:most|highest) ([\w-]+)")


@frozen
class Part:
    """Part of a declaration. `word` is its first word, or a quote for text of the rulebook."""

    word: str
    start: int
    end: int


def out_of_order(line: Line) -> Iterator[Finding]:
    text = line.draft.text[line.start : line.end]
    first = re.match(r"\w*", text)
    order, shape = PARTS.get(first[0] if first else "", ANY_TRACK)
    parts = [part for part in parts_of(text) if part.word in order]
    late = next((i for i, part in enumerate(parts) if i and rank(order, part) < rank(order, parts[i - 1])), None)
    if line.above is not None or late is None:
        return
    part, before = parts[late], next(each for each in parts if rank(order, each) > rank(order, parts[late]))
    ordered = " ".join(
        text[each.start : each.end].strip() for each in sorted(parts, key=lambda each: rank(order, each))
    )
    message = f"{named(part)} must come before {named(before)}"
    span = line.span(line.start + part.start, line.start + part.end)
    found = Diagnostic("E116", message, span, f"write the parts in this order: `{shape}`")
    yield from tried(line, Edit(line.start + parts[0].start, line.end, ordered), found)


def rank(order: tuple[str, ...], part: Part) -> int:
    return order.index(part.word)


def named(part: Part) -> str:
    phrases = {'"': "the text in quotes", "starts": "`starts at`", "seen": "`seen by`"}
    return phrases.get(part.word, f"`{part.word}`")


def parts_of(text: str) -> list[Part]:
    """Return the parts of a declaration after its name. After `called`, a string belongs to that part."""
    found = list(PART.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [
        Part('"' if match["text"] else match["word"] or "called", match.start(), len(text[:end].rstrip()))
        for match, end in zip(found, ends, strict=False)
    ]


def without_value(line: Line) -> Iterator[Finding]:
    """Report a case that starts with its condition. Its value is unknown."""
    if line.head == "define" and line.tokens and line.tokens[0].text == "when":
        when = line.tokens[0]
        hint = "write the value first: `VALUE when CONDITION`"
        found = Diagnostic("E103", "missing value before `when`", line.span(when.start, when.end), hint)
        yield from tried(line, Edit(when.start, when.start, VALUE), found)


def cases_on_one_line(line: Line) -> Iterator[Finding]:
    """Suggest a line for each case of a definition, instead of `define bonus as 3 if depth > 3`.

    Without another value, a case such as `coins + 3` adds to the value of the other case."""
    text = line.draft.text[line.start : line.end]
    said = next((said for said in (pattern.fullmatch(text) for pattern in CASES) if said), None)
    if line.above is not None or not said or line.stop.start > line.start + said.end("if"):
        return
    added = ADDED.fullmatch(said["value"])
    other = said["else"] or (added[1] if added else "0")
    condition = MOST.sub(r"you in all highest of players by \1", said["if"])
    edit = Edit(line.start, line.end, f"{said['head']}\n  {said['value']} when {condition}\n  otherwise {other}")
    for when in (condition, "CONDITION"):
        hint = f"write `{said['head']}`, and indented below it `{said['value']} when {when}` and `otherwise {other}`"
        found = Diagnostic("E114", "each case needs a line of its own", line.span(line.start, line.end), hint)
        yield from tried(line, edit, found) if when == condition else [Finding(found)]
