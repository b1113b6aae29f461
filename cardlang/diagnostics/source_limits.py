"""Size limits of game files, checked when a file is read."""

from __future__ import annotations

import re
import unicodedata
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from cardlang.diagnostics import Diagnostic, GameError, Source, Span
from cardlang.english.control_characters import INVISIBLE_PATTERN, describe_character
from cardlang.storage import read_file_start

MAX_BYTES = 256 * 1024
MAX_TOKENS = 30_000
MAX_NESTING = 100
MAX_TEXT = 10_000
MAX_NAME = 100
MAX_NUMBER = 2**63 - 1
MAX_CARDS = 10_000
MAX_STATE_SLOTS = 100_000
MAX_PLAYERS = 20
MAX_CHOICES = 500
MAX_OPTIONS = 100
MAX_REACTIONS = 30
MAX_VARIANTS = 20
MAX_STEPS = 200_000
"""Maximum number of steps between two decisions."""
MAX_REPARSED_CHARACTERS = 1_000_000
"""Maximum number of characters to parse again, with likely repairs, in search of more errors."""
MAX_ERRORS = 20
MAX_SIMILAR_ERRORS_PER_LINE = 3
"""Maximum number of similar errors listed per line; `MAX_ERRORS` is the maximum per file. Further ones are only
counted."""
MAX_COMPARED_CHARACTER_PAIRS = 20_000_000
"""Maximum number of character pairs to compare in search of similar names. Later names get no suggestions."""
STRING_REGEX = r'"(?:\\.|[^"\\\n])*"?'
TOKEN_PATTERN = re.compile(rf"{STRING_REGEX}|#[^\n]*|\d+(?:\.\d+)?(?!\w)|\w[\w-]*|[^\s\w]")
INVALID_CHARACTER_PATTERN = re.compile(rf"(?![\t\n]|\r\n)(?:{INVISIBLE_PATTERN.pattern})")
CHAINING_OPERATOR_PATTERN = re.compile(r"[-+*/]|'s?|and|or|not|of|where")
NUMBER_PATTERN = re.compile(r"\d+(?:\.\d+)?")


def read_source(path: Path, name: str | None = None) -> Source:
    """Read a file as a source, shown as `name` (or its path). Raise OSError, or GameError if it isn't UTF-8."""
    shown = name or str(path)
    data = read_file_start(path, MAX_BYTES + 4).removeprefix(BOM_UTF8)
    try:
        return Source(shown, data.decode())
    except UnicodeDecodeError as error:
        source = Source(shown, data.decode(errors="replace"))
        if error.start < MAX_BYTES:
            raise GameError([report_invalid_utf8(source, data, error.start)]) from None
        return source  # cut off within a character; `report_too_large_file` reports the file


def report_invalid_utf8(source: Source, data: bytes, start: int) -> Diagnostic:
    at = len(data[:start].decode())
    return Diagnostic(
        "E120",
        f"this file is not UTF-8 text: byte {data[start]:02X} is invalid",
        Span(source, at, at + 1),
        "save the file as plain text in UTF-8",
    )


def limit_similar_diagnostics(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Limit the number of similar errors per line and per file.

    The last one listed has the number of those left out."""
    listed: list[Diagnostic] = []
    last: dict[tuple[object, ...], int] = {}
    counts: Counter[tuple[object, ...]] = Counter()
    for diagnostic in diagnostics:
        in_file = (diagnostic.span.source, diagnostic.code)
        in_line = (*in_file, diagnostic.span.line)
        if counts[in_line] < MAX_SIMILAR_ERRORS_PER_LINE and counts[in_file] < MAX_ERRORS:
            last[in_line] = last[in_file] = len(listed)
            counts.update((in_line, in_file))
            listed.append(diagnostic)
        else:
            index = last.get(in_line, last[in_file])
            listed[index] = evolve(listed[index], more=listed[index].more + 1 + diagnostic.more)
    return listed


def check_source_limits(source: Source) -> list[Diagnostic]:
    """Return errors that prevent any parsing: a file that is too large or not plain text."""
    diagnostic = report_too_large_file(source) or report_invalid_character(source)
    return [diagnostic] if diagnostic else []


def report_too_large_file(source: Source) -> Diagnostic | None:
    if len(source.text) <= MAX_BYTES and (
        source.text.isascii() or len(source.text.encode(errors="replace")) <= MAX_BYTES
    ):
        return None
    at = min(MAX_BYTES, len(source.text) - 1)
    return Diagnostic(
        "E121",
        f"the file is larger than {MAX_BYTES // 1024} KiB",
        Span(source, at, at + 1),
        "check that this is a game file. Rules are much shorter",
    )


def report_invalid_character(source: Source) -> Diagnostic | None:
    match = INVALID_CHARACTER_PATTERN.search(source.text)
    if match is None:
        return None
    what, hint = "the invisible character", "delete it. Readers must see everything that is in the rules"
    if unicodedata.category(match[0]) == "Cc":
        what, hint = "the control character", "save the file as plain text in UTF-8"
    description = "an old line ending (CR)" if match[0] == "\r" else f"{what} {describe_character(match[0])}"
    span = Span(source, match.start(), match.end())
    return Diagnostic("E120", f"this file is not plain text: it has {description}", span, hint)


def report_too_many_tokens(source: Source) -> Diagnostic | None:
    for number, match in enumerate(TOKEN_PATTERN.finditer(source.text)):
        if number == MAX_TOKENS:
            span = Span(source, match.start(), match.end())
            return Diagnostic(
                "E121",
                f"the file has more than {MAX_TOKENS:,} words and symbols",
                span,
                "check that this is a game file. Rules are much shorter",
            )
    return None


def check_statement_limits(source: Source, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield errors about sizes in a statement, at most one of each kind."""
    diagnostics: dict[str, Diagnostic] = {}
    depth = chain = 0
    for match in TOKEN_PATTERN.finditer(source.text, start, end):
        word = match[0]
        span = Span(source, match.start(), match.end())
        if word == "(":
            depth += 1
        elif word == ")":
            depth -= 1
        elif len(word) > (MAX_TEXT if word[0] == '"' else MAX_NAME) and word[0] != "#":
            diagnostics.setdefault("E123", report_long_word(span))
        if NUMBER_PATTERN.fullmatch(word) and (len(word) > 40 or float(word) > MAX_NUMBER):
            diagnostics.setdefault("E124", report_large_number(span))
        chain = 0 if word == "," else chain + bool(CHAINING_OPERATOR_PATTERN.fullmatch(word))
        if depth > MAX_NESTING or chain > 2 * MAX_NESTING:
            diagnostics.setdefault("E122", report_deep_expression(span))
    yield from diagnostics.values()


def report_long_word(span: Span) -> Diagnostic:
    short = Span(span.source, span.start, span.start + 40)
    if span.text[0] != '"':
        return Diagnostic("E123", f"this word is longer than {MAX_NAME} characters", short, "use a shorter one")
    return Diagnostic(
        "E123",
        f"this text is longer than {MAX_TEXT:,} characters",
        short,
        "split it into several texts",
    )


def report_large_number(span: Span) -> Diagnostic:
    return Diagnostic("E124", f"this number is larger than {MAX_NUMBER:,}", span, "use a smaller number")


def report_deep_expression(span: Span) -> Diagnostic:
    return Diagnostic(
        "E122",
        f"this value is nested more than {MAX_NESTING} levels deep",
        span,
        "give its parts names with `define`, or add up a list with `total of`",
    )


def report_deep_blocks(span: Span) -> Diagnostic:
    return Diagnostic(
        "E122",
        f"blocks are nested more than {MAX_NESTING} levels deep",
        span,
        "move the inner blocks into steps and run them with `do`. For many cases, use `define`",
    )
