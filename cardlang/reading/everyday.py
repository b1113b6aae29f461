"""Suggestions for everyday English such as `deal 6 cards to each player`: lines of the language with its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardlang.reading.draft import Edit
from cardlang.reading.everyday_moves import MOVES
from cardlang.reading.everyday_names import EACH, Names, names_of
from cardlang.reading.everyday_rules import ADVICE, ITEMS, RULES
from cardlang.reading.shapes import STATEMENTS
from cardlang.reading.syntax import Finding, Line, shown, tried
from cardlang.source import Diagnostic

JOINED = re.compile(r"(.+?)(?:,? and then|, then|,? and|[,;]) (.+)")
CONDITIONAL = re.compile(r"(?:if|when|whenever) (.+?)(?:, then|,| then) (.+)")
ALL_PLAYERS = re.compile(rf"(each other player|{EACH}) (.+)")
THIRD_PERSON = re.compile(r"((?:^| and | then |, )(?:\w+?(?:ss|ch|sh)(?=es\b)|\w+?(?=s\b)(?<!s)))e?s\b")
DEPTH = 2
"""Maximum nesting depth of clauses to translate."""


def everyday(line: Line) -> Iterator[Finding]:
    """Yield a suggestion for a whole line of everyday English."""
    if not line.tokens:
        return
    last = line.tokens[-2] if len(line.tokens) > 1 and line.tokens[-1].text[0] in '"“' else line.tokens[-1]
    start, end = line.tokens[0].start, last.end
    text = line.draft.text[start:end]
    plain = (text[:1].lower() + text[1:]).rstrip(".!")
    names = names_of(line.draft.source.text, line.draft.place(start))
    meant = item(names, plain) if line.above is None else statements(names, plain, int(plain != text))
    if meant:
        edit = Edit(start, end, f"\n{line.statement.margin}".join(meant))
        yield from tried(line, edit, Diagnostic("E114", message(meant, text), line.span(start, end)))
        return
    for pattern, problem, cure in ADVICE:
        said = re.fullmatch(pattern, plain)
        if said:
            yield Finding(Diagnostic("E114", said.expand(problem), line.span(start, end), said.expand(cure)))
            return


def item(names: Names, text: str) -> list[str]:
    """Return the lines of a declaration, or an empty list if the meaning is unknown."""
    found = (lines(names, said) for pattern, lines in ITEMS if (said := re.fullmatch(pattern, text)))
    return next(filter(None, found), [])


def statements(names: Names, text: str, depth: int = 0) -> list[str]:
    """Return the lines of a step, or an empty list if the meaning is unknown."""
    text = names.with_zones(text)
    found = (lines(names, said) for pattern, lines in (*MOVES, *RULES) if (said := re.fullmatch(pattern, text)))
    meant = next(filter(None, found), []) or (combined(names, text, depth + 1) if depth < DEPTH else [])
    return meant or ([text] if depth and text.partition(" ")[0] in STATEMENTS else [])


def combined(names: Names, text: str, depth: int) -> list[str]:
    """Return the lines of a compound sentence: with a condition, about each player, or with two clauses."""
    if said := CONDITIONAL.fullmatch(text):
        then = statements(names, said[2], depth)
        return [f"if {said[1].removeprefix('the ')}", *indented(then)] if then else []
    if said := ALL_PLAYERS.fullmatch(text):
        each = statements(names, THIRD_PERSON.sub(r"\1", said[2]), depth)
        head = "each player in your others" if "other" in said[1] else "each player"
        return [head, *indented(each)] if each else []
    if said := JOINED.fullmatch(text):
        first, second = statements(names, said[1], depth), statements(names, said[2], depth)
        return [*first, *second] if first and second else []
    return []


def indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def message(meant: list[str], text: str) -> str:
    """Return a message with the lines to write: the first one, and lines below it or indented below it."""
    head, *rest = (f"`{line.strip()}`" for line in meant)
    if not rest:
        return f"write {head} instead of {shown(text)}"
    if all(line.startswith(" ") for line in meant[1:]):
        return f"write {head}, and indented below it {' and '.join(rest)}, instead of {shown(text)}"
    return f"write {', then '.join([head, *rest])}, instead of {shown(text)}"
