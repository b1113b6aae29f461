"""Hints in error messages, from nearby lines and from common words for values."""

from __future__ import annotations

import re

from cardlang.source import Span

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SPOKEN = {
    **dict.fromkeys(("true", "True", "on"), "yes"),
    **dict.fromkeys(("false", "False", "off"), "no"),
    **dict.fromkeys(("none", "null", "None", "empty"), "nothing"),
    **dict.fromkeys(("noone", "no-one"), "nobody"),
    **dict.fromkeys(("me", "self", "myself"), "you"),
    **dict.fromkeys(("everyone", "everybody"), "players"),
    **dict.fromkeys(("infinity", "infinite"), "unlimited"),
    **{word: str(number) for number, word in enumerate(NUMBERS)},
    "twenty": "20",
    "fifty": "50",
    "hundred": "100",
}
"""Keywords by common words for the same value."""


def spoken(word: str) -> str:
    """Return a hint for a common word for a value, or an empty string."""
    return f"write `{SPOKEN[word]}`" if word in SPOKEN else ""


def each_above(span: Span) -> str:
    """Return the `each player` directly above a line at equal depth, if there is one.

    The line may belong in its block."""
    lines = [span.source.line(number) for number in range(span.line, 0, -1)]
    for line in lines[1:]:
        if line.strip() and not line.lstrip().startswith("#") and depth(line) <= depth(lines[0]):
            match = re.match(r"\s*((?:together )?each player)\b", line)
            return match[1] if match and depth(line) == depth(lines[0]) else ""
    return ""


def in_step(span: Span) -> bool:
    """Return whether a place is in a step, where a line can move below `each player`."""
    heads = re.findall(r"^\w+", span.source.text[: span.start], re.MULTILINE)
    return heads[-1:] == ["step"]


def known_deeper(span: Span, name: str) -> int | None:
    """Return the number of the line whose block binds a name that is used below, outside of the block."""
    binds = re.compile(rf"\b(?:as|choose|with) {re.escape(name)}\b")
    here, deepest = depth(span.source.line(span.line)), None
    for number in range(span.line - 1, 0, -1):
        line = span.source.line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if deepest is not None and depth(line) < deepest:
            return number
        if deepest is None and depth(line) > here and binds.search(line):
            deepest = depth(line)
        if deepest is None and depth(line) == 0:
            return None
    return None


def depth(line: str) -> int:
    return len(line) - len(line.lstrip())
