"""Sizes of titles, texts and pictures on the drawing of a card."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from attrs import frozen

from cardlang.cards.card_content import CardPassage, CardSide
from cardlang.cards.suit_and_card_drawings import CardSymbol, split_at_icons
from cardlang.english.control_characters import remove_invisible_characters

ICON_MARKS = "".join(map(chr, range(0xFDD0, 0xFDEF)))
"""Characters that no text contains. Two of them stand for an icon while a text is split into lines."""
ICON_MARK = re.compile(rf"([{ICON_MARKS}])\1")
BOLD_MARK = "\ufdef"
"""Character before each bold word while a text is split into lines."""
KEYWORD = re.compile(r"((?:^|(?<=[.!?] ))[A-Z][^.:!?]{1,24}:)(?= )")
"""Start of a sentence that a colon sets off."""
MAX_TITLE_LETTERS = 60
"""Maximum number of letters in a line of a title."""
TextLayout = tuple[int, int, float, float]
TEXT_LAYOUTS: tuple[TextLayout, ...] = ((25, 8, 4.0, 4.8), (30, 10, 3.4, 4.1), (36, 13, 2.85, 3.4))
"""Layouts for the text on a card: letters in a line, maximum number of lines, letter size, line distance."""


def wrap_side_title(side: CardSide, width: float) -> list[str]:
    """Return the lines of the title of a card with text. Words of up to 20 letters stay whole."""
    longest = max(map(len, side.title.split()), default=0)
    first = max(int(width / 3.1), min(longest, 20))
    tries = (wrap_text(side.title, letters, 2) for letters in range(first, MAX_TITLE_LETTERS))
    return next((lines for lines in tries if not lines[-1:] or not lines[-1].endswith("…")), [side.title])


@frozen
class FittedText:
    """Text of a card: its lines, letter size and line distance."""

    lines: list[str]
    size: float
    step: float

    @property
    def height(self) -> float:
        return len(self.lines) * self.step


def fit_side_text(side: CardSide, share: float = 1) -> FittedText:
    """Wrap the text of a card in letters for the longest text of its set, or smaller ones if it is longer.

    `share`: its width, relative to that of the card.
    """
    layouts = [(int(width * share), most, size, step) for width, most, size, step in TEXT_LAYOUTS]
    text, longest = ([*split_paragraphs(passages, side.text_icons)] for passages in (side.passages, side.longest))
    width, most, size, step = max(
        find_text_layout(text, layouts), find_text_layout(longest, layouts), key=layouts.index
    )
    return FittedText(wrap_paragraphs(text, width, most), size, step)


def split_paragraphs(passages: Sequence[CardPassage], icons: Sequence[CardSymbol]) -> Iterator[str]:
    """Yield the paragraphs of some passages, with marks for icons and bold words. A keyword starts a new one."""
    marks: dict[CardSymbol | None, str] = dict(zip(icons, ICON_MARKS, strict=False))
    for passage in passages:
        text = curl_apostrophes(passage.text or passage.details)
        text = "".join(2 * marks.get(icon, "") or part for part, icon in split_at_icons(text, icons))
        start, *parts = KEYWORD.split(text)
        start = " ".join(filter(None, [mark_bold(f"{passage.title}:") if passage.title else "", start.strip()]))
        yield from [start] * bool(start)
        yield from (mark_bold(word) + rest.rstrip() for word, rest in zip(parts[::2], parts[1::2], strict=True))


def curl_apostrophes(text: str) -> str:
    return re.sub(r"(?<=\w)'", "’", text)


def mark_bold(text: str) -> str:
    return " ".join(BOLD_MARK + word for word in text.split())


def wrap_paragraphs(paragraphs: Sequence[str], width: int, max_lines: int) -> list[str]:
    """Return the lines of some paragraphs, the last one shortened if they need more lines."""
    lines: list[str] = []
    for number, paragraph in enumerate(paragraphs):
        room = max_lines - len(lines)
        if room > 0:
            lines += wrap_text(paragraph if room > 1 else " ".join(paragraphs[number:]), width, room)
    return lines


def find_text_layout(paragraphs: Sequence[str], layouts: Sequence[TextLayout]) -> TextLayout:
    """Return the layout with the largest letters in which a text fits on a card, or else the smallest."""
    fits = (
        layout
        for layout in layouts
        if sum(len(textwrap.wrap(remove_invisible_characters(text), layout[0])) for text in paragraphs) <= layout[1]
    )
    return next(fits, layouts[-1])


def fit_letter_size(text: str, width: float, size: float, letter_ratio: float) -> float:
    """Return the letter size in which a line fits a width, at most `size`.

    `letter_ratio`: the average width of a letter, relative to its size.
    """
    return min(size, width / (letter_ratio * max(len(text), 1)))


def fit_icon(side: CardSide, size: float) -> float:
    """Return the size of an icon in a picture of height `size`: smaller next to several numbers."""
    return min(size, 28.0) if len(side.values) > 1 else size


def wrap_text(text: str, width: int, max_lines: int) -> list[str]:
    """Return a text in lines of about the same length, no more of them than it needs."""
    text = remove_invisible_characters(text)
    lines = textwrap.wrap(text, width, max_lines=max_lines, placeholder=" …")
    tries = (textwrap.wrap(text, letters) for letters in range(max(width * 4 // 5, 1), width))
    return next((shorter for shorter in tries if len(shorter) <= len(lines)), lines)
