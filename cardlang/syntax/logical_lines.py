"""Splitter of source text into logical lines: indented statements.

It finds the range and indentation of each statement, and errors of brackets, quotes and indentation. A statement is one
line, or several if an open bracket or a comma continues it. Continuation lines are indented deeper than the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import define, evolve, field, frozen

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.source_limits import MAX_NESTING, check_statement_limits, report_deep_blocks

TAB_WIDTH = 8
NO_INDENTATION = 1_000_000
MAX_SHOWN_CHARACTERS = 60
MAX_QUOTED_CHARACTERS = 40
"""Maximum length of a line quoted within a message."""
AFTER_STRING_PATTERN = re.compile(
    r" (?:seen by|starts at|starts each|holds \d|plural|like \[|for \d|with [A-Z]\w*(?:,|$)).*$"
)
"""Pattern of what follows a string on a line, but rarely occurs within one."""
LINE_PIECE_PATTERN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|[“”„][^“”„"\n]*[“”"])|(?P<comment>\#[^\n]*)|(?P<cards>\[[^\]\n(]*\])
    |(?P<open>[(\[])|(?P<close>[)\]])|(?P<quote>["“”„])|(?P<comma>,)|(?P<line>\n)|(?P<other>[^\s"“”„#\[\](),]+)""",
    re.VERBOSE,
)


@frozen
class LogicalLine:
    """Offsets from the first word to the end of the last one. `indent` is in columns; a tab counts as eight."""

    start: int
    end: int
    indent: int
    margin: str = ""


@define
class LogicalLines:
    """Statements in order, and errors by the index of the statement. None marks an error reported elsewhere."""

    statements: list[LogicalLine] = field(factory=list)
    faults: list[tuple[int, Diagnostic | None]] = field(factory=list)


@define
class LineScanState:
    """Scanner state within a statement: open brackets and a trailing comma."""

    open_brackets: list[int] = field(factory=list)
    trailing_comma: int = -1
    start: int = -1
    end: int = -1
    faults: list[Diagnostic] = field(factory=list)


def split_into_logical_lines(source: Source) -> LogicalLines:
    """Split a file into statements. Report errors of brackets, quotes, limits and indentation."""
    outline = LogicalLines()
    scan = LineScanState()
    for start, end in find_code_lines(source.text):
        if scan.start >= 0 and not is_continuation_line(source, scan, start):
            finish_logical_line(source, scan, outline)
            scan = LineScanState()
        scan_line(source, scan, start, end)
    if scan.start >= 0:
        finish_logical_line(source, scan, outline)
    outline.faults.extend(report_indented_file(source, outline))
    outline.faults.extend(check_indentation(source, outline.statements))
    return outline


def report_indented_file(source: Source, outline: LogicalLines) -> Iterator[tuple[int, Diagnostic]]:
    """Report a file without lines at the left edge, once, and shift all its statements to the edge."""
    margin = min((statement.indent for statement in outline.statements), default=0)
    if not margin or outline.statements[0].indent > margin:
        return
    outline.statements = [evolve(statement, indent=statement.indent - margin) for statement in outline.statements]
    first = outline.statements[0]
    hint = f"start this line at the left edge, and remove {margin} spaces before each line below it too"
    yield 0, Diagnostic("E113", "the whole file is indented", Span(source, first.start, first.end), hint)


def find_code_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that aren't empty or comments, from their first word."""
    for match in re.finditer(r"^[ \t]*+(?![#\r\n]|$)([^\n]*)", text, re.MULTILINE):
        yield match.start(1), match.end(1)


def is_continuation_line(source: Source, scan: LineScanState, start: int) -> bool:
    if not scan.open_brackets and scan.trailing_comma < 0:
        return False
    closing = scan.open_brackets and source.text[start] in ")]"
    return bool(closing) or measure_indentation(source, start) > measure_indentation(source, scan.start)


def get_margin(source: Source, start: int) -> str:
    return source.text[source.text.rfind("\n", 0, start) + 1 : start]


def measure_indentation(source: Source, start: int) -> int:
    margin = get_margin(source, start)
    return len(margin) + (TAB_WIDTH - 1) * margin.count("\t")


def scan_line(source: Source, scan: LineScanState, start: int, end: int) -> None:
    """Record the brackets, commas and quotes of a line."""
    if scan.start < 0:
        scan.start = start
    for match in LINE_PIECE_PATTERN.finditer(source.text, start, end):
        kind = match.lastgroup
        if kind == "comment":
            break
        scan.trailing_comma = match.start() if kind == "comma" else -1
        scan.end = match.end()
        if kind == "open":
            scan.open_brackets.append(match.start())
        elif kind == "close":
            match_closing_bracket(source, scan, match.start())
        elif kind == "quote":
            scan.faults.append(report_unclosed_quote(source, match.start(), end))
            scan.end = len(source.text[:end].rstrip())
            break


def match_closing_bracket(source: Source, scan: LineScanState, offset: int) -> None:
    closer = source.text[offset]
    opened = scan.open_brackets.pop() if scan.open_brackets else None
    if opened is None:
        message = f"this `{closer}` closes nothing"
        scan.faults.append(
            Diagnostic("E108", message, Span(source, offset, offset + 1), "remove it, or add the opening bracket")
        )
    elif source.text[opened] + closer not in ("()", "[]"):
        message = f"`{closer}` cannot close `{source.text[opened]}`"
        related = ((Span(source, opened, opened + 1), "opened here"),)
        scan.faults.append(Diagnostic("E108", message, Span(source, offset, offset + 1), "", related))


def report_unclosed_quote(source: Source, offset: int, end: int) -> Diagnostic:
    """Report an unpaired quote at `offset`, the last of an odd number.

    A quote between a blank and a word opens a string. If it was paired as the end of a string, that string is the one
    without an end."""
    start = source.text.rfind("\n", 0, offset) + 1
    texts = list(re.finditer(r'"(?:\\.|[^"\\\n])*"', source.text[start:offset]))
    taken = next((text for text in texts if re.match(r'\s"\w', source.text[start + text.end() - 2 :])), None)
    if taken is not None:
        offset, rest = start + taken.start(), taken[0][:-1].rstrip()
        behind = f" {source.text[start + taken.end() - 1 : end]}"
    else:
        rest, behind = re.split(r"(?<=\s)#", source.text[offset:end], maxsplit=1)[0].rstrip(), ""
    words = re.search(AFTER_STRING_PATTERN, rest)
    repaired = (f'{rest[: words.start()]}"{rest[words.start() :]}' if words else f'{rest}"') + behind
    repaired = repaired if len(repaired) <= MAX_SHOWN_CHARACTERS else f"{repaired[: MAX_SHOWN_CHARACTERS - 1]}…"
    hint = f'add a quote at the end of the text: {repaired} (inside the text, write \\" for a quote)'
    return Diagnostic("E109", "this quote is never closed", Span(source, offset, offset + 1), hint)


def shorten_text(text: str) -> str:
    return text if len(text) <= MAX_QUOTED_CHARACTERS else text[: MAX_QUOTED_CHARACTERS - 1] + "…"


def finish_logical_line(source: Source, scan: LineScanState, outline: LogicalLines) -> None:
    number = len(outline.statements)
    margin = get_margin(source, scan.start)
    outline.statements.append(LogicalLine(scan.start, scan.end, measure_indentation(source, scan.start), margin))
    faults = scan.faults
    if not faults and scan.open_brackets:
        faults = [report_unclosed_bracket(source, scan.open_brackets[-1])]
    elif not faults and scan.trailing_comma >= 0:
        faults = [report_trailing_comma(source, scan.trailing_comma)]
    faults = faults[:1] or list(check_statement_limits(source, scan.start, scan.end))
    outline.faults.extend((number, fault) for fault in faults)


def report_unclosed_bracket(source: Source, offset: int) -> Diagnostic:
    opener = source.text[offset]
    hints = {
        "(": "add `)`. If the bracket continues on the next line, indent that line deeper",
        "[": "add `]` after the last card, on the same line",
    }
    return Diagnostic("E107", f"this `{opener}` is never closed", Span(source, offset, offset + 1), hints[opener])


def report_trailing_comma(source: Source, offset: int) -> Diagnostic:
    return Diagnostic(
        "E104",
        "nothing follows this comma",
        Span(source, offset, offset + 1),
        "remove the comma, or continue the list on the next line, indented deeper",
    )


# ---------------------------------------------------------------- items
def find_item_ranges(statements: Sequence[LogicalLine]) -> Iterator[tuple[int, int]]:
    """Yield the range of statements of each item: a statement at the left edge, and those indented below it."""
    starts = [i for i, statement in enumerate(statements) if statement.indent == 0 or i == 0]
    ends = [*starts[1:], len(statements)]
    yield from zip(starts, ends, strict=False)


# ---------------------------------------------------------------- indents
def check_indentation(source: Source, statements: list[LogicalLine]) -> Iterator[tuple[int, Diagnostic | None]]:
    """Yield errors of indentation: levels that don't match, blocks nested too deeply, and tabs mixed with spaces.

    Mixed indentation is reported once; None marks further lines."""
    levels = [0]
    deeper = 0
    odd = NO_INDENTATION  # the indentation of lines between two levels, of which the first is reported
    example: LogicalLine | None = None
    mixed = False
    for number, statement in enumerate(statements):
        example = example or (statement if statement.margin and number else None)
        if example is not None and set(statement.margin) - set(example.margin[0]):
            yield number, None if mixed else report_mixed_indentation(source, example, statement)
            mixed = True
        if mixed:
            continue
        if statement.indent > levels[-1]:
            levels.append(statement.indent)
            if len(levels) == MAX_NESTING + 2:
                yield number, report_deep_blocks(Span(source, statement.start, statement.end))
        while statement.indent < levels[-1]:
            deeper = levels.pop()
            odd = NO_INDENTATION if levels[-1] < odd else odd
        if statement.indent != levels[-1]:
            yield number, report_uneven_indentation(source, statement, (levels[-1], deeper), statements[:number])
            levels.append(statement.indent)
            odd = statement.indent
        elif statement.indent == odd:
            yield number, None


def build_margin_span(source: Source, statement: LogicalLine) -> Span:
    return Span(source, statement.start - len(statement.margin), statement.start)


def report_mixed_indentation(source: Source, example: LogicalLine, statement: LogicalLine) -> Diagnostic:
    names = {" ": "spaces", "\t": "tabs"}
    other = next((char for char in statement.margin if char != example.margin[0]), " ")
    return Diagnostic(
        "E110",
        f"this line is indented with {names.get(other, 'other whitespace')}, earlier lines with "
        f"{names.get(example.margin[0], 'other whitespace')}",
        build_margin_span(source, statement),
        "indent the whole file with spaces, two for each level",
        ((build_margin_span(source, example), "the first indented line"),),
    )


def report_uneven_indentation(
    source: Source, statement: LogicalLine, levels: tuple[int, int], earlier_lines: list[LogicalLine]
) -> Diagnostic:
    above = next((other for other in reversed(earlier_lines) if other.indent < statement.indent), None)
    nearest = "the nearest line with less indentation"  # missing if the file begins with an indented line
    return Diagnostic(
        "E111",
        "this line is indented between two levels",
        build_margin_span(source, statement),
        f"start it at column {levels[1] + 1} or at column {levels[0] + 1}, like the lines above it",
        ((Span(source, above.start, above.end), nearest),) if above is not None else (),
    )
