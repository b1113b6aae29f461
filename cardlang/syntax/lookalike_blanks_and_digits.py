"""Replacement of look-alike blanks and digits in game files, with errors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from attrs import evolve, frozen

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.english.control_characters import UNUSUAL_BLANK_PATTERN, describe_character
from cardlang.syntax.builders.tree_builder import InterpolationRange, split_string

STRING_OR_COMMENT_PATTERN = re.compile(r"""(?P<text>"(?:\\.|[^"\\\n])*"?|[“”„][^“”„"\n]*[“”"]?)|#[^\n]*""")
"""Pattern of strings and comments, in which all characters are allowed, except in braces."""
PLAIN_DIGITS_HINT = "write numbers with the digits 0 to 9"


@frozen
class LookalikeRun:
    """Run of blanks or digits from `start` to `end`.

    `replacement` is the replacement, or empty if the language has no number of that value."""

    start: int
    end: int
    replacement: str


def replace_lookalikes(source: Source) -> tuple[Source, list[Diagnostic], bool]:
    """Replace look-alike blanks and digits one for one.

    Return the source, the errors, and whether a line starts with such a character, so that its indentation is unknown.
    """
    if source.text.isascii():
        return source, [], False
    text = list(source.text)
    lookalikes = [
        sign for start, end in find_code_ranges(source.text) for sign in find_lookalikes(source.text, start, end)
    ]
    for sign in lookalikes:
        for offset in range(sign.start, sign.end):
            text[offset] = " " if sign.replacement == " " else str(unicodedata.digit(text[offset], 0))
    if not lookalikes:
        return source, [], False
    simple = evolve(source, text="".join(text), original_text=source.text)
    at_margin = any(not simple.text[simple.text.rfind("\n", 0, s.start) + 1 : s.end].strip() for s in lookalikes)
    return simple, [report_lookalike(simple, sign) for sign in lookalikes], at_margin


def find_code_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of code: outside of strings and comments, and in the braces of strings."""
    at = 0
    for quiet in STRING_OR_COMMENT_PATTERN.finditer(text):
        yield at, quiet.start()
        at = quiet.end()
        for piece in split_string(quiet[0]) if quiet["text"] else ():
            if isinstance(piece, InterpolationRange):
                yield quiet.start() + piece.start, quiet.start() + piece.end
    yield at, len(text)


def find_lookalikes(text: str, start: int, end: int) -> Iterator[LookalikeRun]:
    """Yield runs of look-alike blanks or digits between two offsets."""
    if text.isascii():
        return
    for kind, run in groupby(range(start, end), lambda offset: classify_character(text[offset])):
        offsets = [*run]
        if kind:
            low, high = offsets[0], offsets[-1] + 1
            yield LookalikeRun(low, high, " " if kind == "blank" else convert_to_ascii_digits(text[low:high]))


def classify_character(char: str) -> str:
    if char.isascii():
        return ""
    return (
        "blank" if UNUSUAL_BLANK_PATTERN.match(char) else "digit" if unicodedata.category(char) in ("Nd", "No") else ""
    )


def convert_to_ascii_digits(digits: str) -> str:
    """Return the number in ASCII digits, or an empty string if it has no such form, like a third."""
    if len(digits) > 1:
        parts = [convert_to_ascii_digits(digit) for digit in digits]
        return "".join(parts) if all(part.isdigit() for part in parts) else ""
    value = Fraction(unicodedata.numeric(digits, -1)).limit_denominator(1000)
    decimal = f"{float(value):g}"
    return decimal if value >= 0 and Fraction(decimal) == value else ""


def report_lookalike(source: Source, lookalike: LookalikeRun) -> Diagnostic:
    span, written = (
        Span(source, lookalike.start, lookalike.end),
        (source.original_text or source.text)[lookalike.start : lookalike.end],
    )
    if lookalike.replacement == " ":
        blanks = "a plain space" if len(written) == 1 else "plain spaces"
        return Diagnostic(
            "E114", f"write {blanks} instead of {describe_character(written[0])}", span, "type it with the space bar"
        )
    if lookalike.replacement:
        return Diagnostic("E114", f"write `{lookalike.replacement}` instead of `{written}`", span, PLAIN_DIGITS_HINT)
    return Diagnostic("E115", f"unexpected character `{written}`", span, PLAIN_DIGITS_HINT)
