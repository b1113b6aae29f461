"""Normalization of look-alike blanks and digits outside of strings and comments. They are reported and replaced."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from attrs import evolve, frozen

from cardlang.plain_text import BLANK, named
from cardlang.reading.building.texts import Value, pieces
from cardlang.source import Diagnostic, Source, Span

QUIET = re.compile(r"""(?P<text>"(?:\\.|[^"\\\n])*"?|[“”„][^“”„"\n]*[“”"]?)|#[^\n]*""")
"""Pattern of strings and comments, in which all characters are allowed, except in braces."""
PLAIN_DIGITS = "write numbers with the digits 0 to 9"


@frozen
class Sign:
    """Run of blanks or digits from `start` to `end`.

    `meant` is the replacement, or empty if the language has no number of that value."""

    start: int
    end: int
    meant: str


def simplify_signs(source: Source) -> tuple[Source, list[Diagnostic], bool]:
    """Replace look-alike blanks and digits one for one.

    Return the source, the errors, and whether a line starts with such a character, so that its indentation is unknown.
    """
    if source.text.isascii():
        return source, [], False
    text = list(source.text)
    found = [sign for start, end in loud_pieces(source.text) for sign in signs(source.text, start, end)]
    for sign in found:
        for place in range(sign.start, sign.end):
            text[place] = " " if sign.meant == " " else str(unicodedata.digit(text[place], 0))
    if not found:
        return source, [], False
    simple = evolve(source, text="".join(text), written=source.text)
    at_margin = any(not simple.text[simple.text.rfind("\n", 0, s.start) + 1 : s.end].strip() for s in found)
    return simple, [report(simple, sign) for sign in found], at_margin


def loud_pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of code: outside of strings and comments, and in the braces of strings."""
    at = 0
    for quiet in QUIET.finditer(text):
        yield at, quiet.start()
        at = quiet.end()
        for piece in pieces(quiet[0]) if quiet["text"] else ():
            if isinstance(piece, Value):
                yield quiet.start() + piece.start, quiet.start() + piece.end
    yield at, len(text)


def signs(text: str, start: int, end: int) -> Iterator[Sign]:
    """Yield runs of look-alike blanks or digits between two offsets."""
    if text.isascii():
        return
    for kind, run in groupby(range(start, end), lambda place: kind_of(text[place])):
        places = [*run]
        if kind:
            low, high = places[0], places[-1] + 1
            yield Sign(low, high, " " if kind == "blank" else number_meant(text[low:high]))


def kind_of(char: str) -> str:
    if char.isascii():
        return ""
    return "blank" if BLANK.match(char) else "digit" if unicodedata.category(char) in ("Nd", "No") else ""


def number_meant(digits: str) -> str:
    """Return the number in ASCII digits, or an empty string if it has no such form, like a third."""
    if len(digits) > 1:
        parts = [number_meant(digit) for digit in digits]
        return "".join(parts) if all(part.isdigit() for part in parts) else ""
    value = Fraction(unicodedata.numeric(digits, -1)).limit_denominator(1000)
    decimal = f"{float(value):g}"
    return decimal if value >= 0 and Fraction(decimal) == value else ""


def report(source: Source, sign: Sign) -> Diagnostic:
    span, written = Span(source, sign.start, sign.end), (source.written or source.text)[sign.start : sign.end]
    if sign.meant == " ":
        blanks = "a plain space" if len(written) == 1 else "plain spaces"
        return Diagnostic("E114", f"write {blanks} instead of {named(written[0])}", span, "type it with the space bar")
    if sign.meant:
        return Diagnostic("E114", f"write `{sign.meant}` instead of `{written}`", span, PLAIN_DIGITS)
    return Diagnostic("E115", f"unexpected character `{written}`", span, PLAIN_DIGITS)
