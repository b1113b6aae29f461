"""Regions of a game file that hold rules, statement by statement. Examples and descriptions are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve, frozen

from cardlang.plain_text import unescaped
from cardlang.reading.lines import Statement, outline_of
from cardlang.source import Source, Span

NO_RULES = ("example", "ruling", "component", "ages", "minutes", "needs", "show", "expect", "tell")
"""First words of statements without rules: assertions, and texts for readers."""
LAYERS = ("game", "library", "use", "variant")
"""First words of containers: not rules themselves, but rules may be nested in them."""
WORD = re.compile(r"[\w-]*")
TITLE = re.compile(r"[\"“”„]((?:\\.|[^\"“”„])*)")


@frozen
class Region:
    """Statement of the rules.

    It spans the offsets `start` to `end`, and to `whole` with nested statements. `rule` is the first line of the
    enclosing item."""

    start: int
    end: int
    whole: int
    rule: Span
    variant: str | None


@frozen
class Above:
    """Context of a statement. `items` allows items in it; `silent` means that it contains no rules."""

    items: bool = True
    silent: bool = False
    rule: Span | None = None
    variant: str | None = None


def regions(source: Source) -> Iterator[Region]:
    """Yield the rule statements of a file, in order."""
    statements = outline_of(source).statements
    open_: list[tuple[int, Above]] = []
    for number, statement in enumerate(statements):
        while open_ and open_[-1][0] >= statement.indent:
            open_.pop()
        above = open_[-1][1] if open_ else Above()
        here = below(source, statement, above)
        open_.append((statement.indent, here))
        if not here.silent and not here.items and here.rule is not None:
            whole = statements[last_under(statements, number)].end
            yield Region(statement.start, statement.end, whole, here.rule, here.variant)


def below(source: Source, statement: Statement, above: Above) -> Above:
    """Return the context of the lines nested in a statement."""
    text = source.text[statement.start : statement.end]
    matched = WORD.match(text)
    word = matched[0] if matched is not None else ""
    if above.silent or word in NO_RULES:
        return evolve(above, items=False, silent=True)
    if above.items and word in LAYERS:
        title = TITLE.search(text) if word == "variant" else None
        return above if title is None else evolve(above, variant=unescaped(title[1]))
    if above.items:
        return evolve(above, items=False, rule=Span(source, statement.start, statement.end))
    return above


def last_under(statements: list[Statement], number: int) -> int:
    """Return the index of the last statement nested in a statement, or its own index."""
    last = number
    while last + 1 < len(statements) and statements[last + 1].indent > statements[number].indent:
        last += 1
    return last


def example_lines(source: Source) -> frozenset[int]:
    """Return the line numbers of examples and of samples of ranks."""
    statements = outline_of(source).statements
    found: set[int] = set()
    for number, statement in enumerate(statements):
        text = source.text[statement.start : statement.end]
        if re.match(r"example\b", text) or re.match(r'"[^"]*" like\b', text):
            last = statements[last_under(statements, number)] if text.startswith("example") else statement
            found.update(range(source.place(statement.start)[0], source.place(last.end - 1)[0] + 1))
    return frozenset(found)
