"""Splitter of a file into statements, before parsing.

It finds the range and indentation of each statement, and errors of brackets, quotes and indentation. A statement is one
line, or several if an open bracket or a comma continues it. Continuation lines are indented deeper than the first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import define, evolve, field, frozen

from cardlang.limits import MAX_NESTING, check_statement, deep_blocks
from cardlang.source import Diagnostic, Source, Span

TAB = 8
NOWHERE = 1_000_000
LONGEST_SHOWN = 60
BEHIND_TEXT = re.compile(r" (?:seen by|starts at|starts each|holds \d|plural|like \[|for \d|with [A-Z]\w*(?:,|$)).*$")
"""Pattern of what follows a string on a line, but rarely occurs within one."""
PIECE = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|[“”„][^“”„"\n]*[“”"])|(?P<comment>\#[^\n]*)|(?P<cards>\[[^\]\n(]*\])
    |(?P<open>[(\[])|(?P<close>[)\]])|(?P<quote>["“”„])|(?P<comma>,)|(?P<line>\n)|(?P<other>[^\s"“”„#\[\](),]+)""",
    re.VERBOSE,
)


@frozen
class Statement:
    """Offsets from the first word to the end of the last one. `indent` is in columns; a tab counts as eight."""

    start: int
    end: int
    indent: int
    margin: str = ""


@define
class Outline:
    """Statements in order, and errors by the index of the statement. None marks an error reported elsewhere."""

    statements: list[Statement] = field(factory=list)
    faults: list[tuple[int, Diagnostic | None]] = field(factory=list)


@define
class Scan:
    """Scanner state within a statement: open brackets and a trailing comma."""

    opened: list[int] = field(factory=list)
    comma: int = -1
    start: int = -1
    end: int = -1
    faults: list[Diagnostic] = field(factory=list)


def outline_of(source: Source) -> Outline:
    """Split a file into statements. Report errors of brackets, quotes, limits and indentation."""
    outline = Outline()
    scan = Scan()
    for start, end in physical_lines(source.text):
        if scan.start >= 0 and not goes_on(source, scan, start):
            finish(source, scan, outline)
            scan = Scan()
        read_line(source, scan, start, end)
    if scan.start >= 0:
        finish(source, scan, outline)
    outline.faults.extend(indented_whole(source, outline))
    outline.faults.extend(check_indents(source, outline.statements))
    return outline


def indented_whole(source: Source, outline: Outline) -> Iterator[tuple[int, Diagnostic]]:
    """Report a file without lines at the left edge, once, and shift all its statements to the edge."""
    margin = min((statement.indent for statement in outline.statements), default=0)
    if not margin or outline.statements[0].indent > margin:
        return
    outline.statements = [evolve(statement, indent=statement.indent - margin) for statement in outline.statements]
    first = outline.statements[0]
    hint = f"start this line at the left edge, and remove {margin} spaces before each line below it too"
    yield 0, Diagnostic("E113", "the whole file is indented", Span(source, first.start, first.end), hint)


def physical_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that aren't empty or comments, from their first word."""
    for match in re.finditer(r"^[ \t]*+(?![#\r\n]|$)([^\n]*)", text, re.MULTILINE):
        yield match.start(1), match.end(1)


def goes_on(source: Source, scan: Scan, start: int) -> bool:
    if not scan.opened and scan.comma < 0:
        return False
    closing = scan.opened and source.text[start] in ")]"
    return bool(closing) or indent_of(source, start) > indent_of(source, scan.start)


def margin_of(source: Source, start: int) -> str:
    return source.text[source.text.rfind("\n", 0, start) + 1 : start]


def indent_of(source: Source, start: int) -> int:
    margin = margin_of(source, start)
    return len(margin) + (TAB - 1) * margin.count("\t")


def read_line(source: Source, scan: Scan, start: int, end: int) -> None:
    """Record the brackets, commas and quotes of a line."""
    if scan.start < 0:
        scan.start = start
    for match in PIECE.finditer(source.text, start, end):
        kind = match.lastgroup
        if kind == "comment":
            break
        scan.comma = match.start() if kind == "comma" else -1
        scan.end = match.end()
        if kind == "open":
            scan.opened.append(match.start())
        elif kind == "close":
            close(source, scan, match.start())
        elif kind == "quote":
            scan.faults.append(open_quote(source, match.start(), end))
            scan.end = len(source.text[:end].rstrip())
            break


def close(source: Source, scan: Scan, at: int) -> None:
    closer = source.text[at]
    opened = scan.opened.pop() if scan.opened else None
    if opened is None:
        message = f"this `{closer}` closes nothing"
        scan.faults.append(
            Diagnostic("E108", message, Span(source, at, at + 1), "remove it, or add the opening bracket")
        )
    elif source.text[opened] + closer not in ("()", "[]"):
        message = f"`{closer}` cannot close `{source.text[opened]}`"
        related = ((Span(source, opened, opened + 1), "opened here"),)
        scan.faults.append(Diagnostic("E108", message, Span(source, at, at + 1), "", related))


def open_quote(source: Source, at: int, end: int) -> Diagnostic:
    """Report an unpaired quote at `at`, the last of an odd number.

    A quote between a blank and a word opens a string. If it was paired as the end of a string, that string is the one
    without an end."""
    start = source.text.rfind("\n", 0, at) + 1
    texts = list(re.finditer(r'"(?:\\.|[^"\\\n])*"', source.text[start:at]))
    taken = next((text for text in texts if re.match(r'\s"\w', source.text[start + text.end() - 2 :])), None)
    if taken is not None:
        at, rest = start + taken.start(), taken[0][:-1].rstrip()
        behind = f" {source.text[start + taken.end() - 1 : end]}"
    else:
        rest, behind = re.split(r"(?<=\s)#", source.text[at:end], maxsplit=1)[0].rstrip(), ""
    words = re.search(BEHIND_TEXT, rest)
    told = (f'{rest[: words.start()]}"{rest[words.start() :]}' if words else f'{rest}"') + behind
    told = told if len(told) <= LONGEST_SHOWN else f"{told[: LONGEST_SHOWN - 1]}…"
    hint = f'add a quote at the end of the text: {told} (inside the text, write \\" for a quote)'
    return Diagnostic("E109", "this quote is never closed", Span(source, at, at + 1), hint)


def clip(text: str, width: int = 40) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def finish(source: Source, scan: Scan, outline: Outline) -> None:
    number = len(outline.statements)
    margin = margin_of(source, scan.start)
    outline.statements.append(Statement(scan.start, scan.end, indent_of(source, scan.start), margin))
    faults = scan.faults
    if not faults and scan.opened:
        faults = [never_closed(source, scan.opened[-1])]
    elif not faults and scan.comma >= 0:
        faults = [dangling_comma(source, scan.comma)]
    faults = faults[:1] or list(check_statement(source, scan.start, scan.end))
    outline.faults.extend((number, fault) for fault in faults)


def never_closed(source: Source, at: int) -> Diagnostic:
    opener = source.text[at]
    hints = {
        "(": "add `)`. If the bracket continues on the next line, indent that line deeper",
        "[": "add `]` after the last card, on the same line",
    }
    return Diagnostic("E107", f"this `{opener}` is never closed", Span(source, at, at + 1), hints[opener])


def dangling_comma(source: Source, at: int) -> Diagnostic:
    return Diagnostic(
        "E104",
        "nothing follows this comma",
        Span(source, at, at + 1),
        "remove the comma, or continue the list on the next line, indented deeper",
    )


# ---------------------------------------------------------------- items
def item_ranges(statements: Sequence[Statement]) -> Iterator[tuple[int, int]]:
    """Yield the range of statements of each item: a statement at the left edge, and those indented below it."""
    starts = [i for i, statement in enumerate(statements) if statement.indent == 0 or i == 0]
    ends = [*starts[1:], len(statements)]
    yield from zip(starts, ends, strict=False)


# ---------------------------------------------------------------- indents
def check_indents(source: Source, statements: list[Statement]) -> Iterator[tuple[int, Diagnostic | None]]:
    """Yield errors of indentation: levels that don't match, blocks nested too deeply, and tabs mixed with spaces.

    Mixed indentation is reported once; None marks further lines."""
    levels = [0]
    deeper = 0
    odd = NOWHERE  # the indentation of lines between two levels, of which the first is reported
    example: Statement | None = None
    mixed = False
    for number, statement in enumerate(statements):
        example = example or (statement if statement.margin and number else None)
        if example is not None and set(statement.margin) - set(example.margin[0]):
            yield number, None if mixed else mixed_margin(source, example, statement)
            mixed = True
        if mixed:
            continue
        if statement.indent > levels[-1]:
            levels.append(statement.indent)
            if len(levels) == MAX_NESTING + 2:
                yield number, deep_blocks(Span(source, statement.start, statement.end))
        while statement.indent < levels[-1]:
            deeper = levels.pop()
            odd = NOWHERE if levels[-1] < odd else odd
        if statement.indent != levels[-1]:
            yield number, uneven(source, statement, (levels[-1], deeper), statements[:number])
            levels.append(statement.indent)
            odd = statement.indent
        elif statement.indent == odd:
            yield number, None


def margin_span(source: Source, statement: Statement) -> Span:
    return Span(source, statement.start - len(statement.margin), statement.start)


def mixed_margin(source: Source, example: Statement, statement: Statement) -> Diagnostic:
    names = {" ": "spaces", "\t": "tabs"}
    other = next((char for char in statement.margin if char != example.margin[0]), " ")
    return Diagnostic(
        "E110",
        f"this line is indented with {names.get(other, 'other whitespace')}, earlier lines with "
        f"{names.get(example.margin[0], 'other whitespace')}",
        margin_span(source, statement),
        "indent the whole file with spaces, two for each level",
        ((margin_span(source, example), "the first indented line"),),
    )


def uneven(source: Source, statement: Statement, levels: tuple[int, int], before: list[Statement]) -> Diagnostic:
    above = next((other for other in reversed(before) if other.indent < statement.indent), None)
    nearest = "the nearest line with less indentation"  # missing if the file begins with an indented line
    return Diagnostic(
        "E111",
        "this line is indented between two levels",
        margin_span(source, statement),
        f"start it at column {levels[1] + 1} or at column {levels[0] + 1}, like the lines above it",
        ((Span(source, above.start, above.end), nearest),) if above is not None else (),
    )
