"""Search for numbers in the text of a rules file, as figures or words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import frozen

from cardlang.diagnostics import Source
from cardlang.english import morphology
from cardlang.rulebook.authored_rulebook.markdown_parser import COMMENT

SPECIAL_WORDS = {"1": ("once", "first"), "2": ("twice", "second", "both", "half"), "3": ("third",), "4": ("fourth",)}
"""Words that stand for a number, besides the number itself."""


@frozen
class NumberLine:
    """A line of a source, from 1, that mentions a number. `is_word`: in words, which a search for figures misses."""

    line: int
    text: str
    is_word: bool


def find_number_lines(source: Source, numbers: Iterable[str]) -> list[NumberLine]:
    """Return the lines that mention one of some numbers, those in words first. Comments don't count."""
    return search_lines(source, COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source.text), numbers)


def find_game_text_lines(source: Source, numbers: Iterable[str]) -> list[NumberLine]:
    """Return the lines of a game file whose texts in quotes mention one of some numbers. One and zero don't count."""
    texts = re.sub(r'("(?:\\.|[^"\\\n])*")|[^\n]', lambda found: found[1] or " ", source.text)
    return search_lines(source, texts, [number for number in numbers if number not in ("0", "1")])


def search_lines(source: Source, text: str, numbers: Iterable[str]) -> list[NumberLine]:
    """Return the lines of a source that mention one of some numbers in the parts that `text` keeps."""
    patterns = [pattern for number in dict.fromkeys(numbers) for pattern in build_patterns(number)]
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        kinds = {is_word for pattern, is_word in patterns if pattern.search(line)}
        if kinds:
            found.append(NumberLine(number, source.get_line(number).strip(), True in kinds))
    return sorted(found, key=lambda line: (not line.is_word, line.line))


def build_patterns(number: str) -> Iterator[tuple[re.Pattern[str], bool]]:
    """Yield the patterns for a number in figures and in words, with whether it is a word."""
    yield re.compile(rf"(?<![\w.,-]){re.escape(number)}(?!\w|[.,]\d)"), False
    spelled = morphology.spell_number(int(number)) if number.isdecimal() and len(number) < 4 else number
    words = ({spelled} if spelled != number else set()) | {*SPECIAL_WORDS.get(number, ())}
    if words:
        yield re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b", re.IGNORECASE), True
